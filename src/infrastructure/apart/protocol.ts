import type { JobName } from '#application/job-data.ts'
import type { Carried } from '#application/kernel/ports/job-queue.ts'

/** What a child process needs of the settings to run any job. */
export interface ApartSettings {
  readonly fetchAllowPrivate: boolean
  /** how messages are mailed; null: not at all */
  readonly mail: {
    readonly smtpUrl: string
    readonly mailFrom: string
    readonly mailTo: string | null
    readonly publicUrl: string
  } | null
}

/** One job for a child process. */
export interface ApartTask {
  readonly name: JobName
  readonly data: Carried<JobName>
  readonly id: string
  readonly attempt: number
  readonly again: boolean
  readonly settings: ApartSettings
  /** a folder of its own for files that are being worked on */
  readonly scratch: string
}

/** An error on its way between the processes. */
export interface SentError {
  readonly name: string
  readonly message: string
  /** what its class holds beside the message */
  readonly fields: Readonly<Record<string, unknown>>
}

/** A call of a port that stands in the other process. */
export interface PortCall {
  readonly type: 'ask'
  readonly id: number
  readonly port: string
  readonly method: string
  readonly args: readonly unknown[]
}

export type ToChild =
  | { readonly type: 'begin'; readonly task: ApartTask }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'thrown'; readonly id: number; readonly error: SentError }
  | { readonly type: 'lost'; readonly lease: number }
  | { readonly type: 'stop' }

export type FromChild =
  | PortCall
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  /** a post of the blog could not be read */
  | { readonly type: 'given-up'; readonly post: string | null; readonly error: SentError }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly error: SentError }
