import { statSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { asError, codeOf } from '#application/kernel/reason.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { counted } from '#domain/list-in-words.ts'

/** To whoever only visits: without the place. */
export const folderUnusable =
  'The data folder cannot be read or written: check the disk and the rights on DATA_DIR'

/** The same where the disk takes nothing. */
const folderReadOnly =
  'The data folder lies on a disk that is read-only: make it writable, or name another DATA_DIR'

/** To whoever runs the site. */
export const dataDamaged =
  'The data file atelier.db is damaged, or the disk fails to give it. What "atelier backup FILE" still takes may be whole: where that comes to its end, ' +
  'bring it back with "atelier restore" into another DATA_DIR, else the newest backup. Keep the damaged folder until then'

/** The same of a log that is whole as a file, and lacks events between others. */
export const eventsLacking = (count: number): string =>
  `The log in atelier.db lacks ${counted(count, 'event')} between others: it was put together of two moments, as where DATA_DIR was ` +
  'copied while its server ran. Put a copy in its place that was made with the server stopped, or bring the newest backup from before ' +
  'that back with "atelier restore" into another DATA_DIR: a later one lacks them too. Keep this folder until then'

const refusals = ['EACCES', 'EPERM', 'EROFS']
const wrongKinds = ['EISDIR', 'ENOTDIR', 'EEXIST']

/** Whether a file or folder is there and may not be used: it is another user's, or the disk cannot be written. */
export const mayNotBeUsed = (error: unknown): boolean => refusals.includes(codeOf(error) ?? '')

/** What it is to whoever only visits that a file or folder of the site's may not be used. */
export const unusable = (cause: unknown): EngineAway =>
  new EngineAway('disk', codeOf(cause) === 'EROFS' ? folderReadOnly : folderUnusable, { cause })

/** What is said of a place in which a folder other than the site's data folder lies; null for what tells of no folder. */
const wordsAt = (place: string, words: string): string | null => {
  if (words === folderReadOnly) return ofCode('EROFS', place)
  return words === folderUnusable || words === dataDamaged
    ? `${place} cannot be read or written: check the disk and the rights on it`
    : null
}

/** The same error, which names that place where the folder may not be used, or what lies in it is damaged. */
export const unusableAt = (place: string, error: unknown): unknown => {
  const words = error instanceof EngineAway ? wordsAt(place, error.message) : null
  return words === null ? error : new EngineAway('disk', words, { cause: error })
}

/** Whether the disk failed where something lies. */
export const isFailing = (error: unknown): boolean => codeOf(error) === 'EIO'

const textIn = (error: unknown, key: string): string | null => {
  const value: unknown = error instanceof Error && key in error ? Reflect.get(error, key) : null
  return typeof value === 'string' ? value : null
}

/** The file or folder of which the system says something; null where it does not say which. */
export const diskPlaceOf = (error: unknown): string | null =>
  textIn(error, 'path') ?? textIn(error, 'address')

/** What is wrong with a file or folder of which the system gave this code, with what to do; null for other codes. */
export const ofCode = (code: string | null, place: string): string | null => {
  if (code === 'EROFS')
    return `${place} lies on a disk that is read-only: make it writable, or name another place`
  if (code !== null && refusals.includes(code))
    return (
      `${place} may not be used by the user that runs this: give the folder and all that lies in it to the user that ` +
      'runs Atelier (chown -R), or run this as that user'
    )
  if (code !== null && wrongKinds.includes(code))
    return `${place} is a file where a folder belongs, or a folder where a file belongs: move it away`
  if (code === 'EIO')
    return `${place} cannot be read or written, the disk is failing: save what there is, and replace it`
  return null
}

/** Whether a link lies at a path, wherever it leads. */
export const isLink = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isSymbolicLink() === true

/** What is said of a link to a place that is not there. */
export const leadsNowhereInWords = (path: string): string =>
  `${path} is a link that leads nowhere: mount the disk that it leads to, or remove it`

/** Refuses what is no file as the system refuses to read a folder: reading a named pipe would wait for its other end. */
export const mustBeFile = (path: string): void => {
  const code = 'EISDIR'
  if (!statSync(path).isFile()) throw Object.assign(new Error(ofCode(code, path) ?? code), { code, path })
}

/** Names the file that a stream reads in what goes wrong there: while it reads, the system does not say of which. */
export const sayingWhere = <Source extends Readable>(stream: Source, path: string): Source =>
  stream.once('error', (error) => Object.assign(error, { path }))

/** Names the file or folder in what went wrong there: of one that is open the system does not say which. */
export const withPlace = (error: unknown, path: string): unknown =>
  diskPlaceOf(error) === null ? Object.assign(asError(error), { path }) : error

/** What the system says of a file or folder, as a sentence with the place and an advice; anything else as it is. */
export const diskInWords = (error: unknown): unknown => {
  const place = diskPlaceOf(error)
  const words = place === null ? null : ofCode(codeOf(error), place)
  return words === null ? error : new EngineAway('disk', words, { cause: error })
}
