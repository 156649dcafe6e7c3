import type { EventStore } from '#application/kernel/ports/event-store.ts'
import type { DocumentEngines, QueueEngines } from '../../engine-sets.ts'
import type { MarkStore } from '../../log-mark.ts'
import { freeBytesAt } from '../../free-bytes.ts'
import { type FolderOptions, openEmbeddedFolder } from '../open.ts'

/** Every engine that needs nothing but a folder. */
export interface Embedded extends DocumentEngines, QueueEngines {
  readonly eventStore: EventStore
  readonly logMark: MarkStore
  readonly secret: string
  readonly freeBytes: () => Promise<number>
  readonly close: (graceMs?: number) => Promise<void>
}

/**
 * Opens all embedded engines on one folder.
 * @throws {SecretMismatch} and what {@link openEmbeddedFolder} throws
 */
export const openEmbedded = async (options: FolderOptions): Promise<Embedded> => {
  const { secret, openLog, openDocumentEngines, openQueueEngines, openMark, close } =
    openEmbeddedFolder(options)
  try {
    return {
      secret,
      eventStore: openLog(),
      logMark: openMark('embedded'),
      ...(await openDocumentEngines()),
      ...openQueueEngines(),
      freeBytes: () => freeBytesAt(options.dataDir),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
