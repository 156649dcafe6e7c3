import { randomUUID } from 'node:crypto'
import type { Clock } from '#application/kernel/ports/clock.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import {
  doneKeptMs,
  type JobQueue,
  mostOver as mostOfEachKind,
  setRightEveryMs,
} from '#application/kernel/ports/job-queue.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import { type AnyHandler, beginning, everyState, handlersOf, letEnd, oncePerTurn } from '../job-runs.ts'
import type { Database } from './database.ts'
import { openEffects } from './records.ts'
import { jobRows, type JobRow } from './job-rows.ts'
import { comesBack, jobRunner, type RunnerParts } from './job-runner.ts'

const sweepEveryMs = 6 * 60 * 60 * 1_000
/** Longest wait of a timer; longer ones would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** Kept in the same file as the jobs, and lost with them. */
const [lifeKey, noteKey] = ['queue-life', 'queue-queued'] as const

/** What the queue knows of itself, as two rows of the effect ledger. */
const openMemory = (
  database: Database,
  rows: ReturnType<typeof jobRows>,
): Pick<JobQueue, 'memory' | 'begin' | 'reached'> => {
  const effects = openEffects(database)
  return {
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
  }
}

/** What takes jobs whose time has come, and runs as many at once as their handlers allow. */
const openPump = (
  { rows, now, log, changed }: Pick<RunnerParts, 'rows' | 'now' | 'log' | 'changed'>,
  run: ReturnType<typeof jobRunner>,
) => {
  const running = new Map<number, { readonly name: string; readonly end: Promise<void> }>()
  let handlers: ReadonlyMap<string, AnyHandler> = new Map()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

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
    if (isStopped || handlers.size === 0) return
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
      timer = setTimeout(pump, Math.min(Math.max(1, due - now()), longestTimerMs)).unref()
    } catch (error) {
      log.error({ err: error }, 'The job table cannot be read or written; looking again in a second')
      clearTimeout(timer)
      timer = setTimeout(pump, 1_000).unref()
    }
  }

  return {
    pump,
    work: (given: ReadonlyMap<string, AnyHandler>): void => {
      handlers = given
      changed()
      pump()
    },
    /** Takes no more jobs; resolves once those that run have ended. */
    end: (): Promise<unknown> => {
      isStopped = true
      clearTimeout(timer)
      return Promise.allSettled([...running.values()].map((job) => job.end))
    },
  }
}

/**
 * Background work inside the process; its rows survive it, and each is run at least once.
 * @param mostOver so many jobs of a kind that are over, done or parked, are remembered of each; 5,000 unless told
 */
export const openJobQueue = (
  database: Database,
  clock: Clock,
  log: Logger,
  mostOver: number = mostOfEachKind,
): JobQueue => {
  const rows = jobRows(database, mostOver)
  const listeners = new Set<() => void>()
  const stopping = new AbortController()
  let lookers: readonly NodeJS.Timeout[] = []
  let isClosed = false
  const now = (): number => clock.now().getTime()

  /** Tells everybody once, however much changed in this turn. */
  const changed = oncePerTurn(() => {
    for (const listener of listeners) listener()
  })
  const parts = { rows, log, now, stopping: stopping.signal, isClosed: () => isClosed, changed }
  const { pump, work, end } = openPump(parts, jobRunner(parts))

  const sweep = (): void => {
    try {
      rows.sweep(now() - doneKeptMs)
    } catch (error) {
      log.warn({ err: error }, 'Old jobs could not be forgotten; trying again in some hours')
    }
  }
  const setRight = (): void => {
    try {
      rows.setRight(now())
    } catch (error) {
      log.warn({ err: error }, 'Jobs could not be looked at; looking again in a minute')
    }
  }
  const stopLooking = (): void => {
    for (const looker of lookers) clearInterval(looker)
  }

  return {
    ...openMemory(database, rows),
    enqueue: async (jobs) => {
      if (jobs.length === 0) return
      rows.add(jobs, now())
      changed()
      pump()
    },
    work: async (given) => {
      const all = new Map<string, AnyHandler>(handlersOf(given))
      const found = rows.recover((name, times) => comesBack(all.get(name), times), now())
      rows.parkUnknown([...all.keys()], now())
      if (found > 0) log.warn({ jobs: found }, 'Jobs that were running when the server ended are run again')
      sweep()
      setRight()
      stopLooking()
      const setRightAndGoOn = (): void => {
        setRight()
        pump()
      }
      lookers = [setInterval(sweep, sweepEveryMs), setInterval(setRightAndGoOn, setRightEveryMs)]
      for (const looker of lookers) looker.unref()
      // only now: what is asked for again after a failure must not find jobs that have begun already
      work(all)
    },
    open: async () => rows.open(),
    find: async (id) => rows.find(id),
    list: async ({ states = everyState, limit = 100, ofEachKind = false } = {}) =>
      rows.list(states, limit, ofEachKind),
    retry: async (id) => {
      const found = rows.retry(id, now())
      if (found) {
        changed()
        pump()
      }
      return found
    },
    forgetDone: async () => {
      rows.forgetDone()
      changed()
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async (graceMs) => {
      stopLooking()
      await letEnd(end(), graceMs, stopping)
      isClosed = true
    },
  }
}
