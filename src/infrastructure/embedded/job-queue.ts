import type { Logger } from '#application/kernel/ports/logger.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { within } from '#application/kernel/within.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import { randomUUID } from 'node:crypto'
import type { Position } from '#application/kernel/ports/event-store.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import type {
  JobContext,
  JobData,
  JobHandler,
  JobHandlers,
  JobName,
  JobQueue,
  JobState,
} from '#application/kernel/ports/job-queue.ts'
import {
  afterInterruption,
  countOutages,
  interruptedWords,
  longerThanAnyWait,
  Unrecoverable,
} from '#application/kernel/ports/job-queue.ts'
import { isOutage } from '#application/kernel/outage.ts'
import type { Database } from './database.ts'
import { openEffects } from './effects.ts'
import { jobRows } from './job-rows.ts'
import type { JobEnd, JobRow } from './job-rows.ts'

/** Done jobs are remembered so long, in ms: the same id sent again is not done again. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000
const SWEEP_EVERY_MS = 6 * 60 * 60 * 1_000
/** Longest wait of a timer; longer ones would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** When a job is tried once more whose handler could not be told that it is parked, in ms. */
const PARK_AGAIN_MS = 60_000
/** Before the end of a job is written again that could not be, in ms. */
const WRITE_AGAIN_MS = 1_000
/** How long aborted handlers have to end, in ms. */
const LAST_WORDS_MS = 1_000

/** Kept in the same file as the jobs, and lost with them. */
const [lifeKey, noteKey] = ['queue-life', 'queue-queued'] as const
/** Of the log, before its first event: sorts before every place in it. */
const beginning = ''

const EVERY_STATE: readonly JobState[] = ['waiting', 'running', 'done', 'parked']

/** A handler of any kind, fed with the data that was stored for that kind. */
type AnyHandler = JobHandler<JobName>

/** The wait before a job comes back that was interrupted so often; null: it does not. */
const comesBack = (handler: AnyHandler | undefined, times: number): number | null =>
  (handler?.afterInterruption ?? afterInterruption)(times)

/** The data of a job as its kind stored it, and whether a person asked for it again. */
const dataOf = (
  row: JobRow,
): { readonly data: Parameters<AnyHandler['run']>[0]; readonly again: boolean } => {
  const { again = false, ...data } = JSON.parse(row.data) as { again?: boolean } & JobData[JobName] // as it was added
  return { data, again }
}

/** Background work inside the process; its rows survive it (decisions: jobs are at least once). */
export const openJobQueue = (database: Database, clock: Clock, log: Logger): JobQueue => {
  const rows = jobRows(database)
  const effects = openEffects(database)
  const outages = countOutages()
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

  /** Parks a job once its handler has been told, and not before. */
  const park = async (row: JobRow, handler: AnyHandler, reason: string): Promise<JobEnd> => {
    try {
      await handler.parked?.(dataOf(row).data, reason)
      return { state: 'parked', reason, at: now() }
    } catch (error) {
      log.warn(
        { job: row.name, id: row.id, err: error },
        'What a job has to end could not be ended; it is tried again',
      )
      return { state: 'waiting', reason, at: now() + PARK_AGAIN_MS }
    }
  }

  /** How an attempt that threw goes on. */
  const afterFailure = async (row: JobRow, handler: AnyHandler, error: unknown): Promise<JobEnd> => {
    const attempt = row.attempts + 1
    if (isOutage(error)) {
      const waitMs = outages.met(row.id)
      log.warn({ job: row.name, id: row.id, waitMs, err: error }, 'A job waits until the site can work again')
      return { state: 'put off', reason: reasonOf(error), at: now() + waitMs }
    }
    outages.over(row.id)
    const wait = error instanceof Unrecoverable ? null : handler.backoff(attempt)
    const end: JobEnd =
      wait === null
        ? await park(row, handler, reasonOf(error))
        : { state: 'waiting', reason: reasonOf(error), at: now() + wait }
    const details = { job: row.name, id: row.id, attempt, err: error }
    if (end.state === 'parked') log.error(details, 'A job failed for good and is parked')
    else log.warn(details, 'A job failed and will be tried again')
    return end
  }

  const contextOf = (row: JobRow, again: boolean): JobContext => ({
    id: row.id,
    attempt: row.attempts + 1,
    apart: row.interrupted > 0,
    again,
    signal: stopping.signal,
    progress: (done, total) => {
      if (closed) return
      rows.progress(row.seq, done, total)
      changed()
    },
  })

  const attempt = async (row: JobRow, handler: AnyHandler): Promise<JobEnd | 'given back'> => {
    if (row.interrupted > 0 && comesBack(handler, row.interrupted) === null) {
      log.error({ job: row.name, id: row.id }, 'A job was interrupted for too long and is parked')
      return park(row, handler, interruptedWords)
    }
    try {
      const { data, again } = dataOf(row)
      await handler.run(data, contextOf(row, again))
      outages.over(row.id)
      return { state: 'done', at: now() }
    } catch (error) {
      return stopping.signal.aborted ? 'given back' : afterFailure(row, handler, error)
    }
  }

  const run = async (row: JobRow, handler: AnyHandler): Promise<void> => {
    const end = await attempt(row, handler)
    // a handler that outlived the last moment: its row stays running and is found at the next start
    while (!closed && !isWritten(row, end)) await pause(WRITE_AGAIN_MS, undefined, { ref: false })
  }

  /** Writes how an attempt ended. On a disk without any room that has to wait. */
  const isWritten = (row: JobRow, end: JobEnd | 'given back'): boolean => {
    try {
      if (end === 'given back') rows.giveBack(row.seq, now())
      else rows.end(row.seq, end)
      return true
    } catch (error) {
      if (!isOutage(error)) throw error
      log.warn(
        { job: row.name, id: row.id, err: error },
        'The end of a job cannot be written yet; trying again',
      )
      return false
    }
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
      const all = new Map(Object.entries(given) as unknown as [string, AnyHandler][])
      const found = rows.recover((name, times) => comesBack(all.get(name), times), now())
      rows.parkUnknown([...all.keys()])
      // only now: what is asked for again after a failure must not find jobs that have begun already
      handlers = all
      if (found > 0) log.warn({ jobs: found }, 'Jobs that were running when the server ended are run again')
      const sweep = (): void => {
        try {
          rows.sweep(now() - KEPT_MS)
          rows.callBack(now() + longerThanAnyWait, now())
        } catch (error) {
          log.warn({ err: error }, 'Old jobs could not be forgotten; trying again in some hours')
        }
      }
      sweep()
      clearInterval(sweeper)
      sweeper = setInterval(sweep, SWEEP_EVERY_MS).unref()
      changed()
      pump()
    },
    memory: async () => {
      const [life, note] = await Promise.all([effects.find(lifeKey), effects.find(noteKey)])
      if (life === null) return null
      const position = note?.detail === beginning ? null : (note?.detail as Position) // as it was noted
      return { life: life.detail, queued: note === null ? null : { position } }
    },
    begin: async (queued) => {
      const life = randomUUID()
      await effects.replace(noteKey, 'done', queued ?? beginning)
      await effects.replace(lifeKey, 'done', life)
      return life
    },
    reached: async (from, to) => {
      const note = await effects.find(noteKey)
      if (note === null) return true
      if (note.detail < (from ?? beginning)) return false
      if (note.detail < to) rows.note(noteKey, to)
      return true
    },
    find: async (id) => rows.find(id),
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
      await within(ends, graceMs, () => undefined)
      stopping.abort(new Error('The server is stopping'))
      await within(ends, LAST_WORDS_MS, () => undefined)
      closed = true
    },
  }
}
