import type { Clock } from '#application/ports/clock.ts'
import type {
  JobContext,
  JobHandler,
  JobHandlers,
  JobName,
  JobQueue,
  JobState,
} from '#application/ports/job-queue.ts'
import { Unrecoverable } from '#application/ports/job-queue.ts'
import type { Database } from './database.ts'
import { jobRows } from './job-rows.ts'
import type { JobEnd, JobRow } from './job-rows.ts'

/** What the queue needs of a logger; pino fits. */
export interface JobLog {
  readonly info: (details: object, message: string) => void
  readonly warn: (details: object, message: string) => void
  readonly error: (details: object, message: string) => void
}

/** Done jobs are remembered so long, in ms: the same id sent again is not done again. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000
const SWEEP_EVERY_MS = 6 * 60 * 60 * 1_000
/** Longest wait of a timer; longer ones would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** How long aborted handlers have to end, in ms. */
const LAST_WORDS_MS = 1_000

const EVERY_STATE: readonly JobState[] = ['waiting', 'running', 'done', 'parked']

/** A handler of any kind, fed with the data that was stored for that kind. */
type AnyHandler = JobHandler<JobName>

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** How an attempt that threw goes on. */
const afterFailure = (handler: AnyHandler, failedAttempts: number, error: unknown, now: number): JobEnd => {
  const wait = error instanceof Unrecoverable ? null : handler.backoff(failedAttempts)
  return wait === null
    ? { state: 'parked', reason: words(error), at: now }
    : { state: 'waiting', reason: words(error), at: now + wait }
}

/** Background work inside the process; its rows survive it (decisions: jobs are at least once). */
export const openJobQueue = (database: Database, clock: Clock, log: JobLog): JobQueue => {
  const rows = jobRows(database)
  const listeners = new Set<() => void>()
  const idlers = new Set<() => void>()
  const stopping = new AbortController()
  const running = new Map<number, { readonly name: string; readonly end: Promise<void> }>()
  let handlers: ReadonlyMap<string, AnyHandler> = new Map()
  let timer: NodeJS.Timeout | undefined
  let sweeper: NodeJS.Timeout | undefined
  let told = true
  let closing = false
  let closed = false

  const now = (): number => clock.now().getTime()

  /** Tells everybody once, however much changed in this turn. */
  const changed = (): void => {
    if (!told) return
    told = false
    setImmediate(() => {
      told = true
      for (const listener of listeners) listener()
      if (!closed && idlers.size > 0 && !rows.isBusy(now())) {
        for (const idler of idlers) idler()
        idlers.clear()
      }
    })
  }

  const run = async (row: JobRow, handler: AnyHandler): Promise<void> => {
    const context: JobContext = {
      id: row.id,
      attempt: row.attempts + 1,
      signal: stopping.signal,
      progress: (done, total) => {
        if (closed) return
        rows.progress(row.seq, done, total)
        changed()
      },
    }
    let end: JobEnd
    try {
      await handler.run(JSON.parse(row.data), context)
      end = { state: 'done', at: now() }
    } catch (error) {
      if (closed) return
      if (stopping.signal.aborted) {
        rows.giveBack(row.seq, now())
        return
      }
      end = afterFailure(handler, context.attempt, error, now())
      const details = { job: row.name, id: row.id, attempt: context.attempt, err: error }
      if (end.state === 'parked') log.error(details, 'A job failed for good and is parked')
      else log.warn(details, 'A job failed and will be tried again')
    }
    // a handler that outlived the last moment: its row stays running and is found at the next start
    if (!closed) rows.end(row.seq, end)
  }

  const start = (row: JobRow, handler: AnyHandler): void => {
    // a handler that throws at once must fail its own attempt, not the taking of the others
    const end = Promise.resolve()
      .then(async () => run(row, handler))
      .catch((error: unknown) => {
        // the end of the attempt could not be written: the row stays running and is found at the next start
        log.error({ job: row.name, id: row.id, err: error }, 'The end of a job could not be written')
      })
      .finally(() => {
        running.delete(row.seq)
        changed()
        pump()
      })
    running.set(row.seq, { name: row.name, end })
  }

  const freeSlots = (name: string, handler: AnyHandler): number => {
    const busy = [...running.values()].filter((job) => job.name === name).length
    return Math.max(0, (handler.concurrency ?? 1) - busy)
  }

  /** Starts whatever may run now and sets the alarm for what comes next. */
  const pump = (): void => {
    if (stopping.signal.aborted || closing || handlers.size === 0) return
    try {
      for (const [name, handler] of handlers)
        for (const row of rows.take(name, freeSlots(name, handler), now())) {
          start(row, handler)
          changed()
        }
      const open = [...handlers]
        .filter(([name, handler]) => freeSlots(name, handler) > 0)
        .map(([name]) => name)
      const due = rows.nextDue(open)
      clearTimeout(timer)
      if (due === null) return
      timer = setTimeout(pump, Math.min(Math.max(1, due - now()), LONGEST_TIMER_MS)).unref()
    } catch (error) {
      log.error({ err: error }, 'The job table cannot be read or written; looking again in a second')
      clearTimeout(timer)
      timer = setTimeout(pump, 1_000).unref()
    }
  }

  return {
    enqueue: async (jobs) => {
      if (jobs.length === 0) return
      rows.add(jobs, now())
      changed()
      pump()
    },
    work: async (given: JobHandlers) => {
      // the rows of a kind hold the data of that kind, which the compiler cannot follow through the table
      handlers = new Map(Object.entries(given) as unknown as [string, AnyHandler][])
      const found = rows.recover(now())
      rows.parkUnknown([...handlers.keys()])
      if (found > 0) log.warn({ jobs: found }, 'Jobs that were running when the server ended are run again')
      const sweep = (): void => rows.sweep(now() - KEPT_MS)
      sweep()
      sweeper = setInterval(sweep, SWEEP_EVERY_MS).unref()
      changed()
      pump()
    },
    list: async (filter) => rows.list(filter?.states ?? EVERY_STATE, filter?.limit ?? 100),
    retry: async (id) => {
      const found = rows.retry(id, now())
      if (found) {
        changed()
        pump()
      }
      return found
    },
    idle: () =>
      new Promise((resolve) => {
        idlers.add(resolve)
        changed()
      }),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async (graceMs) => {
      closing = true
      clearTimeout(timer)
      clearInterval(sweeper)
      const ends = Promise.allSettled([...running.values()].map((job) => job.end))
      await within(ends, graceMs)
      stopping.abort(new Error('The server is stopping'))
      await within(ends, LAST_WORDS_MS)
      closed = true
    },
  }
}

/** Waits for something, but no longer than so many milliseconds. */
const within = async (awaited: Promise<unknown>, ms: number): Promise<void> => {
  const over = Promise.withResolvers<void>()
  const alarm = setTimeout(over.resolve, ms)
  await Promise.race([awaited, over.promise])
  clearTimeout(alarm)
}
