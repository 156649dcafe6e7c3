import { EngineAway, UnknownPosition } from './ports/event-store.ts'
import { Unrecoverable } from './ports/job-queue.ts'

const tooManyOpen = ['EMFILE', 'ENFILE']
const noRoom = ['ENOSPC', 'EDQUOT']

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** Whether something could not be opened because too much is open, in this process or on the machine. */
export const lacksHandles = (error: unknown): boolean => hasCode(error, tooManyOpen)

/**
 * Whether something failed only because the site could not work just then: an engine away or lost, read models ahead of
 * the log, a full disk, no file handle left. It is no fault of what was tried, however deep it lies beneath other words.
 */
export const isOutage = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof Unrecoverable) return false
  if (error instanceof EngineAway || error instanceof UnknownPosition) return true
  return hasCode(error, [...tooManyOpen, ...noRoom]) || isOutage(error.cause)
}
