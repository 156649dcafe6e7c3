import type { RecordedEvent } from './ports/event-store.ts'

/**
 * A page of the log ends at about so many characters of data: events may be a thousand times as long as usual, as those
 * of a blog's long texts, and a page of any number of them must fit into memory.
 */
const mostCharacters = 4_000_000

/** A page of the log in the making. */
interface EventPage<Event> {
  readonly events: readonly Event[]
  readonly isFull: () => boolean
  /** @param characters of its data, about */
  readonly add: (event: Event, characters: number) => void
}

/** Begins a page. @param limit in events */
export const openPage = <Event = RecordedEvent>(limit: number): EventPage<Event> => {
  const events: Event[] = []
  let room = mostCharacters
  return {
    events,
    isFull: () => events.length >= limit || room <= 0,
    add: (event, characters) => {
      events.push(event)
      room -= characters
    },
  }
}

/** About how long a value is as JSON. */
export const charactersIn = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, each) => sum + charactersIn(each), 0)
}
