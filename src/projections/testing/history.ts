import { deepStrictEqual } from 'node:assert'
import { encodeEvent } from '#application/kernel/codec.ts'
import { derivedId } from '#application/kernel/ids.ts'
import type { Actor, EventStore, Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { DomainEvent } from '#domain/events.ts'
import { openFolds } from '../runtime/fold-group.ts'
import type { Projection } from '../runtime/projection.ts'
import { memoryDocuments, type MemoryDocuments } from '#application/testing/memory-documents.ts'
import { positionOf } from '#application/testing/memory-event-store.ts'

/** An event of a test's log: where it happened and what; the rest is filled in by its place. */
export interface Happened {
  readonly stream: string
  readonly event: DomainEvent
  /** events with the same command belong together; unless given each has its own */
  readonly command?: string
  /** the command that this one takes back */
  readonly undoes?: string
  readonly actor?: Actor
  /** as the clock said; unless given its place says it */
  readonly at?: string
}

export const owner: Actor = { kind: 'owner', accountId: '2f6a1b7e-8c7c-4d43-9d7f-2f0f4a1f3a11' }

/** The time of the n-th event of a test's log, from 0: one minute each. */
export const timeOf = (n: number): string => new Date(Date.UTC(2026, 0, 1, 10, n)).toISOString()

/** Events as the log would answer them, in this order from position 0 on. */
export const recorded = (history: readonly Happened[]): readonly RecordedEvent[] => {
  const revisions = new Map<string, number>()
  return history.map(({ stream, event, command, undoes, actor, at }, n) => {
    const revision = (revisions.get(stream) ?? -1) + 1
    revisions.set(stream, revision)
    const idOf = (name: string): string => derivedId('test command', name)
    const commandId = idOf(command ?? String(n))
    const causationId = undoes === undefined ? commandId : idOf(undoes)
    return {
      ...encodeEvent(event),
      id: derivedId('test event', String(n)),
      stream,
      revision,
      position: positionOf(n),
      occurredAt: at ?? timeOf(n),
      meta: { correlationId: commandId, causationId, commandId, actor: actor ?? owner },
    }
  })
}

/** Appends events of {@link recorded} where each stands in its stream. @returns the position of the last one */
export const appendAll = async (log: EventStore, events: readonly RecordedEvent[]): Promise<Position> => {
  let position = positionOf(0)
  for (const event of events) {
    const expected = event.revision === 0 ? 'no-stream' : event.revision - 1
    ;({ position } = await log.append(event.stream, expected, [event]))
  }
  return position
}

const stored = (documents: MemoryDocuments, projections: readonly Projection[]): unknown =>
  projections.map(({ view }) => [
    view.name,
    [...documents.all(view).entries()].sort(([a], [b]) => (a < b ? -1 : 1)),
  ])

const projectInto = async (
  documents: MemoryDocuments,
  projections: readonly Projection[],
  events: readonly RecordedEvent[],
): Promise<void> => {
  const group = await openFolds(documents, projections)
  await group.foldIn(events)
  const batch = group.gather()
  await batch?.store()
  const [parked] = batch?.parked ?? []
  if (parked) throw new Error(`${parked.type} was parked: ${parked.reason}`)
}

/**
 * What the views show after a history. The history is projected in four ways that must agree: at once; with
 * every event coming twice; event by event, each stored; and again from an old checkpoint over documents that
 * have seen all of it, as after a crash between documents and checkpoint.
 * @throws AssertionError when they do not agree
 */
export const projected = async (
  projections: readonly Projection[],
  history: readonly Happened[],
): Promise<MemoryDocuments> => {
  const events = recorded(history)
  const atOnce = memoryDocuments()
  await projectInto(atOnce, projections, events)
  const expected = stored(atOnce, projections)

  const twice = memoryDocuments()
  await projectInto(
    twice,
    projections,
    events.flatMap((event) => [event, event]),
  )
  deepStrictEqual(stored(twice, projections), expected, 'Every event twice gives other documents')

  const stepwise = memoryDocuments()
  for (const event of events) await projectInto(stepwise, projections, [event])
  deepStrictEqual(stored(stepwise, projections), expected, 'Event by event gives other documents')

  const crashed = memoryDocuments()
  await projectInto(crashed, projections, events.slice(0, 1))
  crashed.fault = (seam) => {
    if (seam === 'between') throw new Error('crashed')
  }
  await projectInto(crashed, projections, events).catch(() => undefined)
  crashed.fault = null
  await projectInto(crashed, projections, events)
  deepStrictEqual(
    stored(crashed, projections),
    expected,
    'A crash before the checkpoint gives other documents',
  )
  return atOnce
}
