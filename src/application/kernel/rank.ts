import { createHash } from 'node:crypto'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import type { ArtworkPlace } from '../app.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const integerDigits = 8
const latest = digits.length ** integerDigits - 1

/**
 * The rank of an artwork that is placed first now: smaller than every one given before, so that the newest artwork
 * stands first unless moved. A valid key of fractional-indexing: `h` announces eight digits,
 * which count the milliseconds down; what follows tells apart artworks of one millisecond.
 */
export const newestRank = (now: Date, id: string): string => {
  let left = latest - now.getTime()
  let integer = ''
  for (let place = 0; place < integerDigits; place += 1) {
    integer = digits.charAt(left % digits.length) + integer
    left = Math.floor(left / digits.length)
  }
  return `h${integer}${createHash('sha256').update(id).digest('hex').slice(0, 4)}V`
}

/**
 * A rank between two others (null: no bound on that side). Leans to one side by the artwork's own id, so that
 * two artworks moved into one gap at the same time do not get the same rank.
 */
export const rankBetween = (before: string | null, behind: string | null, id: string): string => {
  let low = before
  let high = behind
  let key = generateKeyBetween(low, high)
  const lean = createHash('sha256').update(id).digest().readUInt16BE(0)
  for (let bit = 0; bit < 16; bit += 1) {
    if (((lean >> bit) & 1) === 1) low = key
    else high = key
    key = generateKeyBetween(low, high)
  }
  return key
}

/**
 * The rank of an artwork that is placed before the first of its sort order (null: there is none), whose rank a clock that ran
 * ahead may have made.
 */
export const firstRankAbove = (first: string | null, now: Date, id: string): string => {
  const newest = newestRank(now, id)
  return first === null || newest < first ? newest : rankBetween(null, first, id)
}

/** So many ranks, each behind the one before it. */
export const ranksInOrder = (count: number): readonly string[] => generateNKeysBetween(null, null, count)

/**
 * Where an artwork stands once it is put before another one, or last (`before` null).
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
