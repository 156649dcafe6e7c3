import {
  type AppendResult,
  type EventStore,
  type Position,
  type RecordedEvent,
  RevisionConflict,
} from '../kernel/ports/event-store.ts'

// The only engine that makes these positions, so only it may name a string so.
const positionAt = (index: number): Position => String(index).padStart(10, '0') as Position

/** A log in memory for tests of what stands above it; `beforeAppend` lets a test get in between. */
export const memoryEventStore = (
  options: { readonly beforeAppend?: (stream: string) => void | Promise<void> } = {},
): EventStore & { readonly events: RecordedEvent[] } => {
  const events: RecordedEvent[] = []
  const ofStream = (stream: string) => events.filter((event) => event.stream === stream)
  const append: EventStore['append'] = async (stream, expected, added): Promise<AppendResult> => {
    await options.beforeAppend?.(stream)
    const revision = ofStream(stream).length - 1
    const actual = revision < 0 ? 'no-stream' : revision
    if (actual !== expected) throw new RevisionConflict(stream, expected, actual)
    for (const [index, event] of added.entries()) {
      events.push({
        ...structuredClone(event),
        stream,
        revision: revision + 1 + index,
        position: positionAt(events.length),
      })
    }
    return { revision: revision + added.length, position: positionAt(events.length - 1) }
  }
  return {
    events,
    append,
    appendInOrder: async (appends) => {
      for (const each of appends) await append(each.stream, each.expected, each.events)
    },
    readStream: async (stream, from) => ofStream(stream).slice(from),
    readAll: async (after, limit) =>
      events.filter((event) => after === null || event.position > after).slice(0, limit),
    subscribe: async function* (after) {
      yield events.filter((event) => after === null || event.position > after)
    },
    head: async () => events.at(-1)?.position ?? null,
    close: async () => {},
  }
}
