import { pause } from '#application/kernel/retry.ts'
import { isOutage } from '#application/kernel/outage.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import {
  afterInterruption,
  countOutages,
  interruptedWords,
  type JobContext,
} from '#application/kernel/ports/job-queue.ts'
import {
  afterFailure,
  type AnyHandler,
  carriedIn,
  tellParked,
  tellingOfWaits,
  parkRetryMs,
} from '../job-runs.ts'
import type { JobEnd, jobRows, JobRow } from './job-rows.ts'

/** Before the end of a job is written again that could not be, in ms. */
const writeRetryMs = 1_000

/** The wait before a job comes back that was interrupted so often; null: it does not. */
export const comesBack = (handler: AnyHandler | undefined, times: number): number | null =>
  (handler?.afterInterruption ?? afterInterruption)(times)

export interface RunnerParts {
  readonly rows: ReturnType<typeof jobRows>
  readonly log: Logger
  readonly now: () => number
  /** aborted for jobs that did not end by themselves */
  readonly stopping: AbortSignal
  /** the process is over for the queue: nothing is written any more */
  readonly isClosed: () => boolean
  readonly changed: () => void
}

/** Runs a job that was taken, and writes how that ended. Resolves when it is written. */
export const jobRunner = (parts: RunnerParts): ((row: JobRow, handler: AnyHandler) => Promise<void>) => {
  const { rows, log, now, stopping } = parts
  const outages = countOutages()
  const tellOfWait = tellingOfWaits(log)

  /** Parks a job once its handler has been told, and not before. */
  const park = async (row: JobRow, handler: AnyHandler, reason: string): Promise<JobEnd> =>
    (await tellParked(handler, row, () => JSON.parse(row.data), reason, tellOfWait))
      ? { state: 'parked', reason }
      : { state: 'waiting', reason, waitMs: parkRetryMs }

  /** How an attempt that threw goes on. */
  const failed = async (row: JobRow, handler: AnyHandler, thrown: unknown): Promise<JobEnd> => {
    const [reason, attempt] = [reasonOf(thrown), row.attempts + 1]
    const details = { job: row.name, id: row.id, err: thrown }
    const next = afterFailure(handler, outages, { id: row.id, attempt }, thrown)
    if (next.goesOn === 'put off') {
      tellOfWait({ job: row.name, id: row.id, waitMs: next.waitMs }, thrown)
      return { state: 'put off', reason, waitMs: next.waitMs }
    }
    if (next.goesOn === 'again') {
      log.warn({ ...details, attempt }, 'A job failed and will be tried again')
      return { state: 'waiting', reason, waitMs: next.waitMs }
    }
    const end = await park(row, handler, reason)
    if (end.state === 'parked') log.error({ ...details, attempt }, 'A job failed for good and is parked')
    return end
  }

  const contextOf = (row: JobRow, again: boolean): JobContext => ({
    id: row.id,
    attempt: row.attempts + 1,
    apart: row.interrupted > 0,
    again,
    signal: stopping,
    progress: (done, total) => {
      if (parts.isClosed()) return
      try {
        rows.progress(row.seq, done, total)
        parts.changed()
      } catch {
        // Only shown. Told as the image process tells it, in a turn of its own, its failure would end the server.
      }
    },
  })

  const attempt = async (row: JobRow, handler: AnyHandler): Promise<JobEnd | 'given back'> => {
    if (row.interrupted > 0 && comesBack(handler, row.interrupted) === null) {
      log.error({ job: row.name, id: row.id }, 'A job was interrupted for too long and is parked')
      return park(row, handler, interruptedWords)
    }
    try {
      const { data, again } = carriedIn(JSON.parse(row.data))
      await handler.run(data, contextOf(row, again))
      outages.over(row.id)
      return { state: 'done' }
    } catch (thrown) {
      return stopping.aborted ? 'given back' : failed(row, handler, thrown)
    }
  }

  /** Writes how an attempt ended. @returns false on a disk without any room: then that has to wait */
  const writeEnd = (row: JobRow, end: JobEnd | 'given back'): boolean => {
    try {
      if (end === 'given back') rows.giveBack(row.seq, now())
      else rows.end(row.seq, end, now())
      return true
    } catch (error) {
      if (!isOutage(error)) throw error
      const waits = { job: row.name, id: row.id, waitMs: writeRetryMs }
      tellOfWait(waits, error, 'The end of a job cannot be written yet; trying again')
      return false
    }
  }

  return async (row, handler) => {
    const end = await attempt(row, handler)
    // a handler that outlived the last moment: its row stays running and is found at the next start
    while (!parts.isClosed() && !writeEnd(row, end)) await pause(writeRetryMs, undefined, { ref: false })
  }
}
