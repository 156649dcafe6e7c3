import type { CategoryEvent, TaxonomyEvent } from './events.ts'
import { allCategories, allCategoriesLabel } from './all-categories.ts'
import { fieldLimits } from '../field-limits.ts'
import { acceptedTexts, badSortOrder, keysOf, line, lines, oneLine, required } from '../field-rules.ts'

export type TaxonomyKind = 'Category' | 'Medium'

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
  /** a deleted one keeps its last name, which stays as text on its artworks */
  readonly deleted: boolean
  /** how often it was changed; its adding is the first */
  readonly version: number
}

/** Every entry there ever was, by id. */
export type TaxonomyState = ReadonlyMap<string, TaxonomyEntry>

export type EntryFields = Pick<TaxonomyEntry, 'name' | 'description' | 'isActive' | 'sortOrder'>
/** Some of it; what is absent or undefined stays as it is. */
export type EntryChanges = { readonly [Field in keyof EntryFields]?: EntryFields[Field] | undefined }

/** What happened to either set, without the set's own word before it. */
export type EntryChange = {
  readonly [Type in CategoryEvent['type']]: {
    readonly what: Type extends `Category${infer What}` ? What : never
    readonly data: Extract<CategoryEvent, { type: Type }>['data']
  }
}[CategoryEvent['type']]

/** What two names are compared by: NFKC, blanks collapsed, case folded. */
export const nameKey = (name: string): string => oneLine(name.normalize('NFKC')).toUpperCase().toLowerCase()

/** The entry of that name that is not deleted, else null. Names are compared by {@link nameKey}. */
export const findByName = (
  state: TaxonomyState,
  name: string,
): { readonly id: string; readonly name: string } | null => {
  // Nothing is called that; what follows takes the square of a name's length.
  if (name.length > fieldLimits.name) return null
  const key = nameKey(name)
  for (const entry of state.values())
    if (!entry.deleted && nameKey(entry.name) === key) return { id: entry.id, name: entry.name }
  return null
}

/** The name each id stands for, deleted ones with their last: what artworks that carry the id show. */
export const namesById = (state: TaxonomyState): Readonly<Record<string, string>> =>
  Object.fromEntries([...state.values()].map(({ id, name }) => [id, name]))

/** The sample entries that are still there, and that she never changed. */
export const sampleIds = (state: TaxonomyState): readonly string[] =>
  [...state.values()].filter(({ sample, deleted }) => sample && !deleted).map(({ id }) => id)

/** The gallery's filter uses these words for "no filter". */
const reservedNames: readonly string[] = [allCategories, allCategoriesLabel.toLowerCase()]

/** What the texts of an entry may be. */
export const entryRules = {
  name: required(
    line('Name', fieldLimits.name, {
      is: (name) => !reservedNames.includes(nameKey(name)),
      sentence: 'This name is used for the whole gallery; please choose another name',
    }),
  ),
  description: lines('Description', fieldLimits.longText),
}

/** The same fields as they are kept. @throws {Refusal} `invalid`, naming every field at fault */
export const acceptedFields = <Fields extends EntryChanges>(fields: Fields): Fields => {
  const { sortOrder } = fields
  const others = { sortOrder: sortOrder === undefined ? null : badSortOrder(sortOrder) }
  return { ...fields, ...acceptedTexts(entryRules, fields, others) }
}

/** The field that holds another value afterwards. */
export const valueOf = { Renamed: 'name', Described: 'description', Reordered: 'sortOrder' } as const

/** What an entry is or is not afterwards, whatever its event says. */
const flagsAfter = {
  Activated: { isActive: true },
  Deactivated: { isActive: false },
  Deleted: { deleted: true },
  Restored: { deleted: false },
} as const

const changeWords: ReadonlySet<string> = new Set([
  'Added',
  'Moved',
  ...keysOf(valueOf),
  ...keysOf(flagsAfter),
])

/** A stored event of a set without the set's own word; null for one of another set, or that nobody knows. */
export const entryChangeOf = (kind: TaxonomyKind, { type, data }: TaxonomyEvent): EntryChange | null => {
  const what = type.startsWith(kind) ? type.slice(kind.length) : ''
  // The word after the set's own tells which data it carries.
  return changeWords.has(what) ? ({ what, data } as EntryChange) : null
}

const fieldsAfter = (change: Exclude<EntryChange, { what: 'Added' }>): Partial<TaxonomyEntry> => {
  switch (change.what) {
    case 'Renamed':
    case 'Described':
    case 'Reordered':
      return { [valueOf[change.what]]: change.data.to }
    case 'Moved':
      return { sortOrder: change.data.sortOrder, rank: change.data.rank }
    default:
      return flagsAfter[change.what]
  }
}

/**
 * Whether an entry is still an untouched sample after a change. Restoring leaves it as it is: her own deletion
 * has made it hers before.
 */
const sampleAfter = (sample: boolean, change: EntryChange): boolean =>
  sample && (change.what === 'Restored' || (change.what === 'Deleted' && change.data.withSamples))

/** An entry after a stored event that names it; as it was after one that does not change it. */
export const entryAfter = <Entry extends TaxonomyEntry>(entry: Entry, event: TaxonomyEvent): Entry => {
  const change = entryChangeOf('Category', event) ?? entryChangeOf('Medium', event)
  if (change === null || change.what === 'Added') return entry
  const rank = change.what === 'Moved' ? change.data.ranks[entry.id] : undefined
  if (entry.id !== change.data.id) return rank === undefined ? entry : { ...entry, rank }
  const sample = sampleAfter(entry.sample, change)
  return { ...entry, ...fieldsAfter(change), sample, version: entry.version + 1 }
}

/** What an entry is at first, beside what its adding says. */
export const asAdded = { rank: null, deleted: false, version: 1 } as const

/** A set after stored events, copied once for all of them; types it does not know leave it as it is. */
export const evolveEntries = (
  kind: TaxonomyKind,
  state: TaxonomyState,
  events: readonly TaxonomyEvent[],
): TaxonomyState => {
  const after = new Map(state)
  let isChanged = false
  for (const event of events) {
    const change = entryChangeOf(kind, event)
    if (change === null) continue
    isChanged = true
    const { data } = change
    if (change.what === 'Added') after.set(data.id, { ...change.data, ...asAdded })
    const named = change.what === 'Moved' ? Object.keys(change.data.ranks) : []
    for (const id of new Set([data.id, ...named])) {
      const entry = after.get(id)
      if (entry !== undefined) after.set(id, entryAfter(entry, event))
    }
  }
  return isChanged ? after : state
}
