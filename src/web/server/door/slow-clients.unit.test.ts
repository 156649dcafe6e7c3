import { describe, expect, it } from 'vitest'
import { lookAt, type Waiting } from './slow-clients.ts'

const timeouts = { answerMs: 2_000, bytesPerSecond: 1_000, lookMs: 1_000 }

/** How many looks a connection lasts; each look sees how much is waiting and how much was taken in till then. */
const looksUntilGone = (looks: readonly { readonly unread: number; readonly taken: number }[]): number => {
  let state: Waiting | null = null
  for (const [n, { unread, taken }] of looks.entries()) {
    const seen = lookAt({ bytesWritten: taken + unread, writableLength: unread }, state, timeouts)
    if (seen?.isTooSlow === true) return n + 1
    state = seen
  }
  return Number.POSITIVE_INFINITY
}
const reading = (bytesPerLook: number, count = 1_000) =>
  Array.from({ length: count }, (_, n) => ({ unread: 50_000, taken: 70_000 + n * bytesPerLook }))

describe('how fast an answer is taken in', () => {
  it('is fast enough above the least speed, however long it takes', () => {
    expect(looksUntilGone(reading(1_001))).toBe(Number.POSITIVE_INFINITY)
  })

  it('is fast enough when it comes in pieces that are no further apart than an answer may wait', () => {
    const pieces = reading(1_000).map((each, n, all) => all[n - (n % 2)] ?? each)
    expect(looksUntilGone(pieces)).toBe(Number.POSITIVE_INFINITY)
  })

  it('is too slow once what the least speed allows is over', () => {
    expect(looksUntilGone(reading(0))).toBe(3)
    expect(looksUntilGone(reading(500))).toBe(4)
  })

  it('begins a new account only when all was taken in', () => {
    const never = reading(0, 2)
    expect(looksUntilGone([...never, { unread: 900_000, taken: 70_000 }])).toBe(3)
    const between = { unread: 0, taken: 120_000 }
    expect(looksUntilGone([...never, between, ...never, between, ...never])).toBe(Number.POSITIVE_INFINITY)
  })
})
