import { createHash } from 'node:crypto'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const integerDigits = 8
const latest = digits.length ** integerDigits - 1

/**
 * The rank of what is placed first now: smaller than every one given before, so that the newest stands first unless
 * moved. A valid key of fractional-indexing: `h` announces eight digits, which count the milliseconds down; what
 * follows tells apart those of one millisecond.
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
 * A rank between two others (null: no bound on that side). Leans to one side by the own id of what is moved, so that
 * two that are moved into one gap at the same time do not get the same rank.
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

/** Tells the rank of the nth of several, by its id. */
export type RanksAbove = (nth: number, id: string) => string

/**
 * The ranks of so many that are placed before the first (null: there is none), in their order. A clock that ran ahead may
 * have made that one's rank.
 */
export const firstRanksAbove = (first: string | null, now: Date, count: number): RanksAbove => {
  const newest: RanksAbove = (nth, id) => newestRank(new Date(now.getTime() - nth), id)
  if (first === null || newest(count, '') < first) return newest
  const ends = generateNKeysBetween(null, first, count)
  return (nth, id) => rankBetween(ends[nth - 1] ?? null, ends[nth] ?? first, id)
}

/** The rank of what is placed before the first alone. */
export const firstRankAbove = (first: string | null, now: Date, id: string): string =>
  firstRanksAbove(first, now, 1)(0, id)

/** So many ranks, each behind the one before it, the first behind `last` (null: there is none). */
export const ranksBehind = (last: string | null, count: number): readonly string[] =>
  generateNKeysBetween(last, null, count)
