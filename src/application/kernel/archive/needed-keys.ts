import type { EventStore, Position } from '../ports/event-store.ts'
import type { VaultContents } from '../ports/key-vault.ts'
import { eventsUpTo } from './export-events.ts'

/** Keys that a log needs and that are gone. */
export interface LostKeys {
  readonly count: number
  /** of what they open */
  readonly ids: readonly string[]
  /** when the oldest of what they open was written, ISO 8601 */
  readonly since: string
}

interface Seen {
  readonly type: string
  readonly stream: string
  readonly occurredAt: string
}

export interface KeysOfLog {
  /** whose keys are needed, by its id, and since when, ISO 8601 */
  readonly open: ReadonlyMap<string, string>
  /** whose keys must be gone */
  readonly erased: ReadonlySet<string>
}

/** Which keys a log needs and which must be gone, and how it is told that it is not so. */
export interface NeededKeys {
  /** Gathers it as events go by. */
  readonly follow: () => KeysOfLog & { readonly see: (event: Seen) => void }
  /** Says what is lost; empty for none. */
  readonly inWords: (lost: LostKeys | null) => string
  /** Says of how many the key is back although they were erased; empty for none. */
  readonly returnedInWords: (count: number) => string
}

/** Reads the log up to a place for what it says of keys. @throws the signal's reason when aborted */
export const surveyKeys = async (
  needed: NeededKeys,
  eventStore: Pick<EventStore, 'readAll'>,
  signal: AbortSignal,
  until: Position | null,
): Promise<KeysOfLog> => {
  const { open, erased, see } = needed.follow()
  for await (const page of eventsUpTo(eventStore, until, { signal })) page.forEach(see)
  return { open, erased }
}

/**
 * Which of the needed keys are lost; null for none.
 * @param known ids that the vault knows, by a key or as erased: read after the log, for a key is there before its event
 */
export const lostKeys = (open: ReadonlyMap<string, string>, known: ReadonlySet<string>): LostKeys | null => {
  const lost = [...open].filter(([id]) => !known.has(id)).toSorted(([, a], [, b]) => (a < b ? -1 : 1))
  const ids = lost.map(([id]) => id)
  return lost[0] === undefined ? null : { count: ids.length, ids, since: lost[0][1] }
}

/** The erased whose key a vault holds again: an older copy of the vault was put back. */
export const returnedKeys = (
  { erased }: Pick<KeysOfLog, 'erased'>,
  { keys }: Pick<VaultContents, 'keys'>,
): readonly string[] => keys.map(({ subjectId }) => subjectId).filter((id) => erased.has(id))

/** A vault's contents with further ids as erased, and without their keys. */
export const withErased = (contents: VaultContents, ids: Iterable<string>): VaultContents => {
  const erased = new Set([...contents.erasedIds, ...ids])
  return {
    keys: contents.keys.filter(({ subjectId }) => !erased.has(subjectId)),
    erasedIds: [...erased],
  }
}
