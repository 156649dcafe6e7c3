import type { DomainEvent } from '#domain/events.ts'

export type UndoneModule = 'artworks' | 'categories' | 'mediums' | 'site-content' | 'journal'

/** What one command changed that stands and falls together: a work, an entry of a set, a post, a text. */
export interface Part {
  /** tells the parts of one stream apart */
  readonly key: string
  /** those that can be read */
  readonly events: readonly DomainEvent[]
}

/** Whether each part of its stream is a thing of its own. */
export const isSet = (module: UndoneModule): boolean => module === 'categories' || module === 'mediums'

/** The parts that an event of a stream belongs to. */
export const partKeysOf = (module: UndoneModule, { data }: { readonly data: object }): readonly string[] => {
  if (module === 'site-content') {
    // The blog's address is the one setting whose event names no fields.
    return 'changes' in data ? Object.keys(data.changes as object) : ['blogUrl']
  }
  return isSet(module) && 'id' in data ? [String(data.id)] : ['']
}

/** Of a value that two types of event set, the one by whose name a change of it goes. */
const sameChange: Partial<Record<string, DomainEvent['type']>> = {
  SampleContentRemoved: 'ContentUpdated',
  CategoryMoved: 'CategoryReordered',
  MediumMoved: 'MediumReordered',
}

/** Names for what an event changes in the parts of its stream: one that changes the same again has the same names. */
export const changesIn = (
  module: UndoneModule,
  event: { readonly type: string; readonly data: object },
): readonly string[] => {
  const field = 'field' in event.data ? String(event.data.field) : ''
  return partKeysOf(module, event).map((key) => `${sameChange[event.type] ?? event.type} ${key} ${field}`)
}

/** An event of the site's texts as it is for one field alone. */
const forField = (event: DomainEvent, field: string): DomainEvent => {
  if (!('changes' in event.data)) return event
  const changes = Object.entries(event.data.changes).filter(([name]) => name === field)
  // The same event with fewer of its fields.
  return { ...event, data: { ...event.data, changes: Object.fromEntries(changes) } } as DomainEvent
}

export const partsOf = (module: UndoneModule, events: readonly DomainEvent[]): readonly Part[] => {
  const parts = new Map<string, DomainEvent[]>()
  for (const event of events)
    for (const key of partKeysOf(module, event)) {
      const mine = module === 'site-content' ? forField(event, key) : event
      parts.set(key, [...(parts.get(key) ?? []), mine])
    }
  return [...parts].map(([key, own]) => ({ key, events: own }))
}
