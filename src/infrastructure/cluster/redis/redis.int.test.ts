import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EngineAway } from '#application/ports/event-store.ts'
import type { JobHandlers } from '#application/ports/job-queue.ts'
import { jobQueueContract } from '../../contracts/job-queue.contract.ts'
import { rateLimitsContract } from '../../contracts/rate-limits.contract.ts'
import { type Door, doorTo } from '../testing/door.ts'
import { describeOnServers } from '../testing/servers.ts'
import { openRedis, type RedisEngines, RedisRefused } from './open.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
/** Of a server that is there: longer than a busy machine stands still. */
const answerMs = 4_000

await describeOnServers('Redis', ['redis'], ({ redis }) => {
  rateLimitsContract('Redis', async () => {
    const engines = await openRedis({ url: redis.url, namespace: randomUUID(), log: silent, answerMs })
    return { rateLimits: engines.rateLimits, close: engines.close }
  })

  jobQueueContract('BullMQ', async () => {
    const namespace = randomUUID()
    const ends: (() => Promise<void>)[] = []
    return {
      open: async () => {
        const door = await doorTo(redis.url)
        const engines = await openRedis({ url: door.url, namespace, log: silent, lockedMs: 4_000, answerMs })
        ends.push(async () => {
          await engines.close()
          await door.close()
        })
        return { jobs: engines.jobs, kill: door.shut }
      },
      clear: async () => {
        await Promise.all(ends.map((end) => end()))
      },
    }
  })

  const nothing = { run: async () => undefined, backoff: () => null }
  /** Handlers that note which pictures they were given. */
  const handlers = (done: string[]): JobHandlers => ({
    'process-image': { run: async (_, { id }) => void done.push(id), backoff: () => 10 },
    'copy-artwork-picture': nothing,
    'copy-journal-pictures': nothing,
    'sync-blog': nothing,
    'mail-enquiry': nothing,
  })
  const job = { id: 'process-image-a', name: 'process-image', data: { hash: 'a' } } as const

  describe('a server that goes away', () => {
    let door: Door
    let engines: RedisEngines
    beforeAll(async () => {
      door = await doorTo(redis.url)
      engines = await openRedis({ url: door.url, namespace: randomUUID(), log: silent })
    })
    afterAll(async () => {
      await engines.close()
      await door.close()
    })
    const limit = { name: 'l', points: 5, windowMs: 60_000 }

    it('is said in words while it is away, and is used again by itself when it is back (decisions 79)', async () => {
      const done: string[] = []
      await engines.jobs.work(handlers(done))
      await door.shut()
      await expect(engines.jobs.enqueue([job])).rejects.toBeInstanceOf(EngineAway)
      await expect(engines.jobs.list()).rejects.toThrow('The job queue does not answer')
      await expect(engines.rateLimits.hit(limit, 'a')).rejects.toBeInstanceOf(EngineAway)
      await door.open()
      await vi.waitFor(() => engines.jobs.enqueue([job]), { timeout: 20_000, interval: 50 })
      await vi.waitFor(() => expect(done).toEqual(['process-image-a']), { timeout: 20_000, interval: 50 })
      expect(await engines.rateLimits.check(limit, 'a')).toMatchObject({ allowed: true })
    })
  })

  it('is waited for when it is away at the start', async () => {
    const door = await doorTo(redis.url)
    await door.shut()
    const engines = await openRedis({ url: door.url, namespace: randomUUID(), log: silent })
    await expect(engines.jobs.list()).rejects.toBeInstanceOf(EngineAway)
    const done: string[] = []
    await engines.jobs.work(handlers(done))
    await door.open()
    await vi.waitFor(() => engines.jobs.enqueue([job]), { timeout: 20_000, interval: 50 })
    await vi.waitFor(() => expect(done).toEqual([job.id]), { timeout: 20_000, interval: 50 })
    await engines.close()
    await door.close()
  })

  it('keeps sites of different names apart', async () => {
    const [one, other] = await Promise.all(
      ['', randomUUID()].map((namespace) => openRedis({ url: redis.url, namespace, log: silent, answerMs })),
    )
    const job = {
      id: `mail-enquiry-${randomUUID()}`,
      name: 'mail-enquiry',
      data: { messageId: 'm' },
    } as const
    await other?.jobs.enqueue([job])
    expect((await one?.jobs.list())?.filter(({ id }) => id === job.id)).toEqual([])
    await Promise.all([one?.close(), other?.close()])
  })

  it('that refuses the password keeps the site from starting, in words without the password', async () => {
    const url = new URL(redis.url)
    url.username = 'nobody'
    url.password = 'not-the-word'
    const opening = openRedis({ url: url.href, namespace: '', log: silent, answerMs })
    await expect(opening).rejects.toBeInstanceOf(RedisRefused)
    await expect(opening).rejects.not.toThrow('not-the-word')
  })
})
