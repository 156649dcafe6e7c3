import type { Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { fromPosition, toPosition } from './event-rows.ts'

/** At most so many events, and so many characters of their data, are kept. */
const mostEvents = 256
const mostCharacters = 1_000_000

/** An event with the length of its stored text. */
export interface SizedEvent {
  readonly event: RecordedEvent
  readonly characters: number
}

/** The newest events of the log in memory: who follows it need not read again what was written a moment ago. */
export const recentEvents = () => {
  const kept: SizedEvent[] = []
  let characters = 0
  /** every event behind this position is kept; null while nothing is known */
  let from: Position | null = null

  return {
    /** Takes in what was committed just now, in the order of the log. */
    add: (written: readonly SizedEvent[]): void => {
      const [first] = written
      if (first === undefined) return
      from ??= toPosition(fromPosition(first.event.position) - 1)
      for (const each of written) {
        kept.push(each)
        characters += each.characters
      }
      while (kept.length > mostEvents || characters > mostCharacters) {
        const oldest = kept.shift()
        if (oldest === undefined) return
        characters -= oldest.characters
        from = oldest.event.position
      }
    },
    /** Up to `limit` events behind a position, none at the head; null when only the log itself can tell. */
    after: (position: Position | null, limit: number): readonly RecordedEvent[] | null => {
      if (from === null || position === null || position < from) return null
      // Whoever follows stands near the end.
      let at = kept.length
      while (at > 0 && (kept[at - 1]?.event.position ?? '') > position) at -= 1
      return kept.slice(at, at + limit).map(({ event }) => event)
    },
  }
}
