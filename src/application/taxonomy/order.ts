import { rankBetween, ranksInOrder } from '../kernel/rank.ts'
import type { TaxonomyEntry } from '#domain/taxonomy/entry.ts'
import type { Placing } from '#domain/taxonomy/taxonomy.ts'

/** What an entry is ordered by among its set. */
export type Ordered = Pick<TaxonomyEntry, 'id' | 'name' | 'sortOrder' | 'rank'>

/** Made for the first list: what a collator needs to know of languages is slow to load. */
let names: Intl.Collator | undefined

const compareNames = (a: string, b: string): number => {
  names ??= new Intl.Collator('en-IN', { sensitivity: 'base', numeric: true })
  return names.compare(a, b)
}

const compareRanks = (a: string | null, b: string | null): number => {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}

/** By sort order, then by hidden rank (those without one last), then by name as people sort it. */
export const inOrder = (a: Ordered, b: Ordered): number =>
  a.sortOrder - b.sortOrder ||
  compareRanks(a.rank, b.rank) ||
  compareNames(a.name, b.name) ||
  (a.id < b.id ? -1 : 1)

/** Entries whose ranks tell their order by themselves. */
const areRanked = (entries: readonly Ordered[]): boolean =>
  entries.every(({ rank }, n) => {
    const before = entries[n - 1]?.rank
    return rank !== null && (before == null || before < rank)
  })

/** The same entries, each with a rank: their own where those tell the order, else new ones in this order. */
const ranked = (entries: readonly Ordered[]): readonly (Ordered & { readonly rank: string })[] => {
  const fresh = areRanked(entries) ? [] : ranksInOrder(entries.length)
  return entries.map((entry, n) => ({ ...entry, rank: fresh[n] ?? entry.rank ?? '' }))
}

/**
 * Where an entry stands once it is put before another one, or last (`before` null). Those of its new sort order
 * that have no rank yet get one, in the order in which they stand.
 * @param entries every entry of the set that is not deleted
 * @returns null when one of the two is not among them
 */
export const placeEntryBefore = (
  entries: readonly Ordered[],
  id: string,
  before: string | null,
): Placing | null => {
  const all = entries.toSorted(inOrder)
  const own = all.find((entry) => entry.id === id)
  const next = before === null ? all.findLast((entry) => entry.id !== id) : all.find((e) => e.id === before)
  if (own === undefined || (next === undefined && before !== null)) return null
  const { sortOrder } = next ?? own
  const group = ranked(all.filter((entry) => entry.sortOrder === sortOrder))
  const known = new Map(all.map((entry) => [entry.id, entry.rank]))
  const ranks = Object.fromEntries(
    group
      .filter(({ id: each, rank }) => each !== id && rank !== known.get(each))
      .map(({ id: each, rank }) => [each, rank]),
  )
  const stood = group.find((entry) => entry.id === id)?.rank
  const fromRank = stood ?? own.rank
  const others = group.filter((entry) => entry.id !== id)
  const at = before === null ? others.length : others.findIndex((entry) => entry.id === before)
  // Put before itself, or where it stands: nothing moves.
  const stays = group.findIndex((entry) => entry.id === id)
  if (stood !== undefined && (before === id || stays === at))
    return { sortOrder, rank: own.rank, fromRank: own.rank, ranks: {} }
  const rank = rankBetween(others[at - 1]?.rank ?? null, others[at]?.rank ?? null, id)
  return { sortOrder, rank, fromRank, ranks }
}
