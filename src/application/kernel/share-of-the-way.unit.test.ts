import { describe, expect, it } from 'vitest'
import type { Position } from './ports/event-store.ts'
import { shareOfTheWay } from './share-of-the-way.ts'

describe('how much of the way is done', () => {
  it.each([
    ['0000000000000001', '0000000000000101', '0000000000000051', 0.5],
    ['0000000000000001', '0000000000000101', '0000000000000001', 0],
    ['0000000000000001', '0000000000000101', '0000000000000101', 1],
    ['0000000000000007', '0000000000000007', '0000000000000007', 1],
    [
      '00000000000000001000-00000000000000001000',
      '00000000000000003000-00000000000000003000',
      '00000000000000002000-00000000000000001990',
      0.5,
    ],
  ])('is about right from %s to %s at %s', (first, last, at, share) => {
    expect(shareOfTheWay(first as Position, last as Position, at as Position)).toBeCloseTo(share, 2)
  })
})
