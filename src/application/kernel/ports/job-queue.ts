import type { JobData, JobName } from '../../job-data.ts'
import type { Position } from './event-store.ts'

/** What every job may carry behind its own ids: the id of the request that it goes back to. */
interface Traced {
  readonly correlationId?: string
}

/** What a job carries when it comes to its handler. */
export type Carried<Name extends JobName> = JobData[Name] & Traced

/** A job to be done. The same id is done once while the queue remembers it: `<handler>-<event id>`, no colon. */
export type NewJob = {
  readonly [Name in JobName]: {
    readonly id: string
    readonly name: Name
    readonly data: JobData[Name] & Traced
  }
}[JobName]

export type JobState = 'waiting' | 'running' | 'done' | 'parked'

/** A job as an operator and the dashboard see it. */
export interface JobView {
  readonly id: string
  readonly name: JobName
  /** the id its data names: an image's hash, a message's id … */
  readonly subjectId: string
  readonly state: JobState
  readonly attempts: number
  /** steps done and in all, as far as the job tells */
  readonly done: number
  readonly total: number
  /** why it failed last, in words; null when it did not */
  readonly reason: string | null
  /** ISO 8601: when it runs next, null when it does not wait */
  readonly runAt: string | null
}

/** What a handler gets beside its data. */
export interface JobContext {
  readonly id: string
  /** 1 for the first try */
  readonly attempt: number
  /** a process that ran this job ended in the middle of it: to be run in a child process of its own */
  readonly apart: boolean
  /** a person asked for it again after it was parked */
  readonly again: boolean
  /** aborted when the process stops: end soon, the job will be run again */
  readonly signal: AbortSignal
  readonly progress: (done: number, total: number) => void
}

/** Thrown by a handler when trying again cannot help: the job is parked with this reason at once. */
export class Unrecoverable extends Error {
  override readonly name = 'Unrecoverable'
}

/** Why a job waits whose process ended. */
export const interruptedWords = 'The server ended while this job was running'

const [second, minute] = [1_000, 60_000]
const interruptionWaits = [...[1, 10].map((n) => n * second), ...[1, 5, 15, 30].map((n) => n * minute)]

/**
 * The wait in ms before a job comes back that was interrupted for the n-th time: it grows to an hour and never
 * ends, as the death of the process is not the job's fault.
 */
export const afterInterruption = (times: number): number => interruptionWaits[times - 1] ?? 60 * minute

const outageWaits = [...[2, 10, 30].map((n) => n * second), ...[1, 2].map((n) => n * minute)]

/**
 * The wait in ms before a job comes back that met an outage for the n-th time in a row (`outage.ts` of the kernel): it grows
 * to five minutes and never ends, as that is no try of the job's.
 */
const afterOutage = (times: number): number => outageWaits[times - 1] ?? 5 * minute

/** How long done jobs are remembered, in ms: the same id sent again is not done again. */
export const doneKeptMs = 7 * 24 * 60 * 60 * 1_000

/**
 * The newest of each kind, of those that are done and of those that failed for good, which the log tells of: a large blog makes
 * thousands in a day. One takes 2 kB of a memory, and each is looked at where the newest are listed.
 */
export const mostOver = 5_000

/**
 * How often a queue looks, in ms, for jobs that wait longer from now on than they were to: a clock that ran ahead gave them
 * their time, and was set right since. They wait from now.
 */
export const setRightEveryMs = minute

/** How often jobs met an outage in a row, as far as this process knows; the next one begins with short waits again. */
export const countOutages = (): {
  /** @returns the wait in ms */
  readonly met: (id: string) => number
  readonly over: (id: string) => void
} => {
  const times = new Map<string, number>()
  return {
    met: (id) => {
      const met = (times.get(id) ?? 0) + 1
      times.set(id, met)
      return afterOutage(met)
    },
    over: (id) => void times.delete(id),
  }
}

