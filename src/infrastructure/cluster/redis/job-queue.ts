import { randomUUID } from 'node:crypto'
import { type Job, Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { type JobName, jobNames } from '#application/job-data.ts'
import { rarely } from '#application/kernel/rarely.ts'
import { retry } from '#application/kernel/retry.ts'
import { doneOnce, shareWork } from '#application/kernel/sharing.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import {
  doneKeptMs,
  type JobQueue,
  mostOver,
  type NewJob,
  setRightEveryMs,
} from '#application/kernel/ports/job-queue.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import { beginning, everyState, handlersOf, letEnd, oncePerTurn } from '../../job-runs.ts'
import { asked, connectionTo, retryingOptions } from './connection.ts'
import { formerlyParked, scoreUntil, stateOf, timeOfScore, viewOf, viewsIn } from './job-views.ts'
import { forgivenField, lifeKeyOf, noteWith, openJobWorkers, waitedField } from './job-workers.ts'

/** A job whose worker did not renew its lock for so long is run again by another, in ms. */
const lockedMs = 15_000
/** Before jobs that were left are looked at again, in ms. */
const lookAgain = { firstMs: 5_000, longestMs: 5_000 }
/** Moves the note of how far the log is queued; 0 where it stands before what was queued until now. */
const moveNote = `
  local note = redis.call('get', KEYS[1])
  if not note then return 1 end
  if note < ARGV[1] then return 0 end
  if note < ARGV[2] then redis.call('set', KEYS[1], ARGV[2]) end
  return 1`

/** The places that a job may stand in: by time or number, and one after the other. */
const [sorted, listed] = [
  ['completed', 'failed', 'delayed', 'prioritized'],
  ['wait', 'active', 'paused'],
] as const
/** Of these jobs forgets those that stand in no place: a server that may throw things away has kept their records alone. */
const dropAstray = `
  for n, id in ipairs(ARGV) do
    local record = KEYS[${sorted.length + listed.length} + n]
    local stands = redis.call('exists', record) == 0
    for place = 1, ${sorted.length} do stands = stands or redis.call('zscore', KEYS[place], id) end
    for place = ${sorted.length} + 1, ${sorted.length + listed.length} do stands = stands or redis.call('lpos', KEYS[place], id) end
    if not stands then redis.call('del', record) end
  end`

/** A queue for each kind, so that each is worked on by itself. */
type Queues = ReadonlyMap<JobName, Queue>
/** Asks something of the queues of all kinds. @throws {EngineAway} */
type Ask = <Answer>(question: (all: Queues) => Promise<Answer>) => Promise<Answer>

/** The queues are made when the server answers, and anew when it did not to the end: such a one would never work. */
const openQueues = (client: Redis, prefix: string, looksOnly: boolean): Ask => {
  const queues = doneOnce(async (): Promise<Queues> => {
    const made = new Map(
      jobNames.map((kind) => {
        const options = { connection: client, prefix, skipMetasUpdate: looksOnly }
        return [kind, new Queue(kind, options)] as const
      }),
    )
    // Whoever asks hears of what goes wrong.
    for (const queue of made.values()) queue.on('error', () => undefined)
    await Promise.all([...made.values()].map((queue) => queue.waitUntilReady()))
    return made
  })
  return (question) =>
    asked(async () => {
      if (client.status !== 'ready') throw new Error(`The connection is ${client.status}`)
      return question(await queues())
    })
}

/** What the queue knows of itself. */
const openMemory = (client: Redis, prefix: string): Pick<JobQueue, 'memory' | 'begin' | 'reached'> => {
  const [lifeKey, noteKey] = [lifeKeyOf(prefix), `${prefix}:queued`] as const
  return {
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
  }
}

