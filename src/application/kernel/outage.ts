import { codeOf } from './reason.ts'
import { EngineAway, UnknownPosition } from './ports/event-store.ts'
import { Unrecoverable } from './ports/job-queue.ts'

const tooManyOpen = ['EMFILE', 'ENFILE']
/** The disk is full, or no file of this user's may be as long (`ulimit -f`, `LimitFSIZE`). */
const noRoom = ['ENOSPC', 'EFBIG']
/** EDQUOT of Linux and of macOS: Node has no name for it. */
const quotaUsedUp = [-122, -69]

/** Whether something could not be opened because too much is open, in this process or on the machine. */
export const lacksHandles = (error: unknown): boolean => tooManyOpen.includes(codeOf(error) ?? '')

/** Whether something could not be written because the disk, or what this user may take of it, is full. */
export const lacksRoom = (error: unknown): boolean =>
  noRoom.includes(codeOf(error) ?? '') ||
  (error instanceof Error && 'errno' in error && quotaUsedUp.some((errno) => errno === error.errno))

/**
 * Whether something failed only because the site could not work just then: an engine away or lost, read models ahead of
 * the log, a full disk, no file handle left. It is no fault of what was tried, however deep it lies beneath other words.
 */
export const isOutage = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof Unrecoverable) return false
  if (error instanceof EngineAway || error instanceof UnknownPosition) return true
  return lacksHandles(error) || lacksRoom(error) || isOutage(error.cause)
}
