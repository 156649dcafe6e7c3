import { codeOf } from '#application/kernel/reason.ts'
import { DiskFull, EngineAway } from '#application/kernel/ports/event-store.ts'
import { dataDamaged, folderUnusable } from '../disk-words.ts'

/** SQLite's result codes that mean something to the ports (https://www.sqlite.org/rescode.html). */
export const sqlite = {
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  ioerrShmsize: 4874,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  constraint: 19,
  notadb: 26,
} as const

/** The file is no whole database. The message is for people. */
export class DamagedData extends EngineAway {
  override readonly name = 'DamagedData'

  constructor(options?: ErrorOptions) {
    super('disk', dataDamaged, options)
  }
}

const errcodeOf = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null

/** Whether a unique or other constraint refused a row. */
export const isConstraint = (error: unknown): boolean =>
  ((errcodeOf(error) ?? 0) & 0xff) === sqlite.constraint

/**
 * Turns SQLite's own errors into those that the ports name; others stay as they are.
 * @param takesNothing of what SQLite could not write or make, whether it was for want of room: it only says so of a full disk
 */
export const translated = (error: unknown, takesNothing = (): boolean => false): unknown => {
  if (codeOf(error) === 'ERR_INVALID_STATE')
    return new EngineAway('disk', 'The data file is closed: the server is stopping', { cause: error })
  const errcode = errcodeOf(error)
  if (errcode === null) return error
  const options = { cause: error }
  if (errcode === sqlite.ioerrShmsize) return new DiskFull(options)
  switch (errcode & 0xff) {
    case sqlite.full:
      return new DiskFull(options)
    case sqlite.busy:
    case sqlite.locked:
      return new EngineAway(
        'disk',
        'The data file is held by another program: try again in a moment',
        options,
      )
    case sqlite.ioerr:
    case sqlite.cantopen:
      return takesNothing() ? new DiskFull(options) : new EngineAway('disk', folderUnusable, options)
    case sqlite.readonly:
      return new EngineAway('disk', folderUnusable, options)
    case sqlite.corrupt:
    case sqlite.notadb:
      return new DamagedData(options)
    default:
      return error
  }
}