/** Tells all processes that jobs stand otherwise. A notice that is lost is no loss: nobody relies on it. */
const openNews = (url: string, client: Redis, prefix: string, log: Logger) => {
  const news = `${prefix}:jobs`
  const listeners = new Set<() => void>()
  let listening: Redis | null = null
  let isClosed = false
  const tell = oncePerTurn(() => {
    if (!isClosed) for (const listener of listeners) listener()
  })
  const listen = (): Redis => {
    const connection = connectionTo(url, retryingOptions, log, 'listening for changes of jobs')
    connection.on('message', tell)
    // What happened before, or while the server was away, was not heard.
    connection.on('ready', () => void connection.subscribe(news).then(tell, () => undefined))
    return connection
  }
  return {
    changed: (): void => {
      if (client.status === 'ready') client.publish(news, '').catch(() => undefined)
    },
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener)
      if (!isClosed) listening ??= listen()
      return () => listeners.delete(listener)
    },
    close: (): void => {
      isClosed = true
      listening?.disconnect()
    },
  }
}

const add = async (client: Redis, all: Queues, jobs: readonly NewJob[], most: number): Promise<void> => {
  for (const [kind, queue] of all) {
    const ofKind = jobs.filter(({ name }) => name === kind)
    if (ofKind.length === 0) continue
    const ids = ofKind.map(({ id }) => id)
    // They would stand in the way of the same jobs for ever.
    const keys = [...sorted, ...listed, ...ids].map((name) => queue.toKey(name))
    await client.eval(dropAstray, keys.length, ...keys, ...ids)
    await queue.addBulk(
      ofKind.map(({ id, name, data }) => ({
        name,
        data,
        opts: {
          jobId: id,
          // The handler says when it is enough.
          attempts: Number.MAX_SAFE_INTEGER,
          backoff: { type: 'custom' },
          removeOnComplete: { age: doneKeptMs / 1_000, count: most },
          removeOnFail: { count: most },
          stackTraceLimit: 0,
        },
      })),
    )
  }
}

/** Jobs wait again that earlier versions parked because their process had ended. */
const revive = async (all: Queues): Promise<void> => {
  for (const queue of all.values())
    for (const job of await queue.getFailed())
      if (job.failedReason === formerlyParked) await job.retry('failed')
}

/** Whatever its clock said of the one that is done, as BullMQ asks for an age; in ms. */
const whenever = -100 * 365 * 24 * 60 * 60 * 1_000

/** A question for each kind: thousands that are done take a second. */
const forgetDone = async (ask: Ask): Promise<void> => {
  for (const kind of jobNames) await ask(async (all) => all.get(kind)?.clean(whenever, 0, 'completed'))
}

/** Lets no job wait longer from now on than it was to. */
const setRight = async (client: Redis, all: Queues): Promise<void> => {
  for (const queue of all.values()) {
    const now = Date.now()
    const later = await client.zrangebyscore(queue.toKey('delayed'), scoreUntil(now), '+inf', 'WITHSCORES')
    for (let n = 0; n < later.length; n += 2) {
      const [id = '', score = null] = later.slice(n, n + 2)
      const wait = Number(await client.hget(queue.toKey(id), 'delay'))
      if ((timeOfScore(score) ?? now) <= now + wait) continue
      const job: Job | undefined = await queue.getJob(id)
      await job?.changeDelay(wait)
    }
  }
}

/** Lets a parked job wait again, and a waiting one no longer. False when there is none of that id. */
const tryAgain = async (client: Redis, all: Queues, id: string): Promise<boolean> => {
  for (const queue of all.values()) {
    const job: Job | undefined = await queue.getJob(id)
    if (!job) continue
    if (await job.isDelayed()) {
      await job.promote()
      return true
    }
    if (!(await job.isFailed())) return stateOf(await job.getState()) === 'waiting'
    await job.updateData({ ...job.data, again: true })
    // Who asks for it waits for no process that ended before.
    const times = job.stalledCounter
    await noteWith(client, queue.toKey(id), { [waitedField]: times, [forgivenField]: times })
    await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })
    return true
  }
  return false
}

const openJobs = async (all: Queues): Promise<Readonly<Partial<Record<JobName, number>>>> => {
  const counts = [...all].map(async ([kind, queue]) => {
    const places = await queue.getJobCounts('wait', 'delayed', 'prioritized', 'active')
    return [kind, Object.values(places).reduce((sum, count) => sum + count, 0)] as const
  })
  return Object.fromEntries((await Promise.all(counts)).filter(([, count]) => count > 0))
}

