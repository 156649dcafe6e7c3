import type { CategoryEvent, MediumEvent, TaxonomyEvent } from './events.ts'
import type { Decider } from '../decider.ts'
import {
  badSortOrder,
  limits,
  line,
  lines,
  oneLine,
  refuseInvalid,
  required,
  textProblem,
  tidyText,
} from '../field-rules.ts'
import { cannotBeUndone, changedSince, nameTaken, Refusal } from '../refusal.ts'

export type TaxonomyKind = 'Category' | 'Medium'

/** The stream of a whole set, so that a name that only one may have is a plain decision. */
export const taxonomyStream = (kind: TaxonomyKind): 'categories' | 'mediums' =>
  kind === 'Category' ? 'categories' : 'mediums'

export interface TaxonomyEntry {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly isActive: boolean
  readonly sortOrder: number
  /** orders those of one sort order; none until something was moved there */
  readonly rank: string | null
  /** sample content that the owner has never changed; any change of hers makes it hers */
  readonly sample: boolean
  /** a deleted one keeps its last name, which stays as text on its works */
  readonly deleted: boolean
  /** how often it was changed; its adding is the first */
  readonly version: number
}

/** Every entry there ever was, by id. */
export type TaxonomyState = ReadonlyMap<string, TaxonomyEntry>

interface EntryFields {
  readonly name: string
  readonly description: string
  readonly isActive: boolean
  readonly sortOrder: number
}

/** What can be asked of a set of categories or mediums. Fields absent or undefined stay as they are. */
export type TaxonomyCommand =
  | ({ readonly type: 'Add'; readonly id: string; readonly sample: boolean } & EntryFields)
  | {
      readonly type: 'Revise'
      readonly id: string
      readonly changes: { readonly [Field in keyof EntryFields]?: EntryFields[Field] | undefined }
    }
  | { readonly type: 'Delete'; readonly id: string }
  /** `ids`: those that no work uses; samples among them go, all others stay */
  | { readonly type: 'RemoveUnusedSamples'; readonly ids: readonly string[] }
  /** `ranks`: see {@link CategoryMoved} */
  | ({ readonly type: 'Move'; readonly id: string } & Placing)
  /** Takes back what one command did: all of its events, or those of one entry. */
  | { readonly type: 'UndoChange'; readonly events: readonly TaxonomyEvent[] }

/** Where an entry is put, where it came from as its old neighbours stand now, and the ranks that others get. */
export interface Placing {
  readonly sortOrder: number
  /** null only where it stands already and was never given one */
  readonly rank: string | null
  readonly fromRank: string | null
  readonly ranks: Readonly<Record<string, string>>
}

type Added = Extract<CategoryEvent, { type: 'CategoryAdded' }>['data']
type TextChanged = Extract<CategoryEvent, { type: 'CategoryRenamed' }>['data']
type OrderChanged = Extract<CategoryEvent, { type: 'CategoryReordered' }>['data']
type Just = Extract<CategoryEvent, { type: 'CategoryActivated' }>['data']
type Deleted = Extract<CategoryEvent, { type: 'CategoryDeleted' }>['data']
type Moved = Extract<CategoryEvent, { type: 'CategoryMoved' }>['data']

/** What happened to either set, without the set's own word before it. */
type Change =
  | { readonly what: 'Added'; readonly data: Added }
  | { readonly what: 'Renamed' | 'Described'; readonly data: TextChanged }
  | { readonly what: 'Reordered'; readonly data: OrderChanged }
  | { readonly what: 'Activated' | 'Deactivated' | 'Restored'; readonly data: Just }
  | { readonly what: 'Deleted'; readonly data: Deleted }
  | { readonly what: 'Moved'; readonly data: Moved }

const words = { Category: 'category', Medium: 'medium' } as const

/** What two names are compared by: NFKC, blanks collapsed, case folded. */
export const nameKey = (name: string): string => oneLine(name.normalize('NFKC')).toUpperCase().toLowerCase()

/** The entry of that name that is not deleted, else null. Names are compared by {@link nameKey}. */
export const findByName = (
  state: TaxonomyState,
  name: string,
): { readonly id: string; readonly name: string } | null => {
  // Nothing is called that; what follows takes the square of a name's length.
  if (name.length > limits.name) return null
  const key = nameKey(name)
  for (const entry of state.values())
    if (!entry.deleted && nameKey(entry.name) === key) return { id: entry.id, name: entry.name }
  return null
}

/** The name each id stands for, deleted ones with their last: what works that carry the id show. */
export const namesById = (state: TaxonomyState): Readonly<Record<string, string>> =>
  Object.fromEntries([...state.values()].map(({ id, name }) => [id, name]))

