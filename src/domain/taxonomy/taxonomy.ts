import {
  acceptedFields,
  type EntryChange,
  entryChangeOf,
  type EntryChanges,
  type EntryFields,
  evolveEntries,
  findByName,
  sampleIds,
  type TaxonomyEntry,
  type TaxonomyKind,
  type TaxonomyState,
  valueOf,
} from './entry.ts'
import type { TaxonomyEvent } from './events.ts'
import type { Decider } from '../decider.ts'
import { cannotBeUndone, changedSince, invalidField, nameTaken, Refusal } from '../refusal.ts'

/** The stream of a whole set, so that a name that only one may have is a plain decision. */
export const taxonomyStream = (kind: TaxonomyKind): 'categories' | 'mediums' =>
  kind === 'Category' ? 'categories' : 'mediums'

/** What can be asked of a set of categories or mediums. Fields absent or undefined stay as they are. */
export type TaxonomyCommand =
  | ({ readonly type: 'Add'; readonly id: string; readonly sample: boolean } & EntryFields)
  | {
      readonly type: 'Revise'
      readonly id: string
      readonly changes: EntryChanges
    }
  | { readonly type: 'Delete'; readonly id: string }
  /** `ids`: those that no work uses; samples among them go, all others stay */
  | { readonly type: 'RemoveUnusedSamples'; readonly ids: readonly string[] }
  /** `place`: where it comes to stand among all that are there, or were deleted, when it is decided; null: nowhere */
  | {
      readonly type: 'Move'
      readonly id: string
      readonly place: (entries: readonly TaxonomyEntry[]) => Placing | null
    }
  /** Takes back what one command did: all of its events, or those of one entry. */
  | { readonly type: 'UndoChange'; readonly events: readonly TaxonomyEvent[] }

/**
 * Where an entry is put, where it came from as its old neighbours stand now, and the ranks that others get (see
 * {@link CategoryMoved}).
 */
export interface Placing {
  readonly sortOrder: number
  /** null only where it stands already and was never given one */
  readonly rank: string | null
  readonly fromRank: string | null
  readonly ranks: Readonly<Record<string, string>>
}

const words = { Category: 'category', Medium: 'medium' } as const

/** @throws {Refusal} `taken` when an entry other than `id` has the name */
const refuseTaken = (kind: TaxonomyKind, state: TaxonomyState, id: string, name: string): void => {
  const holder = findByName(state, name)
  if (holder !== null && holder.id !== id)
    throw nameTaken('name', `There is already a ${words[kind]} called “${holder.name}”`)
}

/** @throws {Refusal} `missing` */
const present = (kind: TaxonomyKind, state: TaxonomyState, id: string): TaxonomyEntry => {
  const entry = state.get(id)
  if (entry === undefined || entry.deleted)
    throw new Refusal('missing', `There is no such ${words[kind]}, or it was deleted`)
  return entry
}

const deletion = ({ id, name }: TaxonomyEntry, withSamples: boolean): EntryChange => ({
  what: 'Deleted',
  data: { id, name, withSamples },
})

const switched = (isActive: boolean, data: { readonly id: string; readonly name: string }): EntryChange => ({
  what: isActive ? 'Activated' : 'Deactivated',
  data,
})

type ValueChange = keyof typeof valueOf

// The table says which event tells of which field, and so of which type `from` and `to` are.
const valueChange = (what: ValueChange, id: string, from: unknown, to: unknown): EntryChange =>
  ({ what, data: { id, from, to } }) as EntryChange

const changed = (what: ValueChange, entry: TaxonomyEntry, to: unknown): readonly EntryChange[] => {
  const from = entry[valueOf[what]]
  return to === undefined || to === from ? [] : [valueChange(what, entry.id, from, to)]
}

const isSamePlace = (
  one: { readonly sortOrder: number; readonly rank: string | null },
  other: { readonly sortOrder: number; readonly rank: string | null },
): boolean => one.sortOrder === other.sortOrder && one.rank === other.rank

/** Whether all others than the moved one have the ranks already that they are to get. */
const haveRanks = (state: TaxonomyState, moved: string, ranks: Readonly<Record<string, string>>): boolean =>
  Object.entries(ranks).every(([id, rank]) => id === moved || !state.has(id) || state.get(id)?.rank === rank)

/** Whether what happened to an entry can be undone: one that was added is simply deleted. */
export const canUndoEntry = (type: string): boolean => type !== 'CategoryAdded' && type !== 'MediumAdded'

/**
 * What takes one change back.
 * @throws {Refusal} `blocked` when it was changed since; `taken` when another has the name now
 */
