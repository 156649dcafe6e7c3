import type { EventStore, Position } from '../ports/event-store.ts'

export interface NeededFile {
  readonly key: string
  /** how long it was when it was kept, in bytes */
  readonly bytes: number
  /** of what names it, as people call it */
  readonly titles: readonly string[]
}

/** A file that the log needs and that is not there as it was kept. */
export interface LackingFile extends NeededFile {
  /** how long what lies there is; null: nothing does */
  readonly found: number | null
}

/** Which files a log needs, and how it is told that some lack. */
export interface NeededFiles {
  /** @param until of the log up to here; the whole log unless told */
  readonly of: (
    eventStore: Pick<EventStore, 'readAll'>,
    signal: AbortSignal,
    until?: Position | null,
  ) => Promise<readonly NeededFile[]>
  /** Names what lacks; empty for nothing. */
  readonly inWords: (lacking: readonly LackingFile[]) => string
}

/**
 * Which of the needed files are missing or cut.
 * @param sizeOf how long the file of a key is; null when there is none
 */
export const lackingFiles = async (
  needed: readonly NeededFile[],
  sizeOf: (key: string) => Promise<number | null> | number | null,
): Promise<readonly LackingFile[]> => {
  const lacking: LackingFile[] = []
  for (const file of needed) {
    const found = await sizeOf(file.key)
    if (found !== file.bytes) lacking.push({ ...file, found })
  }
  return lacking
}
