import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EngineAway } from '#application/ports/event-store.ts'
import { jobQueueContract } from '../../contracts/job-queue.contract.ts'
import { rateLimitsContract } from '../../contracts/rate-limits.contract.ts'
import { describeOnServers } from '../testing/servers.ts'
import { openRedis, type RedisEngines, RedisRefused } from './open.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A way to a server that can be cut, so that both ends are there and hear nothing of each other. */
const wayTo = async (url: string) => {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  }
  const server = createServer((socket) => {
    keep(socket)
    if (isCut) {
      socket.destroy()
      return
    }
    const on = connect(Number(target.port), target.hostname)
    keep(on)
    socket.pipe(on).pipe(socket)
    socket.once('close', () => on.destroy())
    on.once('close', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port')
  const way = new URL(url)
  way.host = `127.0.0.1:${address.port}`
  return {
    url: way.href,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend: () => {
      isCut = false
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

await describeOnServers('Redis', ['redis'], ({ redis }) => {
  rateLimitsContract('Redis', async () => {
    const engines = await openRedis({ url: redis.url, namespace: randomUUID(), log: silent })
    return { rateLimits: engines.rateLimits, close: engines.close }
  })

  jobQueueContract('BullMQ', async () => {
    const namespace = randomUUID()
    const ends: (() => Promise<void>)[] = []
    return {
      open: async () => {
        const way = await wayTo(redis.url)
        const engines = await openRedis({ url: way.url, namespace, log: silent, lockedMs: 1_500 })
        ends.push(async () => {
          await engines.close()
          way.close()
        })
        return { jobs: engines.jobs, kill: async () => way.cut() }
      },
      clear: async () => {
        await Promise.all(ends.map((end) => end()))
      },
    }
  })

  describe('a server that goes away', () => {
    let way: Awaited<ReturnType<typeof wayTo>>
    let engines: RedisEngines
    beforeAll(async () => {
      way = await wayTo(redis.url)
      engines = await openRedis({ url: way.url, namespace: randomUUID(), log: silent })
    })
    afterAll(async () => {
      await engines.close()
      way.close()
    })
    const limit = { name: 'l', points: 5, windowMs: 60_000 }

    it('is said in words while it is away, and is used again by itself when it is back (decisions 79)', async () => {
      const done: string[] = []
      const nothing = { run: async () => undefined, backoff: () => null }
      await engines.jobs.work({
        'process-image': { run: async (_, { id }) => void done.push(id), backoff: () => 10 },
        'copy-artwork-picture': nothing,
        'copy-journal-pictures': nothing,
        'sync-blog': nothing,
        'mail-enquiry': nothing,
      })
      way.cut()
      const job = { id: 'process-image-a', name: 'process-image', data: { hash: 'a' } } as const
      await expect(engines.jobs.enqueue([job])).rejects.toBeInstanceOf(EngineAway)
      await expect(engines.jobs.list()).rejects.toThrow('The job queue does not answer')
      await expect(engines.rateLimits.hit(limit, 'a')).rejects.toBeInstanceOf(EngineAway)
      way.mend()
      await vi.waitFor(() => engines.jobs.enqueue([job]), { timeout: 20_000, interval: 50 })
      await vi.waitFor(() => expect(done).toEqual(['process-image-a']), { timeout: 20_000, interval: 50 })
      expect(await engines.rateLimits.check(limit, 'a')).toMatchObject({ allowed: true })
    })
  })

  it('is waited for when it is away at the start', async () => {
    const way = await wayTo(redis.url)
    way.cut()
    const engines = await openRedis({ url: way.url, namespace: randomUUID(), log: silent })
    await expect(engines.jobs.list()).rejects.toBeInstanceOf(EngineAway)
    way.mend()
    await vi.waitFor(async () => expect(await engines.jobs.list()).toEqual([]), {
      timeout: 20_000,
      interval: 50,
    })
    await engines.close()
    way.close()
  })

  it('keeps sites of different names apart', async () => {
    const [one, other] = await Promise.all(
      ['', randomUUID()].map((namespace) => openRedis({ url: redis.url, namespace, log: silent })),
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
    const opening = openRedis({ url: url.href, namespace: '', log: silent })
    await expect(opening).rejects.toBeInstanceOf(RedisRefused)
    await expect(opening).rejects.not.toThrow('not-the-word')
  })
})
