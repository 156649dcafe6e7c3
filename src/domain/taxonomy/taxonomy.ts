import type { CategoryEvent, MediumEvent, TaxonomyEvent } from './events.ts'
import type { Decider } from '#domain/decider.ts'
import { badSortOrder, limits, oneLine, refuseInvalid, tooLong } from '#domain/fields.ts'
import { nameTaken, Refusal } from '#domain/refusal.ts'

export type TaxonomyKind = 'Category' | 'Medium'

/** The stream of a whole set, so that a name that only one may have is a plain decision (decisions 8). */
export const taxonomyStream = (kind: TaxonomyKind): 'categories' | 'mediums' =>
  kind === 'Category' ? 'categories' : 'mediums'

export interface TaxonomyEntry {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly isActive: boolean
  readonly sortOrder: number
  readonly sample: boolean
  /** a deleted one keeps its last name, which stays as text on its works (decisions 9) */
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
  /** `ids`: those that no work uses; samples among them go, all others stay (decisions 62) */
  | { readonly type: 'RemoveUnusedSamples'; readonly ids: readonly string[] }

type Added = Extract<CategoryEvent, { type: 'CategoryAdded' }>['data']
type TextChanged = Extract<CategoryEvent, { type: 'CategoryRenamed' }>['data']
type OrderChanged = Extract<CategoryEvent, { type: 'CategoryReordered' }>['data']
type Just = Extract<CategoryEvent, { type: 'CategoryDeleted' }>['data']

/** What happened to either set, without the set's own word before it. */
type Change =
  | { readonly what: 'Added'; readonly data: Added }
  | { readonly what: 'Renamed' | 'Described'; readonly data: TextChanged }
  | { readonly what: 'Reordered'; readonly data: OrderChanged }
  | { readonly what: 'Activated' | 'Deactivated' | 'Deleted'; readonly data: Just }

const words = { Category: 'category', Medium: 'medium' } as const

/** What two names are compared by: NFKC, blanks collapsed, case folded (decisions 8). */
export const nameKey = (name: string): string => oneLine(name.normalize('NFKC')).toUpperCase().toLowerCase()

/** The entry of that name that is not deleted, else null. Names are compared by {@link nameKey}. */
export const findByName = (
  state: TaxonomyState,
  name: string,
): { readonly id: string; readonly name: string } | null => {
  const key = nameKey(name)
  for (const entry of state.values())
    if (!entry.deleted && nameKey(entry.name) === key) return { id: entry.id, name: entry.name }
  return null
}

/** The name each id stands for, deleted ones with their last: what works that carry the id show. */
export const namesById = (state: TaxonomyState): Readonly<Record<string, string>> =>
  Object.fromEntries([...state.values()].map(({ id, name }) => [id, name]))

/** The sample entries that are still there. */
export const sampleIds = (state: TaxonomyState): readonly string[] =>
  [...state.values()].filter(({ sample, deleted }) => sample && !deleted).map(({ id }) => id)

/** The gallery's filter uses these words for "no filter" (decisions 9). */
const reservedNames: readonly string[] = ['all', 'all artwork']

const nameProblem = (name: string): string | null => {
  if (name === '') return 'Name is required'
  if (reservedNames.includes(nameKey(name)))
    return `“${name}” stands for all works in the gallery: choose another name`
  return tooLong('Name', name, limits.name)
}

/** @throws {Refusal} `invalid`, naming every field at fault */
const refuseWrong = (fields: { readonly [Field in keyof EntryFields]?: EntryFields[Field] | undefined }) =>
  refuseInvalid({
    name: fields.name === undefined ? null : nameProblem(fields.name),
    description:
      fields.description === undefined ? null : tooLong('Description', fields.description, limits.longText),
    sortOrder: fields.sortOrder === undefined ? null : badSortOrder(fields.sortOrder),
  })

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

const deletion = ({ id, name }: TaxonomyEntry): Change => ({ what: 'Deleted', data: { id, name } })

const decideChanges = (
  kind: TaxonomyKind,
  command: TaxonomyCommand,
  state: TaxonomyState,
): readonly Change[] => {
  switch (command.type) {
    case 'Add': {
      const { id, description, isActive, sortOrder, sample } = command
      const name = oneLine(command.name)
      if (state.has(id)) throw new Refusal('blocked', `This ${words[kind]} was already added`)
      refuseWrong({ name, description, sortOrder })
      refuseTaken(kind, state, id, name)
      return [{ what: 'Added', data: { id, name, description, isActive, sortOrder, sample } }]
    }
    case 'Revise': {
      const { id, description, isActive, sortOrder } = { ...command.changes, id: command.id }
      const entry = present(kind, state, id)
      const name = command.changes.name === undefined ? undefined : oneLine(command.changes.name)
      refuseWrong({ name, description, sortOrder })
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
      return [deletion(present(kind, state, command.id))]
    case 'RemoveUnusedSamples': {
      const samples = new Set(sampleIds(state))
      return [...state.values()]
        .filter(({ id }) => samples.has(id) && command.ids.includes(id))
        .map((entry) => deletion(entry))
    }
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
    case 'Deleted':
      return { deleted: true }
  }
}

const evolveChange = (state: TaxonomyState, change: Change): TaxonomyState => {
  if (change.what === 'Added')
    return new Map(state).set(change.data.id, { ...change.data, deleted: false, version: 1 })
  const entry = state.get(change.data.id)
  if (entry === undefined) return state
  return new Map(state).set(entry.id, { ...entry, ...fieldsAfter(change), version: entry.version + 1 })
}

const changeWords: ReadonlySet<string> = new Set([
  'Added',
  'Renamed',
  'Described',
  'Reordered',
  'Activated',
  'Deactivated',
  'Deleted',
] satisfies Change['what'][])

interface EventsOf {
  readonly Category: CategoryEvent
  readonly Medium: MediumEvent
}

/**
 * The decider of one set, categories or mediums: unique names (decisions 8), reserved ones refused
 * (decisions 9), each entry with a version of its own.
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
  evolve: (state, event: TaxonomyEvent) => {
    const what = event.type.startsWith(kind) ? event.type.slice(kind.length) : ''
    // As above: the word after the set's own tells which data it carries.
    return changeWords.has(what) ? evolveChange(state, { what, data: event.data } as Change) : state
  },
  versionOf: (state, command) => {
    const entry = command.type === 'RemoveUnusedSamples' ? undefined : state.get(command.id)
    return entry === undefined || entry.deleted ? null : entry.version
  },
})

export const categories = taxonomy('Category')
export const mediums = taxonomy('Medium')
