import { decodeEvent, UnreadableEvent } from '../kernel/codec.ts'
import { streamInParts } from '../kernel/loaded-streams.ts'
import {
  type EventMeta,
  type EventStore,
  isForeign,
  type RecordedEvent,
} from '../kernel/ports/event-store.ts'
import { changesIn, partKeysOf, type UndoneModule } from './parts.ts'
import type { DomainEvent } from '#domain/events.ts'

/** What a command wrote to a stream, and what came after it. */
export interface WrittenByCommand {
  readonly commandId: string
  readonly stream: string
  readonly module: UndoneModule
  /** of the command and its undos */
  readonly recorded: readonly RecordedEvent[]
  /** of the command alone */
  readonly events: readonly DomainEvent[]
  /** whether something that the command wrote there may have rotted */
  readonly isRotted: boolean
  /** of the last event of the stream that was looked at */
  readonly revision: number
  /** what the later commands that still stand took back: undos of it among that */
  readonly undone: ReadonlySet<string>
  /**
   * What others changed after it, by the names of {@link changesIn}: a value that was changed and set again is not the command's any
   * more. A later command that was undone changed nothing.
   */
  readonly laterChanges: ReadonlySet<string>
  /** keys of the parts that somebody has changed after it in whatever way; what the site found out by itself is no change */
  readonly touchedSince: ReadonlySet<string>
}

/** What an event says; null where it has rotted, which whoever reads the state of its stream is told. */
const decodedOrNull = (event: RecordedEvent): DomainEvent | null => {
  try {
    return decodeEvent(event)
  } catch (error) {
    if (error instanceof UnreadableEvent) return null
    throw error
  }
}

/** A command that came later, without its events, of which there may be many. */
interface LaterCommand {
  /** the command that it takes back, if any, or itself */
  readonly because: string
  readonly changes: string[]
  /** the parts that a person touched by it */
  readonly touched: string[]
}

/** Those that still stand, of all in their order by id: neither what another of them took back, nor that other. */
export const standing = (later: ReadonlyMap<string, LaterCommand>): readonly LaterCommand[] => {
  const left = new Map<string, LaterCommand>()
  for (const [id, command] of later) if (!left.delete(command.because)) left.set(id, command)
  return [...left.values()]
}

/** Reads what a command wrote to a stream, and what came after it. @throws {EngineAway} when the log does not answer */
export const writtenTo = async (
  eventStore: Pick<EventStore, 'readStream'>,
  stream: string,
  module: UndoneModule,
  commandId: string,
): Promise<WrittenByCommand> => {
  const recorded: RecordedEvent[] = []
  const later = new Map<string, LaterCommand>()
  let revision = -1
  let isRotted = false
  const note = (event: RecordedEvent): void => {
    const { commandId: by, causationId: because } = event.meta
    const command = later.get(by) ?? { because, changes: [], touched: [] }
    later.set(by, command)
    command.changes.push(...changesIn(module, event))
    // Of one that has rotted it may not be known: then it may have been a person.
    const { actor }: Partial<EventMeta> = event.meta
    if (actor?.kind !== 'system') command.touched.push(...partKeysOf(module, event))
  }
  for await (const part of streamInParts(eventStore, stream))
    for (const event of part) {
      const { meta } = event
      ;({ revision } = event)
      if (isForeign(event)) continue
      // Of one whose metadata has rotted it may not be known by which command it came.
      if (typeof meta.commandId !== 'string') isRotted = true
      else if (meta.commandId === commandId || meta.causationId === commandId) recorded.push(event)
      else if (recorded.length > 0) note(event)
    }
  const own = recorded.filter((event) => event.meta.commandId === commandId)
  const events = own.flatMap((event) => decodedOrNull(event) ?? [])
  const since = standing(later)
  return {
    commandId,
    stream,
    module,
    recorded,
    events,
    isRotted: isRotted || own.length > events.length,
    revision,
    undone: new Set(since.map(({ because }) => because)),
    laterChanges: new Set(since.flatMap(({ changes }) => changes)),
    touchedSince: new Set(since.flatMap(({ touched }) => touched)),
  }
}