/** The sample entries that are still there, and that she never changed. */
export const sampleIds = (state: TaxonomyState): readonly string[] =>
  [...state.values()].filter(({ sample, deleted }) => sample && !deleted).map(({ id }) => id)

/** The gallery's filter uses these words for "no filter". */
const reservedNames: readonly string[] = ['all', 'all artwork']

/** What the texts of an entry may be. */
export const entryRules = {
  name: required(
    line('Name', limits.name, {
      is: (name) => !reservedNames.includes(nameKey(name)),
      sentence: 'This name is used for the whole gallery; please choose another name',
    }),
  ),
  description: lines('Description', limits.longText),
}

/** The same fields as they are kept. @throws {Refusal} `invalid`, naming every field at fault */
const accepted = <Fields extends { readonly [Field in keyof EntryFields]?: EntryFields[Field] | undefined }>(
  fields: Fields,
): Fields => {
  const { name, description, sortOrder } = fields
  const tidy = {
    ...fields,
    ...(name === undefined ? {} : { name: tidyText(entryRules.name, name) }),
    ...(description === undefined ? {} : { description: tidyText(entryRules.description, description) }),
  }
  refuseInvalid({
    name: tidy.name === undefined ? null : textProblem(entryRules.name, tidy.name),
    description:
      tidy.description === undefined ? null : textProblem(entryRules.description, tidy.description),
    sortOrder: sortOrder === undefined ? null : badSortOrder(sortOrder),
  })
  return tidy
}

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

const deletion = ({ id, name }: TaxonomyEntry, withSamples: boolean): Change => ({
  what: 'Deleted',
  data: { id, name, withSamples },
})

const isSamePlace = (
  one: { readonly sortOrder: number; readonly rank: string | null },
  other: { readonly sortOrder: number; readonly rank: string | null },
): boolean => one.sortOrder === other.sortOrder && one.rank === other.rank

/** What the set's own word stands before, for a stored event of either set. */
const changeOf = (kind: TaxonomyKind, { type, data }: TaxonomyEvent): Change | null => {
  const what = type.startsWith(kind) ? type.slice(kind.length) : ''
  // The word after the set's own tells which data it carries.
  return changeWords.has(what) ? ({ what, data } as Change) : null
}

/** Whether what one command did to a set can be undone. */
export const canUndoEntries = (types: readonly string[]): boolean =>
  types.length > 0 &&
  types.every((type) => /^(?:Category|Medium)/.test(type) && !/^(?:Category|Medium)Added$/.test(type))

/**
 * What takes one change back.
 * @throws {Refusal} `blocked` when it was changed since; `taken` when another has the name now
 */
