import { randomUUID } from 'node:crypto'
import { Job, Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import type { JobHandlers } from '#application/kernel/ports/job-queue.ts'
import { untilIdle } from '#application/testing/until-idle.ts'
import { jobQueueContract } from '../../testing/contracts/job-queue.contract.ts'
import { rateLimitsContract } from '../../testing/contracts/rate-limits.contract.ts'
import { type Door, doorTo } from '../testing/door.ts'
import { describeOnServers } from '../testing/servers.ts'
import { askingOptions, connectionTo } from './connection.ts'
import { openJobQueue } from './job-queue.ts'
import { Refused } from '../refused.ts'
import { openRedis, type RedisEngines } from './open.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
/** Of a server that is there: longer than a busy machine stands still. */
const answerMs = 4_000

await describeOnServers('Redis', ['redis'], ({ redis }) => {
  rateLimitsContract('Redis', async () => {
    const engines = await openRedis({ url: redis.url, namespace: randomUUID(), log: silent, answerMs })
    return { rateLimits: engines.rateLimits, close: engines.close }
  })

  it('keeps nothing of a count that was given back', async () => {
    const namespace = randomUUID()
    const engines = await openRedis({ url: redis.url, namespace, log: silent, answerMs })
    const client = new Redis(redis.url)
    try {
      const limit = { name: 'login', points: 2, windowMs: 60_000 }
      const kept = () => client.keys(`*${namespace}*:limits:*`)
      await engines.rateLimits.hit(limit, 'a')
      expect(await kept()).toHaveLength(1)
      await engines.rateLimits.giveBack(limit.name, 'a')
      expect(await kept()).toEqual([])
    } finally {
      client.disconnect()
      await engines.close()
    }
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
  /** Handlers that note which images they were given. */
  const handlers = (done: string[]): JobHandlers => ({
    'process-image': { run: async (_, { id }) => void done.push(id), backoff: () => 10 },
    'process-journal-image': nothing,
    'copy-artwork-picture': nothing,
    'copy-journal-pictures': nothing,
    'sync-blog': nothing,
    'mail-enquiry': nothing,
  })
  const job = { id: 'process-image-a', name: 'process-image', data: { hash: 'a' } } as const

  it('remembers of the done jobs of a kind only the newest, however many there were', async () => {
    const client = new Redis(redis.url, { maxRetriesPerRequest: null })
    const jobs = openJobQueue({ url: redis.url, client, prefix: randomUUID(), log: silent, mostOver: 2 })
    const done: string[] = []
    try {
      await client.ping()
      await jobs.work(handlers(done))
      for (const id of ['a', 'b', 'c', 'd']) {
        await jobs.enqueue([{ ...job, id }])
        await untilIdle(jobs)
      }
      expect(done).toEqual(['a', 'b', 'c', 'd'])
      const found = await Promise.all(done.map((id) => jobs.find(id)))
      expect(found.map((each) => each?.state ?? null)).toEqual([null, null, 'done', 'done'])
    } finally {
      await jobs.close(0)
      client.disconnect()
    }
  })

  describe('a job that comes from processes which ended', () => {
    const client = () => new Redis(redis.url, { maxRetriesPerRequest: null })
    const open = async (connection: Redis, log: Logger = silent) => {
      await connection.ping()
      const prefix = randomUUID()
      const jobs = openJobQueue({ url: redis.url, client: connection, prefix, log })
      await jobs.enqueue([job])
      const interrupt = (times: number) => connection.hset(`${prefix}:process-image:${job.id}`, 'stc', times)
      return { jobs, interrupt }
    }
    const isDone = (jobs: Awaited<ReturnType<typeof open>>['jobs']) =>
      vi.waitFor(async () => expect(await jobs.find(job.id)).toMatchObject({ state: 'done' }), {
        timeout: 60_000,
      })
    const image = (handler: JobHandlers['process-image']) => ({ ...handlers([]), 'process-image': handler })

    it('is not parked at the next one once somebody had it tried again', async () => {
      const connection = client()
      const { jobs, interrupt } = await open(connection)
      const asked: number[] = []
      const runs: number[] = []
      try {
        await interrupt(29)
        await jobs.work(
          image({
            run: async (_, { attempt }) => {
              if (runs.push(attempt) > 1) return
              await interrupt(30)
              throw new Error('tried once more')
            },
            backoff: () => 1,
            afterInterruption: (times) => {
              asked.push(times)
              return times > 28 ? null : 1
            },
          }),
        )
        await vi.waitFor(async () => expect(await jobs.find(job.id)).toMatchObject({ state: 'parked' }), {
          timeout: 60_000,
        })
        expect(await jobs.retry(job.id)).toBe(true)
        await isDone(jobs)
        expect(asked).toEqual([29, 1])
      } finally {
        await jobs.close(0)
        connection.disconnect()
      }
    })

    it('counts no try where Redis cannot say how often it has waited, and tells of it rarely', async () => {
      const connection = client()
      const told: string[] = []
      const warn = (_: object, words: string): void => void told.push(words)
      const { jobs, interrupt } = await open(connection, { ...silent, warn })
      const attempts: number[] = []
      try {
        await interrupt(1)
        for (const name of ['hget', 'hmget'] as const)
          vi.spyOn(connection, name)
            .mockRejectedValueOnce(new Error('Connection is closed.'))
            .mockRejectedValueOnce(new Error('Connection is closed.'))
        await jobs.work(
          image({
            run: async (_, { attempt }) => void attempts.push(attempt),
            backoff: () => null,
            afterInterruption: () => 1,
          }),
        )
        const putOff = async () => {
          const found = await jobs.find(job.id)
          expect(found).toMatchObject({ state: 'waiting', attempts: 0 })
          expect(Date.parse(found?.runAt ?? '')).toBeGreaterThan(Date.now() + 30_000)
        }
        for (let time = 0; time < 2; time += 1) {
          await vi.waitFor(putOff, { timeout: 60_000 })
          expect(await jobs.retry(job.id)).toBe(true)
        }
        await isDone(jobs)
        expect(attempts).toEqual([1])
        expect(told).toEqual(['A job waits until it can be told how often it has waited'])
      } finally {
        vi.restoreAllMocks()
        await jobs.close(0)
        connection.disconnect()
      }
    })
  })

  it('counts an outage as no try where Redis is away for a moment as well', async () => {
    const connection = new Redis(redis.url, { maxRetriesPerRequest: null })
    await connection.ping()
    const jobs = openJobQueue({ url: redis.url, client: connection, prefix: randomUUID(), log: silent })
    const attempts: number[] = []
    try {
      await jobs.enqueue([job])
      await jobs.work({
        ...handlers([]),
        [job.name]: {
          run: async (_: object, { attempt }: { readonly attempt: number }) => {
            if (attempts.push(attempt) > 1) return
            vi.spyOn(connection, 'eval').mockRejectedValueOnce(new Error('Connection is closed.'))
            throw new EngineAway('mongodb', 'MongoDB does not answer')
          },
          backoff: () => null,
        },
      })
      await vi.waitFor(async () => expect(await jobs.find(job.id)).toMatchObject({ state: 'done' }), {
        timeout: 30_000,
      })
      expect(attempts).toEqual([1, 1])
    } finally {
      vi.restoreAllMocks()
      await jobs.close(0)
      connection.disconnect()
    }
  })

  it('tells other processes, who listen without complaint while nothing is said', async () => {
    const namespace = randomUUID()
    const complaints: string[] = []
    const log = { ...silent, warn: (_: object, words: string) => void complaints.push(words) }
    const open = () => openRedis({ url: redis.url, namespace, log, answerMs })
    const [here, there] = await Promise.all([open(), open()])
    try {
      const heard: string[] = []
      there.announcements.onAnnounced((words) => heard.push(words))
      // What is said before the other listens is lost.
      const said = () => {
        here.announcements.announce('artworks')
        return heard
      }
      await expect.poll(said).toContain('artworks')
      expect(complaints).toEqual([])
    } finally {
      await Promise.all([here.close(), there.close()])
    }
  })

  it('remembers nothing once it was emptied, and no place of what an earlier version began', async () => {
    const namespace = randomUUID()
    const engines = await openRedis({ url: redis.url, namespace, log: silent, answerMs })
    const client = new Redis(redis.url)
    try {
      await engines.jobs.begin(null)
      await engines.jobs.enqueue([job])
      await client.del(...(await client.keys(`${namespace}*`)))
      expect(await engines.jobs.find(job.id)).toBeNull()
      expect(await engines.jobs.memory()).toBeNull()
      await client.set(`${namespace}:atelier:life`, 'a word')
      expect(await engines.jobs.memory()).toEqual({ life: 'a word', queued: null })
    } finally {
      client.disconnect()
      await engines.close()
    }
  })

  it('takes a job whose record was thrown away for none that is done, and knows that jobs are lost', async () => {
    const namespace = randomUUID()
    const engines = await openRedis({ url: redis.url, namespace, log: silent, answerMs })
    const client = new Redis(redis.url)
    const { jobs } = engines
    try {
      await jobs.begin(null)
      await jobs.enqueue([job])
      // As a server does whose memory is full and that may.
      expect(await client.del(`${namespace}:atelier:${job.name}:${job.id}`)).toBe(1)
      const taken: object[] = []
      await jobs.work({
        ...handlers([]),
        [job.name]: { run: async (data: object) => void taken.push(data), backoff: () => null },
      })
      await vi.waitFor(async () => expect(await jobs.memory()).toBeNull(), { timeout: 60_000 })
      await vi.waitFor(async () => expect(await jobs.find(job.id)).toBeNull(), { timeout: 60_000 })
      expect(taken).toEqual([])
      // Queued anew it is done.
      await jobs.enqueue([job])
      await vi.waitFor(() => expect(taken).toEqual([job.data]), { timeout: 60_000 })
    } finally {
      client.disconnect()
      await engines.close()
    }
  })

  it('knows nothing of a job that stands in none of its places any more, and has it done when it is queued anew', async () => {
    const namespace = randomUUID()
    const engines = await openRedis({ url: redis.url, namespace, log: silent, answerMs })
    const client = new Redis(redis.url)
    const { jobs } = engines
    const other = { ...job, id: 'process-image-b' }
    try {
      await jobs.enqueue([job, other])
      // As a server does whose memory is full and that may.
      expect(await client.del(`${namespace}:atelier:${job.name}:wait`)).toBe(1)
      expect(await Promise.all([jobs.find(job.id), jobs.find(other.id)])).toEqual([null, null])
      // What stands there is not queued twice.
      await jobs.enqueue([job])
      await jobs.enqueue([job, other])
      expect((await jobs.list()).map(({ id }) => id).toSorted()).toEqual([job.id, other.id])
      const done: string[] = []
      await jobs.work(handlers(done))
      await vi.waitFor(() => expect(done.toSorted()).toEqual([job.id, other.id]), { timeout: 60_000 })
    } finally {
      client.disconnect()
      await engines.close()
    }
  })

  it('has a job done that is queued anew after the server was emptied under its run, which then met an outage', async () => {
    const namespace = randomUUID()
    const engines = await openRedis({ url: redis.url, namespace, log: silent, answerMs })
    const client = new Redis(redis.url)
    const { jobs } = engines
    const emptied = Promise.withResolvers<void>()
    const runs: number[] = []
    const ofJob = () => client.keys(`${namespace}*:${job.id}`)
    try {
      await jobs.enqueue([job])
      await jobs.work({
        ...handlers([]),
        [job.name]: {
          run: async () => {
            if (runs.push(1) > 1) return
            await emptied.promise
            throw new EngineAway('mongodb', 'MongoDB does not answer')
          },
          backoff: () => null,
        },
      })
      await vi.waitFor(() => expect(runs).toHaveLength(1), { timeout: 60_000 })
      await client.del(...(await client.keys(`${namespace}*`)))
      const putOff = vi.spyOn(Job.prototype, 'moveToDelayed')
      emptied.resolve()
      await vi.waitFor(() => expect(putOff).toHaveBeenCalled(), { timeout: 60_000 })
      expect(await ofJob()).toEqual([])
      await jobs.enqueue([job])
      await vi.waitFor(() => expect(runs).toHaveLength(2), { timeout: 60_000 })
    } finally {
      vi.restoreAllMocks()
      client.disconnect()
      await engines.close()
    }
  })

  describe('jobs that an earlier version parked', () => {
    const namespace = randomUUID()
    const prefix = `${namespace}:atelier`
    let connection: Redis
    let engines: RedisEngines
    const kind = 'process-image'
    /** As that version added it. */
    const add = async (id: string): Promise<void> => {
      const queue = new Queue(kind, { connection, prefix })
      const attempts = Number.MAX_SAFE_INTEGER
      const kept = { removeOnComplete: { age: 604_800 }, removeOnFail: false, stackTraceLimit: 0 }
      await queue.add(kind, { hash: id }, { jobId: id, attempts, backoff: { type: 'custom' }, ...kept })
      await queue.close()
    }
    /** Works as that version did, until the job is parked. */
    const park = async (id: string, processor: () => Promise<void>): Promise<void> => {
      const failed = Promise.withResolvers<void>()
      const worker = new Worker(kind, processor, {
        connection: connection.duplicate(),
        prefix,
        lockDuration: 500,
        stalledInterval: 100,
        maxStalledCount: 0,
        settings: { backoffStrategy: () => -1 },
      })
      worker.on('failed', (job) => job?.id === id && failed.resolve())
      await failed.promise
      await worker.close(true)
    }
    beforeAll(async () => {
      connection = new Redis(redis.url, { maxRetriesPerRequest: null })
      // Its last try failed.
      await add('job-failed')
      await park('job-failed', async () => Promise.reject(new Error('The picture cannot be read')))
      // Its process ended once more than was allowed.
      await add('job-ended')
      const taken = Promise.withResolvers<void>()
      const killed = new Worker(
        kind,
        async () => {
          taken.resolve()
          await new Promise(() => undefined)
        },
        { connection: connection.duplicate(), prefix, lockDuration: 500 },
      )
      await taken.promise
      await killed.close(true)
      await park('job-ended', async () => undefined)
      // So often a job came back in that version; today it would wait for a minute after that.
      await connection.hset(`${prefix}:${kind}:job-ended`, 'stc', 3)
      engines = await openRedis({ url: redis.url, namespace, log: silent, answerMs })
    })
    afterAll(async () => {
      await engines.close()
      connection.disconnect()
    })

    it('are listed with their reasons, and done at once when somebody has them tried again', async () => {
      const { jobs } = engines
      const parked = await jobs.list({ states: ['parked'] })
      expect(Object.fromEntries(parked.map(({ id, reason }) => [id, reason]))).toEqual({
        'job-failed': 'The picture cannot be read',
        'job-ended': 'The server ended while this job was running',
      })
      for (const { id } of parked) expect(await jobs.retry(id)).toBe(true)
      const taken: object[] = []
      await jobs.work({
        ...handlers([]),
        [kind]: {
          run: async (data, { id, attempt, again }) => void taken.push({ id, attempt, again, data }),
          backoff: () => null,
        },
      })
      await vi.waitFor(() => expect(taken).toHaveLength(2), { timeout: 60_000, interval: 20 })
      const first = { attempt: 1, again: true }
      expect(taken).toEqual(
        expect.arrayContaining([
          { id: 'job-failed', ...first, data: { hash: 'job-failed' } },
          { id: 'job-ended', ...first, data: { hash: 'job-ended' } },
        ]),
      )
      await untilIdle(jobs)
      for (const id of ['job-ended', 'job-failed'])
        expect(await jobs.find(id)).toMatchObject({ state: 'done', reason: null })
    })
  })

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

    it('is said in words while it is away, and is used again by itself when it is back', async () => {
      const done: string[] = []
      await engines.jobs.work(handlers(done))
      await door.shut()
      await expect(engines.jobs.enqueue([job])).rejects.toBeInstanceOf(EngineAway)
      await expect(engines.jobs.list()).rejects.toThrow('The job queue does not answer')
      await expect(engines.rateLimits.hit(limit, 'a')).rejects.toBeInstanceOf(EngineAway)
      await door.open()
      await vi.waitFor(() => engines.jobs.enqueue([job]), { timeout: 60_000, interval: 50 })
      await vi.waitFor(() => expect(done).toEqual(['process-image-a']), { timeout: 60_000, interval: 50 })
      expect(await engines.rateLimits.hit(limit, 'a')).toMatchObject({ allowed: true })
    })
  })

  it('is asked on a new connection where the one that was there answers no more, and nobody says so', async () => {
    const door = await doorTo(redis.url)
    const engines = await openRedis({ url: door.url, namespace: randomUUID(), log: silent, answerMs: 1_000 })
    try {
      await engines.ping()
      door.forget()
      await expect(engines.ping()).rejects.toBeInstanceOf(EngineAway)
      await vi.waitFor(() => engines.ping(), { timeout: 60_000, interval: 500 })
      await expect(engines.jobs.enqueue([job])).resolves.toBeUndefined()
    } finally {
      await engines.close()
      await door.close()
    }
  })

  it('is asked on a new connection where another has taken its place, and it goes on as a replica of that', async () => {
    const door = await doorTo(redis.url)
    const engines = await openRedis({ url: door.url, namespace: randomUUID(), log: silent, answerMs })
    try {
      await engines.ping()
      door.demote("-READONLY You can't write against a read only replica.\r\n")
      await expect(engines.ping()).rejects.toThrow('READONLY')
      await vi.waitFor(() => engines.ping(), { timeout: 60_000, interval: 100 })
    } finally {
      await engines.close()
      await door.close()
    }
  })

  it('is waited for when it is away at the start', async () => {
    const door = await doorTo(redis.url)
    await door.shut()
    const engines = await openRedis({ url: door.url, namespace: randomUUID(), log: silent })
    await expect(engines.jobs.list()).rejects.toBeInstanceOf(EngineAway)
    const done: string[] = []
    await engines.jobs.work(handlers(done))
    await door.open()
    await vi.waitFor(() => engines.jobs.enqueue([job]), { timeout: 60_000, interval: 50 })
    await vi.waitFor(() => expect(done).toEqual([job.id]), { timeout: 60_000, interval: 50 })
    await engines.close()
    await door.close()
  })

  it('is looked at for jobs that were left by few at once while it is away, and told of once', async () => {
    const door = await doorTo(redis.url)
    const client = connectionTo(door.url, askingOptions(answerMs), silent, 'asking')
    const told: string[] = []
    const log = { ...silent, warn: (_: object, words: string) => void told.push(words) }
    const queue = openJobQueue({ url: door.url, client, prefix: randomUUID(), log, setRightMs: 20 })
    const looks = () => told.filter((words) => words.startsWith('Jobs that were left'))
    try {
      await door.shut()
      await queue.work(handlers([]))
      await expect.poll(looks).toHaveLength(1)
      // As long as each of the looks took.
      await expect(queue.list()).rejects.toBeInstanceOf(EngineAway)
      expect(looks()).toHaveLength(1)
    } finally {
      await queue.close(0)
      client.disconnect()
      await door.close()
    }
  })

  it('is not there for whoever cannot write on it: a replica, or one that is full', async () => {
    const client = new Redis(redis.url)
    const name = `reader-${randomUUID()}`
    await client.call('ACL', 'SETUSER', name, 'on', '>password', '~*', '&*', '+@all', '-set')
    const url = new URL(redis.url)
    url.username = name
    url.password = 'password'
    const engines = await openRedis({ url: url.href, namespace: randomUUID(), log: silent, answerMs })
    try {
      await expect(engines.ping()).rejects.toThrow('Redis says')
      await client.call('ACL', 'SETUSER', name, '+set')
      await engines.ping()
    } finally {
      await engines.close()
      await client.call('ACL', 'DELUSER', name)
      client.disconnect()
    }
  })

  it('that refuses all work for long is named once, not by each worker each time, and once when that is over', async () => {
    const client = new Redis(redis.url)
    const name = `refused-${randomUUID()}`
    await client.call('ACL', 'SETUSER', name, 'on', '>password', '~*', '&*', '+@all', '-evalsha', '-eval')
    const url = new URL(redis.url)
    url.username = name
    url.password = 'password'
    const told: string[] = []
    const tell = (_: object, words: string): void => void told.push(words)
    const log = { ...silent, info: tell, warn: tell }
    const engines = await openRedis({ url: url.href, namespace: randomUUID(), log, answerMs })
    const refusals = async () =>
      Number(/errorstat_NOPERM:count=(\d+)/.exec(await client.info('errorstats'))?.[1] ?? 0)
    try {
      const before = await refusals()
      await engines.jobs.work(handlers([]))
      await vi.waitFor(async () => expect(await refusals()).toBeGreaterThan(before + 20), {
        timeout: 60_000,
        interval: 50,
      })
      const words = () => told.filter((each) => each.startsWith('Working on jobs'))
      expect(words()).toEqual(['Working on jobs met an error and goes on'])
      await client.call('ACL', 'SETUSER', name, '+evalsha', '+eval')
      await vi.waitFor(() => expect(words()).toHaveLength(2), { timeout: 60_000, interval: 50 })
      expect(words()[1]).toBe('Working on jobs meets no error any more')
    } finally {
      await engines.close()
      await client.call('ACL', 'DELUSER', name)
      client.disconnect()
    }
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
    await expect(opening).rejects.toBeInstanceOf(Refused)
    await expect(opening).rejects.not.toThrow('not-the-word')
  })
})
