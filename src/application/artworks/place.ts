import type { ArtworkPlace } from '../ports/lookups.ts'
import { firstRankAbove, rankBetween } from '../kernel/rank.ts'

/**
 * Where an artwork stands once it is put before another one, or last (`before` null). Each is a stream of its own and has a
 * rank from the first, so that a move changes it alone. An entry of a set may have none, and others of its stream
 * get theirs by the move: hence another way there (`taxonomy/order.ts`).
 * @param places every artwork in the owner's order
 * @returns null when one of the two is not among them
 */
export const placeBefore = (
  places: readonly ArtworkPlace[],
  id: string,
  before: string | null,
  now: Date,
): Pick<ArtworkPlace, 'sortOrder' | 'rank'> | null => {
  const own = places.findIndex((place) => place.id === id)
  const stays = places[own]
  if (stays === undefined) return null
  const behind = places[own + 1]
  // One of another sort order gives it that, also where it stands right before it.
  const isThere =
    behind === undefined ? before === null : before === behind.id && behind.sortOrder === stays.sortOrder
  if (isThere || before === id) return stays
  const others = places.toSpliced(own, 1)
  const at = before === null ? others.length : others.findIndex((place) => place.id === before)
  const [previous, next] = [others[at - 1], others[at]]
  if (before === null && previous !== undefined)
    return { sortOrder: previous.sortOrder, rank: rankBetween(previous.rank, null, id) }
  if (next === undefined) return null
  if (previous?.sortOrder === next.sortOrder && previous.rank < next.rank)
    return { sortOrder: next.sortOrder, rank: rankBetween(previous.rank, next.rank, id) }
  return { sortOrder: next.sortOrder, rank: firstRankAbove(next.rank, now, id) }
}
