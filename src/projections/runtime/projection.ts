import type { LoggedEvent } from '#application/kernel/codec.ts'
import type { Document, Scalar, ViewDefinition } from '#application/kernel/ports/documents.ts'
import type { DomainEventType } from '#domain/events.ts'
import type { ProjectedModel } from '../models.ts'

/** Every document remembers the last event applied to it, so that an event that comes again changes nothing. */
export interface ViewDocument extends Document {
  readonly position: string
}

export interface Where {
  readonly [field: string]: Scalar
}

/**
 * Which documents of its view an event changes: those with these ids (there or not), those whose fields have
 * these values, or all there are. `where` may name only fields that `apply` sets, never derived ones. Shared
 * documents are changed by id only.
 */
export interface Targets {
  readonly ids?: readonly string[]
  readonly where?: Where
  readonly all?: boolean
}

/** Looks at another document of the same view: a shared one, or one named by `reads`. */
export type Read<Doc> = (id: string) => Doc | null

/**
 * How events become the documents of one view. Pure: no clock, no I/O; the same events in the same order
 * always give the same documents. Methods, so that the projector can hold all kinds in one list.
 */
export interface Projection<
  Doc extends ViewDocument = ViewDocument,
  Type extends DomainEventType = DomainEventType,
> {
  readonly view: ViewDefinition
  /** what people see changing when a document of this view changes */
  readonly models: readonly ProjectedModel[]
  /** other event types are passed over without being decoded */
  readonly handles: readonly Type[]
  /** ids of documents that are settings of the whole view; always readable, never part of `where` or `all` */
  readonly shared?: readonly string[]
  /**
   * Types whose events the view numbers as they come, from 0. The same event has the same number in every replay, so
   * that documents may hold so many events each, and be named by the number alone.
   */
  readonly numbers?: readonly Type[]
  /** no answer of a command is made of it: none waits for it */
  readonly unawaited?: true
  /** documents kept in memory between batches; 2,000 unless told */
  readonly keep?: number
  /** @param number of an event that is numbered; else how many were before it */
  targets(event: LoggedEvent<Type>, number: number): Targets
  /** ids of other documents that `apply` will look at for this event */
  reads?(event: LoggedEvent<Type>, number: number): readonly string[]
  /**
   * The document after the event, stamped with the event's position; null when there is none (any more).
   * The same object back means that nothing changed. Never called for an event the document has seen.
   */
  apply(doc: Doc | null, event: LoggedEvent<Type>, id: string, read: Read<Doc>, number: number): Doc | null
  /** Fields computed from the rest, once for each written document however many events changed it. */
  derive?(doc: Doc, read: Read<Doc>): Doc
}