const stepBack = (kind: TaxonomyKind, state: TaxonomyState, change: EntryChange): EntryChange => {
  const entry = state.get(change.data.id)
  if (entry === undefined || change.what === 'Added') throw cannotBeUndone()
  const { id, name } = entry
  const holds = (so: boolean): void => {
    if (!so || entry.deleted !== (change.what === 'Deleted')) throw changedSince()
  }
  switch (change.what) {
    case 'Renamed':
    case 'Described':
    case 'Reordered': {
      const { from, to } = change.data
      holds(entry[valueOf[change.what]] === to)
      if (change.what === 'Renamed') refuseTaken(kind, state, id, change.data.from)
      return valueChange(change.what, id, to, from)
    }
    case 'Activated':
    case 'Deactivated': {
      const isActive = change.what === 'Activated'
      holds(entry.isActive === isActive)
      return switched(!isActive, { id, name })
    }
    case 'Moved': {
      const { sortOrder, rank, from } = change.data
      holds(isSamePlace(entry, { sortOrder, rank }))
      return { what: 'Moved', data: { id, ...from, from: { sortOrder, rank }, ranks: {} } }
    }
    case 'Deleted':
      holds(true)
      refuseTaken(kind, state, id, name)
      return { what: 'Restored', data: { id, name } }
    case 'Restored':
      holds(true)
      return deletion(entry, entry.sample)
  }
}

const decideChanges = (
  kind: TaxonomyKind,
  command: TaxonomyCommand,
  state: TaxonomyState,
): readonly EntryChange[] => {
  switch (command.type) {
    case 'Add': {
      const { id, sample } = command
      if (state.has(id)) throw new Refusal('blocked', `This ${words[kind]} was already added`)
      const { name, description, isActive, sortOrder } = acceptedFields(command)
      refuseTaken(kind, state, id, name)
      return [{ what: 'Added', data: { id, name, description, isActive, sortOrder, sample } }]
    }
    case 'Revise': {
      const { id } = command
      const entry = present(kind, state, id)
      const { name, description, isActive, sortOrder } = acceptedFields(command.changes)
      if (name !== undefined) refuseTaken(kind, state, id, name)
      return [
        ...changed('Renamed', entry, name),
        ...changed('Described', entry, description),
        ...(isActive === undefined || isActive === entry.isActive
          ? []
          : [switched(isActive, { id, name: name ?? entry.name })]),
        ...changed('Reordered', entry, sortOrder),
      ]
    }
    case 'Delete':
      return [deletion(present(kind, state, command.id), false)]
    case 'RemoveUnusedSamples': {
      const [samples, unused] = [new Set(sampleIds(state)), new Set(command.ids)]
      return [...state.values()]
        .filter(({ id }) => samples.has(id) && unused.has(id))
        .map((entry) => deletion(entry, true))
    }
    case 'Move': {
      const { id } = command
      const entry = present(kind, state, id)
      const place = command.place([...state.values()])
      if (place === null) throw invalidField('before', 'The one to put it before is not there any more')
      const { sortOrder, rank, fromRank, ranks } = place
      acceptedFields({ sortOrder })
      // A rank that it has already is another place where those beside it get new ones.
      if (isSamePlace(entry, { sortOrder, rank }) && haveRanks(state, id, ranks)) return []
      const from = { sortOrder: entry.sortOrder, rank: fromRank }
      return [{ what: 'Moved', data: { id, sortOrder, rank, from, ranks } }]
    }
    case 'UndoChange':
      return command.events.flatMap((event) => {
        const change = entryChangeOf(kind, event)
        return change === null ? [] : [stepBack(kind, state, change)]
      })
  }
}

/**
 * The decider of one set, categories or mediums: unique names, reserved ones refused, each entry with a version of its own.
 */
const taxonomy = (kind: TaxonomyKind): Decider<TaxonomyState, TaxonomyCommand, TaxonomyEvent> => ({
  initialState: new Map(),
  decide: (command, state) =>
    // Both tables of events are the same but for the set's word before each type.
    decideChanges(kind, command, state).map(
      ({ what, data }) => ({ type: `${kind}${what}`, data }) as unknown as TaxonomyEvent,
    ),
  evolve: (state, event) => evolveEntries(kind, state, [event]),
  evolveAll: (state, events) => evolveEntries(kind, state, events),
  versionOf: (state, command) => {
    const entry = 'id' in command ? state.get(command.id) : undefined
    return entry === undefined || entry.deleted ? null : entry.version
  },
})

export const categoriesDecider = taxonomy('Category')
export const mediumsDecider = taxonomy('Medium')

/** One set, categories or mediums, as one aggregate. */
export const taxonomyAggregate = (kind: TaxonomyKind) => ({
  stream: taxonomyStream(kind),
  decider: kind === 'Category' ? categoriesDecider : mediumsDecider,
})
