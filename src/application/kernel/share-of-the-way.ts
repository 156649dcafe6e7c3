import type { Position } from './ports/event-store.ts'

const numberBehind = (position: Position, common: number): number =>
  Number(position.slice(common, common + 15).replaceAll(/\D/g, '') || 0)

/**
 * About how much of the way from the first position to the last lies behind `at`. Positions only promise to
 * compare as strings, so this is a guess for the eye: it reads the digits in which the two ends differ.
 */
export const shareOfTheWay = (first: Position, last: Position, at: Position): number => {
  if (at >= last) return 1
  if (at <= first) return 0
  let common = 0
  while (common < first.length && first[common] === last[common]) common += 1
  const from = numberBehind(first, common)
  const to = numberBehind(last, common)
  if (to <= from) return 0
  return Math.min(1, Math.max(0, (numberBehind(at, common) - from) / (to - from)))
}
