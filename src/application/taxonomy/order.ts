import { rankBetween, ranksBehind } from '../kernel/rank.ts'
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

/** One of a set; also a deleted one has its place, for it may come back. */
type Placed = Ordered & Partial<Pick<TaxonomyEntry, 'deleted'>>

/**
 * The same entries, each with a rank. Those that tell the order stay, for an undo names them: who has none stands behind them.
 */
const ranked = (entries: readonly Placed[]): readonly (Placed & { readonly rank: string })[] => {
  const own = entries.filter(({ rank }) => rank !== null)
  const kept = areRanked(own) ? own : []
  const fresh = ranksBehind(kept.at(-1)?.rank ?? null, entries.length - kept.length)
  return entries.map((entry, n) => ({ ...entry, rank: fresh[n - kept.length] ?? entry.rank ?? '' }))
}

const isThere = ({ deleted = false }: Placed): boolean => !deleted

/**
 * Where an entry stands once it is put before another one, or last (`before` null). Those of its new sort order, and of the
 * one that it leaves, that have no rank yet get one, in the order in which they stand: an undo finds them so. Artworks always have one
 * (`artworks/place.ts`).
 * @param entries every entry of the set, also deleted ones
 * @returns null when one of the two is not there
 */
export const placeEntryBefore = (
  entries: readonly Placed[],
  id: string,
  before: string | null,
): Placing | null => {
  const all = entries.toSorted(inOrder)
  const there = all.filter(isThere)
  const own = there.find((entry) => entry.id === id)
  const next =
    before === null ? there.findLast((entry) => entry.id !== id) : there.find((e) => e.id === before)
  if (own === undefined || (next === undefined && before !== null)) return null
  const { sortOrder } = next ?? own
  const rankedAt = (order: number) => ranked(all.filter((entry) => entry.sortOrder === order))
  const group = rankedAt(sortOrder)
  const left = sortOrder === own.sortOrder ? [] : rankedAt(own.sortOrder)
  const known = new Map(all.map((entry) => [entry.id, entry.rank]))
  const ranks = Object.fromEntries(
    [...group, ...left]
      .filter(({ id: each, rank }) => each !== id && rank !== known.get(each))
      .map(({ id: each, rank }) => [each, rank]),
  )
  const shown = group.filter(isThere)
  const stays = shown.findIndex((entry) => entry.id === id)
  const others = shown.filter((entry) => entry.id !== id)
  const at = before === null ? others.length : others.findIndex((entry) => entry.id === before)
  // Put before itself, or where it stands: nothing moves.
  if (stays >= 0 && (before === id || stays === at))
    return { sortOrder, rank: own.rank, fromRank: own.rank, ranks: {} }
  const fromRank = [...group, ...left].find((entry) => entry.id === id)?.rank ?? own.rank
  const rank = rankBetween(others[at - 1]?.rank ?? null, others[at]?.rank ?? null, id)
  return { sortOrder, rank, fromRank, ranks }
}
