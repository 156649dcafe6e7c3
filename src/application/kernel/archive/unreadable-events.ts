import { whyUnreadable } from '../codec.ts'
import type { EventStore, Position, RecordedEvent } from '../ports/event-store.ts'
import { hasMeta } from './event-line.ts'
import { eventsUpTo } from './export-events.ts'

/** Events that stand in a log and of which nobody can read what they say. */
export interface UnreadableEvents {
  readonly count: number
  /** the first of them, with the reason */
  readonly first: string
}

type Seen = Pick<RecordedEvent, 'stream' | 'revision' | 'type' | 'schemaVersion' | 'meta' | 'data'>

const whyNot = (event: Seen): string | null =>
  whyUnreadable(event) ?? (hasMeta(event) ? null : 'who did it and why is not in the form of an event')

/** Looks for them as events go by. */
export const followUnreadable = (): {
  readonly see: (event: Seen) => void
  /** null: there is none so far */
  readonly found: () => UnreadableEvents | null
} => {
  let [count, first] = [0, '']
  return {
    see: (event) => {
      const why = whyNot(event)
      if (why === null) return
      count += 1
      if (count === 1) first = `event ${event.revision} of ${event.stream}, ${event.type} (${why})`
    },
    found: () => (count === 0 ? null : { count, first }),
  }
}

/** Those up to a place. @throws the signal's reason when aborted */
export const unreadableIn = async (
  eventStore: Pick<EventStore, 'readAll'>,
  until: Position | null,
  signal?: AbortSignal,
): Promise<UnreadableEvents | null> => {
  const { see, found } = followUnreadable()
  for await (const page of eventsUpTo(eventStore, until, signal && { signal })) page.forEach(see)
  return found()
}

/** Says that there are some; empty for none. */
export const unreadableInWords = (found: UnreadableEvents | null): string => {
  if (found === null) return ''
  const { count, first } = found
  return count === 1
    ? `An event of the log cannot be read: ${first}`
    : `${count} events of the log cannot be read, the first of them ${first}`
}

/** What to do about them. */
export const unreadableAdvice =
  'Restore the newest backup that "atelier backup check" finds whole into an empty place, and rebuild no view until then: what ' +
  'these events have changed would not be in it. Where a newer Atelier wrote here, use that one'
