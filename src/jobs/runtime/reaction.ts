import type { RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { NewJob } from '#application/kernel/ports/job-queue.ts'
import type { DomainEvent } from '#domain/events.ts'

/** An event with what a reaction needs to know of it. */
export type Happened = DomainEvent & Pick<RecordedEvent, 'id' | 'stream' | 'meta'>

/** Which work follows from which events. Pure; a replay of projections does not come through here. */
export interface Reactions {
  /** The work that follows from an event: the same event gives the same jobs, and they carry ids only. */
  readonly to: (event: Happened) => readonly NewJob[]
  /** whether work may follow from an event of this type, for its stream */
  readonly begins: (type: string) => boolean
  /** whether an event of this type says of its stream that the work is done or no longer wanted */
  readonly ends: (type: string) => boolean
}
