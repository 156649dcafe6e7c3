import type { Logger } from '#application/kernel/ports/logger.ts'
import { within } from '#application/kernel/within.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Job, Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Position } from '#application/kernel/ports/event-store.ts'
import {
  longerThanAnyWait,
  type JobHandlers,
  type JobName,
  type JobQueue,
  type JobState,
  type NewJob,
} from '#application/kernel/ports/job-queue.ts'
import { asked, connectionTo, patientOptions } from './connection.ts'
import { type AnyHandler, openJobWorkers, waitedField } from './job-workers.ts'
import { formerlyParked, scoreUntil, viewOf, viewsIn } from './job-views.ts'

/** Done jobs are remembered so long, in seconds: the same id sent again is not done again. */
const keptSeconds = 7 * 24 * 60 * 60
/** A job whose worker did not renew its lock for so long is run again by another, in ms. */
const lockedMs = 15_000
const lookEveryMs = 30
/** How long aborted handlers have to end, in ms. */
const lastWordsMs = 1_000
const againAfterMs = 5_000
/** Of the log, before its first event: sorts before every place in it. */
const beginning = ''
/** Moves the note of how far the log is queued; 0 where it stands before what was queued until now. */
const moveNote = `
  local note = redis.call('get', KEYS[1])
  if not note then return 1 end
  if note < ARGV[1] then return 0 end
  if note < ARGV[2] then redis.call('set', KEYS[1], ARGV[2]) end
  return 1`

const everyState: readonly JobState[] = ['waiting', 'running', 'done', 'parked']
/** A queue for each kind, so that each is worked on by itself. */
const kinds = Object.keys({
  'process-image': 0,
  'copy-artwork-picture': 0,
  'copy-journal-pictures': 0,
  'sync-blog': 0,
  'mail-enquiry': 0,
} satisfies Record<JobName, 0>) as readonly JobName[] // the keys are exactly the names

/**
 * Background work on Redis, shared by all processes (BullMQ). What the server acknowledged is kept; a job that
 * a killed process had begun is run again once its lock has run out.
 * @param options.client for what somebody waits for; closed by its owner
 * @param options.prefix begins every key
 * @param options.lockedMs how soon a job of a killed process is run again; 15 s unless told
 */
