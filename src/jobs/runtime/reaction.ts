import { CodecError, decodeEvent, type LoggedEvent } from '#application/kernel/codec.ts'
import type { RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { NewJob } from '#application/kernel/ports/job-queue.ts'

/** Which work follows from which events. Pure; a replay of projections does not come through here. */
export interface Reactions {
  /** The work that follows from an event: the same event gives the same jobs, and they carry ids only. */
  readonly to: (event: LoggedEvent) => readonly NewJob[]
  /** whether work may follow from an event of this type, for its stream */
  readonly begins: (type: string) => boolean
  /** whether this version of the program knows events of this type and version: else what follows from them is not known */
  readonly knows: (form: Pick<RecordedEvent, 'type' | 'schemaVersion'>) => boolean
  /** whether an event of this type says of its stream that the work is done or no longer wanted */
  readonly ends: (type: string) => boolean
}

/**
 * The jobs that follow from an event in the log; none from one that cannot be read: the projections park such an event and
 * report it.
 * @param onUnreadable is told of it
 */
export const jobsOf = (
  recorded: RecordedEvent,
  reactions: Reactions,
  onUnreadable: (error: CodecError) => void = () => undefined,
): readonly NewJob[] => {
  try {
    const event = decodeEvent(recorded)
    return event === null ? [] : reactions.to(event)
  } catch (error) {
    if (!(error instanceof CodecError)) throw error
    onUnreadable(error)
    return []
  }
}
