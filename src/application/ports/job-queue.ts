/** Every kind of background work. Jobs carry ids only, never content (decisions 76). */
export interface JobData {
  'process-image': { readonly hash: string }
  'copy-artwork-picture': { readonly artworkId: string; readonly sourceUrl: string }
  'copy-journal-pictures': { readonly postId: string }
  'sync-blog': { readonly runId: string }
  'mail-enquiry': { readonly messageId: string }
}
export type JobName = keyof JobData

/** What every job may carry behind its own ids: the id of the request that it goes back to. */
interface Traced {
  readonly correlationId?: string
}

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
  /** the id its data names: a picture's hash, a message's id … */
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
  /** aborted when the process stops: end soon, the job will be run again */
  readonly signal: AbortSignal
  readonly progress: (done: number, total: number) => void
}

/** Thrown by a handler when trying again cannot help: the job is parked with this reason at once. */
export class Unrecoverable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Unrecoverable'
  }
}

/** How one kind of job is run. `backoff` gives the wait in ms before try n + 1, null: park it. */
export interface JobHandler<Name extends JobName> {
  readonly run: (data: JobData[Name] & Traced, context: JobContext) => Promise<void>
  readonly backoff: (failedAttempts: number) => number | null
  /** jobs of this kind at once, 1 unless told */
  readonly concurrency?: number
}
export type JobHandlers = { readonly [Name in JobName]: JobHandler<Name> }

/**
 * Background work, at least once: a job taken by a process that died is run again. Effects outside are
 * guarded by the {@link EffectLedger}.
 */
export interface JobQueue {
  /** Durable when it resolves. Known ids are left alone, whatever their state. */
  readonly enqueue: (jobs: readonly NewJob[]) => Promise<void>
  /** Starts working; the promise resolves when ready. One call per process. */
  readonly work: (handlers: JobHandlers) => Promise<void>
  readonly list: (filter?: {
    readonly states?: readonly JobState[]
    readonly limit?: number
  }) => Promise<readonly JobView[]>
  /** Runs a parked job again. False when there is no such parked job. */
  readonly retry: (id: string) => Promise<boolean>
  /** Resolves when no job is waiting to run now or running (later retries do not count). */
  readonly idle: () => Promise<void>
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
  readonly started: (key: string, detail: string) => Promise<void>
  readonly done: (key: string, detail: string) => Promise<void>
  /** Writes it whatever stands there: for what begins again, as the nightly backup does. */
  readonly replace: (key: string, state: 'started' | 'done', detail: string) => Promise<void>
}