const stepBack = (kind: TaxonomyKind, state: TaxonomyState, change: Change): Change => {
  const entry = state.get(change.data.id)
  if (entry === undefined || change.what === 'Added') throw cannotBeUndone()
  const { id, name } = entry
  const holds = (so: boolean): void => {
    if (!so || entry.deleted !== (change.what === 'Deleted')) throw changedSince()
  }
  switch (change.what) {
    case 'Renamed':
      holds(name === change.data.to)
      refuseTaken(kind, state, id, change.data.from)
      return { what: 'Renamed', data: { id, from: name, to: change.data.from } }
    case 'Described':
      holds(entry.description === change.data.to)
      return { what: 'Described', data: { id, from: entry.description, to: change.data.from } }
    case 'Reordered':
      holds(entry.sortOrder === change.data.to)
      return { what: 'Reordered', data: { id, from: entry.sortOrder, to: change.data.from } }
    case 'Activated':
    case 'Deactivated': {
      const isActive = change.what === 'Activated'
      holds(entry.isActive === isActive)
      return { what: isActive ? 'Deactivated' : 'Activated', data: { id, name } }
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
): readonly Change[] => {
  switch (command.type) {
    case 'Add': {
      const { id, sample } = command
      if (state.has(id)) throw new Refusal('blocked', `This ${words[kind]} was already added`)
      const { name, description, isActive, sortOrder } = accepted(command)
      refuseTaken(kind, state, id, name)
      return [{ what: 'Added', data: { id, name, description, isActive, sortOrder, sample } }]
    }
    case 'Revise': {
      const { id } = command
      const entry = present(kind, state, id)
      const { name, description, isActive, sortOrder } = accepted(command.changes)
      if (name !== undefined) refuseTaken(kind, state, id, name)
      const changes: Change[] = []
      if (name !== undefined && name !== entry.name)
        changes.push({ what: 'Renamed', data: { id, from: entry.name, to: name } })
      if (description !== undefined && description !== entry.description)
        changes.push({ what: 'Described', data: { id, from: entry.description, to: description } })
      if (isActive !== undefined && isActive !== entry.isActive)
        changes.push({
          what: isActive ? 'Activated' : 'Deactivated',
          data: { id, name: name ?? entry.name },
        })
      if (sortOrder !== undefined && sortOrder !== entry.sortOrder)
        changes.push({ what: 'Reordered', data: { id, from: entry.sortOrder, to: sortOrder } })
      return changes
    }
    case 'Delete':
      return [deletion(present(kind, state, command.id), false)]
    case 'RemoveUnusedSamples': {
      const samples = new Set(sampleIds(state))
      return [...state.values()]
        .filter(({ id }) => samples.has(id) && command.ids.includes(id))
        .map((entry) => deletion(entry, true))
    }
    case 'Move': {
      const { id, sortOrder, rank, fromRank, ranks } = command
      const entry = present(kind, state, id)
      accepted({ sortOrder })
      if (isSamePlace(entry, { sortOrder, rank })) return []
      const from = { sortOrder: entry.sortOrder, rank: fromRank }
      return [{ what: 'Moved', data: { id, sortOrder, rank, from, ranks } }]
    }
    case 'UndoChange':
      return command.events.flatMap((event) => {
        const change = changeOf(kind, event)
        return change === null ? [] : [stepBack(kind, state, change)]
      })
  }
}

const fieldsAfter = (change: Exclude<Change, { what: 'Added' }>): Partial<TaxonomyEntry> => {
  switch (change.what) {
    case 'Renamed':
      return { name: change.data.to }
    case 'Described':
      return { description: change.data.to }
    case 'Reordered':
      return { sortOrder: change.data.to }
    case 'Activated':
      return { isActive: true }
    case 'Deactivated':
      return { isActive: false }
    case 'Moved':
      return { sortOrder: change.data.sortOrder, rank: change.data.rank }
    case 'Deleted':
      return { deleted: true }
    case 'Restored':
      return { deleted: false }
  }
}

/**
 * Whether an entry is still an untouched sample after a change. Restoring leaves it as it is: her own deletion
 * has made it hers before.
 */
const sampleAfter = (sample: boolean, change: Change): boolean =>
  sample && (change.what === 'Restored' || (change.what === 'Deleted' && change.data.withSamples))

/** An entry after a stored event that names it; as it was after one that does not change it. */
export const entryAfter = <Entry extends TaxonomyEntry>(entry: Entry, event: TaxonomyEvent): Entry => {
  const change = changeOf('Category', event) ?? changeOf('Medium', event)
  if (change === null || change.what === 'Added') return entry
  const rank = change.what === 'Moved' ? change.data.ranks[entry.id] : undefined
  if (entry.id !== change.data.id) return rank === undefined ? entry : { ...entry, rank }
  const sample = sampleAfter(entry.sample, change)
  return { ...entry, ...fieldsAfter(change), sample, version: entry.version + 1 }
}

const evolveEvent = (kind: TaxonomyKind, state: TaxonomyState, event: TaxonomyEvent): TaxonomyState => {
  const change = changeOf(kind, event)
  if (change === null) return state
  if (change.what === 'Added')
    return new Map(state).set(change.data.id, { ...change.data, rank: null, deleted: false, version: 1 })
  const named = change.what === 'Moved' ? Object.keys(change.data.ranks) : []
  const after = new Map(state)
  for (const id of [change.data.id, ...named]) {
    const entry = state.get(id)
    if (entry !== undefined) after.set(id, entryAfter(entry, event))
  }
  return after
}

const changeWords: ReadonlySet<string> = new Set([
  'Added',
  'Renamed',
  'Described',
  'Reordered',
  'Activated',
  'Deactivated',
  'Moved',
  'Deleted',
  'Restored',
] satisfies Change['what'][])

interface EventsOf {
  readonly Category: CategoryEvent
  readonly Medium: MediumEvent
}

/**
 * The decider of one set, categories or mediums: unique names, reserved ones refused, each entry with a version of its own.
 */
const taxonomy = <Kind extends TaxonomyKind>(
  kind: Kind,
): Decider<TaxonomyState, TaxonomyCommand, EventsOf[Kind]> => ({
  initialState: new Map(),
  decide: (command, state) =>
    // Both tables of events are the same but for the set's word before each type.
    decideChanges(kind, command, state).map(
      ({ what, data }) => ({ type: `${kind}${what}`, data }) as unknown as EventsOf[Kind],
    ),
  evolve: (state, event: TaxonomyEvent) => evolveEvent(kind, state, event),
  versionOf: (state, command) => {
    const entry = 'id' in command ? state.get(command.id) : undefined
    return entry === undefined || entry.deleted ? null : entry.version
  },
})

export const categories = taxonomy('Category')
export const mediums = taxonomy('Medium')
