import { counted } from '#domain/list-in-words.ts'
import { Refusal } from '#domain/refusal.ts'
import { whyUnreadable } from '../codec.ts'
import type { EventStore, Position, RecordedEvent } from '../ports/event-store.ts'
import { type ExportedEvent, whyNoLine } from './event-line.ts'
import { eventsUpTo, type ReadOptions } from './export-events.ts'

/** Events that stand in a log and of which nobody can read what they say. */
export interface UnreadableEvents {
  readonly count: number
  /** the first of them, with the reason */
  readonly first: string
}

const whyNot = (event: ExportedEvent): string | null => whyUnreadable(event) ?? whyNoLine(event)

const named = ({ stream, revision, type }: ExportedEvent, why: string): string =>
  `event ${revision} of ${stream}, ${type} (${why})`

/** Looks for them as events go by. */
export const followUnreadable = (): {
  readonly see: (event: ExportedEvent) => void
  /** null: there is none so far */
  readonly found: () => UnreadableEvents | null
} => {
  let [count, first] = [0, '']
  return {
    see: (event) => {
      const why = whyNot(event)
      if (why === null) return
      count += 1
      if (count === 1) first = named(event, why)
    },
    found: () => (count === 0 ? null : { count, first }),
  }
}

/** Those up to a place. @throws the signal's reason when aborted */
export const unreadableIn = async (
  eventStore: Pick<EventStore, 'readAll'>,
  until: Position | null,
  options: ReadOptions = {},
): Promise<UnreadableEvents | null> => {
  const { see, found } = followUnreadable()
  for await (const page of eventsUpTo(eventStore, until, options)) page.forEach(see)
  return found()
}

/** Counts the events of other programs in the site's streams as they go by. */
export const followForeign = (): {
  readonly see: (event: RecordedEvent) => void
  /** says that there are some, and what to do about them; empty for none so far */
  readonly inWords: () => string
} => {
  let [count, first] = [0, '']
  return {
    see: ({ stream, revision, data }) => {
      count += 1
      if (count === 1) first = `event ${revision} of ${stream}, ${JSON.stringify(data['type'])}`
    },
    inWords: () =>
      count === 0
        ? ''
        : `Another program has written ${counted(count, 'event')} into the site’s streams, the first is ${first}. The site ` +
          'passes over them, and no backup has them. Have that program write elsewhere; a backup that is restored under another ' +
          'NAMESPACE is without them',
  }
}

/** Says that there are some; empty for none. */
export const unreadableInWords = (found: UnreadableEvents | null): string => {
  if (found === null) return ''
  const { count, first } = found
  return count === 1
    ? `An event of the log cannot be read: ${first}`
    : `${count} events of the log cannot be read, the first of them ${first}`
}

/** Says that there are some, and what to do about them; empty for none. */
export const unreadableWithAdvice = (found: UnreadableEvents | null): string =>
  found === null
    ? ''
    : `${unreadableInWords(found)}. Restore the newest backup that "atelier backup check" finds whole into an empty place, and ` +
      'rebuild no view until then: what these events have changed would not be in it. Where a newer Atelier wrote here, use ' +
      'that one'

/** What is made of a log that nobody could bring back is worse than nothing: it would be kept in the place of what is whole. */
export const refuseNoLine = (event: ExportedEvent): void => {
  if (whyNoLine(event) === null) return
  throw new Refusal('blocked', unreadableWithAdvice({ count: 1, first: named(event, whyNot(event) ?? '') }))
}
