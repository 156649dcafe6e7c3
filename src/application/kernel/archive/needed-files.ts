import type { EventStore, Position } from '../ports/event-store.ts'

export interface NeededFile {
  readonly key: string
  /** how long it was when it was kept, in bytes */
  readonly bytes: number
  /** its checksum then, in hex */
  readonly sha256: string
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

/** What lies under a file's key; its checksum is not known where it was only looked at. */
interface FoundFile {
  readonly bytes: number
  readonly sha256?: string
}

/**
 * Which of the needed files are missing, cut or damaged.
 * @param find what lies under a key; null when nothing does
 */
export const lackingFiles = async (
  needed: readonly NeededFile[],
  find: (key: string) => Promise<FoundFile | null> | FoundFile | null,
): Promise<readonly LackingFile[]> => {
  const lacking: LackingFile[] = []
  for (const file of needed) {
    const { bytes = null, sha256 = file.sha256 } = (await find(file.key)) ?? {}
    if (bytes !== file.bytes || sha256 !== file.sha256) lacking.push({ ...file, found: bytes })
  }
  return lacking
}