/**
 * Background work on Redis, shared by all processes (BullMQ). What the server acknowledged is kept; a job that
 * a killed process had begun is run again once its lock has run out.
 * @param options.client for what somebody waits for; closed by its owner
 * @param options.prefix begins every key
 * @param options.lockedMs how soon a job of a killed process is run again; 15 s unless told
 * @param options.looksOnly whether nothing is to be made there, as beside a server that runs; absent: no
 * @param options.mostOver so many jobs of a kind that are over, done or parked, are remembered of each; 5,000 unless told
 * @param options.setRightMs how often the times of waiting jobs are looked at by the clock
 */
export const openJobQueue = (options: {
  readonly url: string
  readonly client: Redis
  readonly prefix: string
  readonly log: Logger
  readonly lockedMs?: number
  readonly looksOnly?: boolean
  readonly mostOver?: number
  readonly setRightMs?: number
}): JobQueue => {
  const { url, client, prefix, log } = options
  const closing = new AbortController()
  const stopping = new AbortController()
  const ask = openQueues(client, prefix, options.looksOnly ?? false)
  const { changed, onChange, close } = openNews(url, client, prefix, log)
  const workers = openJobWorkers({
    client,
    prefix,
    log,
    lockedMs: options.lockedMs ?? lockedMs,
    stopping: stopping.signal,
    changed,
  })
  let working: Redis | null = null
  let looks: NodeJS.Timeout | undefined

  const troubles = rarely(log)
  const looking = shareWork<void>()
  /** As soon as the server answers; nobody waits for it, it ends with the queue, and one look for the same goes on at a time. */
  const look = (what: string, question: (all: Queues) => Promise<void>): void =>
    void looking(what, () =>
      retry(() => ask(question), {
        ...lookAgain,
        signal: closing.signal,
        onFailure: (err) =>
          troubles.wrong('look', { err }, 'Jobs that were left cannot be looked at yet; trying again'),
      }),
    ).then(
      () => {
        troubles.right('Jobs that were left are looked at again')
        changed()
      },
      () => undefined,
    )
  const setRightAgain = (): void => look('wrong', (all) => setRight(client, all))

  return {
    ...openMemory(client, prefix),
    enqueue: async (jobs) => {
      if (jobs.length === 0) return
      await ask((all) => add(client, all, jobs, options.mostOver ?? mostOver))
      changed()
    },
    work: async (given) => {
      const connection = connectionTo(url, retryingOptions, log, 'working on jobs')
      working = connection
      for (const [kind, handler] of handlersOf(given)) workers.start(kind, handler, connection)
      look('left', revive)
      setRightAgain()
      clearInterval(looks)
      looks = setInterval(setRightAgain, options.setRightMs ?? setRightEveryMs).unref()
    },
    open: () => ask(openJobs),
    find: (id) =>
      ask(async (all) => {
        const views = await Promise.all([...all].map(([kind, queue]) => viewOf(client, queue, kind, id)))
        return views.find((view) => view !== null) ?? null
      }),
    list: async ({ states = everyState, limit = 100, ofEachKind = false } = {}) => {
      const found = await ask((all) =>
        Promise.all([...all].map(([kind, queue]) => viewsIn(client, queue, kind, states, limit))),
      )
      const newest = (all: (typeof found)[number]) => all.toSorted((a, b) => b.madeAt - a.madeAt)
      const jobs = ofEachKind
        ? newest(found.flatMap((kind) => newest(kind).slice(0, limit)))
        : newest(found.flat()).slice(0, limit)
      return jobs.map(({ view }) => view)
    },
    retry: async (id) => {
      const isThere = await ask((all) => tryAgain(client, all, id))
      if (isThere) changed()
      return isThere
    },
    forgetDone: async () => {
      await forgetDone(ask)
      changed()
    },
    onChange,
    close: async (graceMs) => {
      if (closing.signal.aborted) return
      closing.abort()
      clearInterval(looks)
      await letEnd(workers.end(), graceMs, stopping)
      close()
      working?.disconnect()
    },
  }
}
