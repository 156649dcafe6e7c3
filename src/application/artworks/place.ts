import type { ArtworkPlace } from '../ports/lookups.ts'
import { firstRankAbove, newestRank, rankBetween } from '../kernel/rank.ts'

/**
 * Where an artwork stands once it is put before another one, or last (`before` null). Each is a stream of its own and has a
 * rank from the first, so that a move changes it alone. An entry of a set may have none, and others of its stream
 * get theirs by the move: hence another way there (`taxonomy/order.ts`).
 * @param places every artwork in the owner's order
 * @returns null when `before` is not among them
 */
export const placeBefore = (
  places: readonly ArtworkPlace[],
  id: string,
  before: string | null,
  now: Date,
): Pick<ArtworkPlace, 'sortOrder' | 'rank'> | null => {
  const own = places.findIndex((place) => place.id === id)
  const stays = places[own]
  if (stays !== undefined && (before === id || (places[own + 1]?.id ?? null) === before)) {
    const next = places[own + 1]
    if (before === id || next === undefined || next.sortOrder === stays.sortOrder) return stays
  }
  const others = places.filter((place) => place.id !== id)
  if (before === null) {
    const last = others.at(-1)
    return last === undefined
      ? { sortOrder: stays?.sortOrder ?? 0, rank: stays?.rank ?? newestRank(now, id) }
      : { sortOrder: last.sortOrder, rank: rankBetween(last.rank, null, id) }
  }
  const index = others.findIndex((place) => place.id === before)
  const next = others[index]
  if (next === undefined) return null
  const previous = others[index - 1]
  if (previous?.sortOrder === next.sortOrder && previous.rank < next.rank) {
    return { sortOrder: next.sortOrder, rank: rankBetween(previous.rank, next.rank, id) }
  }
  return { sortOrder: next.sortOrder, rank: firstRankAbove(next.rank, now, id) }
}
