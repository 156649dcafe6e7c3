import { createHash } from 'node:crypto'
import type { ImageFormat } from '#domain/images/events.ts'
import { FileCut, type FileStore } from '../kernel/ports/files.ts'
import type { Leases } from '../kernel/ports/leases.ts'
import { underLeaseWithin } from '../kernel/turns.ts'

/** Where an image's files are kept. The original has no public address. */
export const originalsPrefix = 'originals/'
export const imagesPrefix = 'images/'
export const cardsPrefix = 'cards/'

export const originalKey = (hash: string): string => `${originalsPrefix}${hash}`
export const imagePrefix = (hash: string): string => `${imagesPrefix}${hash}/`
/** The image that an original, a first view or a variant is of; null for any other key. */
export const imageOfKey = (key: string): string | null =>
  /^(?:originals|images)\/([0-9a-f]{64})(?:\/|$)/.exec(key)?.[1] ?? null
export const variantKey = (hash: string, width: number, format: ImageFormat): string =>
  `${imagePrefix(hash)}${width}.${format}`
/** The first displayable image, shown until the variants are there. */
export const firstKey = (hash: string): string => `${imagePrefix(hash)}first.jpg`
export const cardKey = (cardHash: string): string => `${cardsPrefix}${cardHash}.jpg`

/** Whether an original is there as it was taken in: its name is its checksum. */
export const holdsOriginal = async (files: Pick<FileStore, 'open'>, hash: string): Promise<boolean> => {
  const checksum = createHash('sha256')
  try {
    const file = await files.open(originalKey(hash))
    if (file === null) return false
    // A stream of bytes gives buffers.
    for await (const piece of file.stream) checksum.update(piece as Uint8Array)
  } catch (error) {
    if (error instanceof FileCut) return false
    throw error
  }
  return checksum.digest('hex') === hash
}

/** Where files lie that nothing seems to need, before they go for good. The date (ISO) says since when. */
export const asidePrefix = 'aside/'
export const asideKey = (key: string, date: string): string => `${asidePrefix}${date}/${key}`
/** Since when a file lies aside (ISO date), and its former key; null for any other. */
export const whatIsAside = (key: string): { readonly date: string; readonly key: string } | null => {
  const [, date, former] = /^aside\/(\d{4}-\d{2}-\d{2})\/(.+)$/.exec(key) ?? []
  return date === undefined || former === undefined ? null : { date, key: former }
}

/** Longer than any of them takes; who waits so long has an engine that does not answer. */
const turnWithinMs = 60_000

/**
 * One at a time, also across processes: who adds files to an image that has some already, and who removes
 * files. So nothing is removed that somebody is just about to name in the log.
 * @param task looks by `check` before what must not happen beside another's: where it stood still its turn may be over
 * @throws {EngineAway} when its turn does not come within a minute
 */
export const inFileTurn = <T>(leases: Leases, task: (check: () => void) => Promise<T>): Promise<T> =>
  underLeaseWithin(leases, 'picture-files', turnWithinMs, (_, check) => task(check))