export interface JobHandler<Name extends JobName> {
  readonly run: (data: Carried<Name>, context: JobContext) => Promise<void>
  /** the wait in ms before try n + 1; null: park it. An outage is no try: see {@link afterOutage} */
  readonly backoff: (failedAttempts: number) => number | null
  /** the wait in ms after the n-th time that the process ended while it ran; null: park it. Without it {@link afterInterruption} */
  readonly afterInterruption?: (times: number) => number | null
  /**
   * Told before a job is parked, whyever, so that what it was to end does not look as if it still ran. It may be
   * told twice of one job. When it throws, the job is not parked yet but tried once more later.
   */
  readonly parked?: (data: Carried<Name>, reason: string) => Promise<void>
  /** jobs of this kind at once, 1 unless told */
  readonly concurrency?: number
  /** run in a process of its own at its first try already, absent: only once it was interrupted */
  readonly isApart?: true
}
export type JobHandlers = { readonly [Name in JobName]: JobHandler<Name> }

/** What a queue knows of itself. */
export interface QueueMemory {
  /** The word that it was given when it was begun, and keeps for as long as it keeps its jobs. */
  readonly life: string
  /** Every event up to here has its jobs in it (null: none yet). Null where an earlier version began it. */
  readonly queued: { readonly position: Position | null } | null
}

/**
 * Background work, at least once: a job taken by a process that died is run again. Effects outside are
 * guarded by the {@link EffectLedger}.
 */
export interface JobQueue {
  /** Durable when it resolves. Known ids are left alone, whatever their state. */
  readonly enqueue: (jobs: readonly NewJob[]) => Promise<void>
  /** Starts working; the promise resolves when ready. One call per process. */
  readonly work: (handlers: JobHandlers) => Promise<void>
  /** Null when it was never begun, or was emptied. One that was put back from an older copy tells what that knew. */
  readonly memory: () => Promise<QueueMemory | null>
  /** Gives it a new word, which is the answer, and notes up to where it holds the jobs of the log. */
  readonly begin: (queued: Position | null) => Promise<string>
  /**
   * Notes that the jobs of the events up to `to` are in it, behind those up to `from`. False when it does not know of
   * those up to `from`: it has lost them, and notes nothing. One that was not begun notes nothing either.
   */
  readonly reached: (from: Position | null, to: Position) => Promise<boolean>
  /** How many jobs of a kind wait or run; nothing of a kind that has none. */
  readonly open: () => Promise<Readonly<Partial<Record<JobName, number>>>>
  /** A job by its id; null when the queue does not remember it. */
  readonly find: (id: string) => Promise<JobView | null>
  /** The newest, 100 unless told. */
  readonly list: (filter?: {
    readonly states?: readonly JobState[]
    readonly limit?: number
    /** so many of each kind: what failed in thousands hides no other work */
    readonly ofEachKind?: boolean
  }) => Promise<readonly JobView[]>
  /**
   * Runs a parked job again, as if it had never been tried; a waiting one at once, and its tries so far go on counting.
   * False when no such job is parked or waits.
   */
  readonly retry: (id: string) => Promise<boolean>
  /**
   * Forgets all that is done, so that the same ids are done again when they are sent again: of a log that has lost the ends of
   * it, and of work that another site has taken out of this queue.
   */
  readonly forgetDone: () => Promise<void>
  /** Calls back soon after any job's state or progress changed. */
  readonly onChange: (listener: () => void) => () => void
  /** Takes no new job, lets running ones end (aborting them after `graceMs`). */
  readonly close: (graceMs: number) => Promise<void>
}

/** Remembers effects outside of Atelier, so that a job run twice acts once. */
export interface EffectLedger {
  /** The state of an effect; null when it was never begun. */
  readonly find: (
    key: string,
  ) => Promise<{ readonly state: 'started' | 'done'; readonly detail: string } | null>
  /** Notes that it is about to happen. @throws {EngineAway} while what comes of it could not be recorded */
  readonly started: (key: string, detail: string) => Promise<void>
  readonly done: (key: string, detail: string) => Promise<void>
  /** Writes it whatever stands there: for what begins again, as the nightly backup does. */
  readonly replace: (key: string, state: 'started' | 'done', detail: string) => Promise<void>
}