export const openJobQueue = (options: {
  readonly url: string
  readonly client: Redis
  readonly prefix: string
  readonly log: Logger
  readonly lockedMs?: number
}): JobQueue => {
  const { url, client, prefix, log } = options
  const news = `${prefix}:jobs`
  const lifeKey = `${prefix}:life`
  const noteKey = `${prefix}:queued`
  const listeners = new Set<() => void>()
  const stopping = new AbortController()
  let queues: Promise<ReadonlyMap<JobName, Queue>> | null = null
  let working: Redis | null = null
  let listening: Redis | null = null
  let closing = false
  let closed = false
  let told = true

  const openQueues = async (): Promise<ReadonlyMap<JobName, Queue>> => {
    const made = new Map(
      kinds.map((kind) => [kind, new Queue(kind, { connection: client, prefix })] as const),
    )
    // Whoever asks hears of what goes wrong.
    for (const queue of made.values()) queue.on('error', () => undefined)
    await Promise.all([...made.values()].map((queue) => queue.waitUntilReady()))
    return made
  }
  /** Made when the server answers, and anew when it did not to the end: such a queue would never work. */
  const open = (): Promise<ReadonlyMap<JobName, Queue>> => {
    queues ??= openQueues().catch((error: unknown) => {
      queues = null
      throw error
    })
    return queues
  }

  const ask = <Answer>(question: (all: ReadonlyMap<JobName, Queue>) => Promise<Answer>): Promise<Answer> =>
    asked(async () => {
      if (client.status !== 'ready') throw new Error(`The connection is ${client.status}`)
      return question(await open())
    })

  const tell = (): void => {
    if (!told || closed) return
    told = false
    setImmediate(() => {
      told = true
      for (const listener of listeners) listener()
    })
  }

  /** Tells all processes. A notice that is lost is no loss: nobody relies on it. */
  const changed = (): void => {
    if (client.status === 'ready') client.publish(news, '').catch(() => undefined)
  }

  const workers = openJobWorkers({
    client,
    prefix,
    log,
    lockedMs: options.lockedMs ?? lockedMs,
    stopping: stopping.signal,
    changed,
  })

  const listen = (): void => {
    if (listening !== null || closing) return
    listening = connectionTo(url, patientOptions, log, 'listening for changes of jobs')
    listening.on('message', tell)
    // What happened before, or while the server was away, was not heard.
    listening.on('ready', () => {
      listening?.subscribe(news).then(tell, () => undefined)
    })
  }

  const add = async (all: ReadonlyMap<JobName, Queue>, jobs: readonly NewJob[]): Promise<void> => {
    for (const [kind, queue] of all) {
      const ofKind = jobs.filter(({ name }) => name === kind)
      if (ofKind.length === 0) continue
      await queue.addBulk(
        ofKind.map(({ id, name, data }) => ({
          name,
          data,
          opts: {
            jobId: id,
            // The handler says when it is enough.
            attempts: Number.MAX_SAFE_INTEGER,
            backoff: { type: 'custom' },
            removeOnComplete: { age: keptSeconds },
            removeOnFail: false,
            stackTraceLimit: 0,
          },
        })),
      )
    }
  }

  /** Jobs wait again that earlier versions parked because their process had ended, or have waited for too long. */
  const revive = (): Promise<void> =>
    ask(async (all) => {
      for (const queue of all.values()) {
        for (const job of await queue.getFailed())
          if (job.failedReason === formerlyParked) await job.retry('failed')
        const soonest = scoreUntil(Date.now() + longerThanAnyWait)
        for (const id of await client.zrangebyscore(queue.toKey('delayed'), soonest, '+inf')) {
          const job: Job | undefined = await queue.getJob(id)
          await job?.promote()
        }
      }
      changed()
    })

  /** The same as soon as the server answers; nobody waits for it. */
  const reviveInTime = async (): Promise<void> => {
    while (!closing) {
      try {
        return await revive()
      } catch (error) {
        if (closing) return
        log.warn({ err: error }, 'Jobs that were left cannot be looked at yet; trying again')
        await pause(againAfterMs, undefined, { ref: false })
      }
    }
  }

  const isBusy = (all: ReadonlyMap<JobName, Queue>): Promise<boolean> =>
    Promise.all(
      [...all.values()].map(async (queue) => {
        const [due, counts] = await Promise.all([
          client.zcount(queue.toKey('delayed'), '-inf', scoreUntil(Date.now())),
          queue.getJobCounts('wait', 'active', 'prioritized'),
        ])
        return due > 0 || Object.values(counts).some((count) => count > 0)
      }),
    ).then((busy) => busy.includes(true))

  return {
    enqueue: async (jobs) => {
      if (jobs.length === 0) return
      await ask((all) => add(all, jobs))
      changed()
    },
    work: async (given: JobHandlers) => {
      working = connectionTo(url, patientOptions, log, 'working on jobs')
      const connection = working
      // The rows of a kind hold the data of that kind, which the compiler cannot follow through the table.
      for (const [kind, handler] of Object.entries(given) as unknown as [JobName, AnyHandler][])
        workers.start(kind, handler, connection)
      void reviveInTime()
    },
    memory: () =>
      asked(async () => {
        const [life = null, note = null] = await client.mget(lifeKey, noteKey)
        if (life === null) return null
        const position = note === beginning ? null : (note as Position | null) // as `begin` or `reached` wrote it
        return { life, queued: note === null ? null : { position } }
      }),
    begin: (queued) =>
      asked(async () => {
        const life = randomUUID()
        await client.mset(lifeKey, life, noteKey, queued ?? beginning)
        return life
      }),
    reached: (from, to) =>
      asked(async () => (await client.eval(moveNote, 1, noteKey, from ?? beginning, to)) === 1),
    find: (id) =>
      ask(async (all) => {
        const views = await Promise.all([...all].map(([kind, queue]) => viewOf(client, queue, kind, id)))
        return views.find((view) => view !== null) ?? null
      }),
    list: async (filter) => {
      const limit = filter?.limit ?? 100
      const states = filter?.states ?? everyState
      const found = await ask((all) =>
        Promise.all([...all].map(([kind, queue]) => viewsIn(client, queue, kind, states, limit))),
      )
      return found
        .flat()
        .toSorted((a, b) => b.madeAt - a.madeAt)
        .slice(0, limit)
        .map(({ view }) => view)
    },
    retry: (id) =>
      ask(async (all) => {
        for (const queue of all.values()) {
          const job: Job | undefined = await queue.getJob(id)
          if (!job || !(await job.isFailed())) continue
          await job.updateData({ ...job.data, again: true })
          // Who asks for it waits for no process that ended before.
          await client.hset(queue.toKey(id), waitedField, job.stalledCounter)
          await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })
          changed()
          return true
        }
        return false
      }),
    idle: async () => {
      while (await ask(isBusy)) await pause(lookEveryMs)
      tell()
    },
    onChange: (listener) => {
      listeners.add(listener)
      listen()
      return () => listeners.delete(listener)
    },
    close: async (graceMs) => {
      if (closed) return
      closing = true
      const ended = workers.end()
      await within(ended, graceMs, () => undefined)
      stopping.abort(new Error('The server is stopping'))
      await within(ended, lastWordsMs, () => undefined)
      closed = true
      working?.disconnect()
      listening?.disconnect()
    },
  }
}
