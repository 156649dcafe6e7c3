import type { EventStore, RecordedEvent } from './ports/event-store.ts'

/** Events of a stream in memory at once: each may be as long as a blog's post, and a stream has any number of them. */
const eventsAtOnce = 16

/** What stands in a stream from a revision on, a few events at once. */
export async function* streamInParts(
  eventStore: Pick<EventStore, 'readStream'>,
  stream: string,
  from = 0,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let next = from; ; ) {
    const events = await eventStore.readStream(stream, next, eventsAtOnce)
    const last = events.at(-1)
    if (last !== undefined) yield events
    if (last === undefined || events.length < eventsAtOnce) return
    next = last.revision + 1
  }
}
