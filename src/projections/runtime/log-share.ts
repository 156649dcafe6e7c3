import type { Position } from '#application/kernel/ports/event-store.ts'

const digits = /^\d+/

/**
 * How much of the way from one place of the log to another is done, 0 to 1. Positions are opaque; where they
 * begin with digits, as those of every engine do, the numbers are near enough to the share of events.
 * @returns null when it cannot be told
 */
export const shareOf = (from: Position | null, at: Position | null, to: Position): number | null => {
  const numberOf = (position: Position | null): number | null => {
    if (position === null) return 0
    const [number] = digits.exec(position) ?? []
    return number === undefined ? null : Number(number)
  }
  const [begin, now, end] = [numberOf(from), numberOf(at), numberOf(to)]
  if (begin === null || now === null || end === null || end <= begin) return null
  return Math.min(1, Math.max(0, (now - begin) / (end - begin)))
}
