import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ArtworkPlace } from '../ports/lookups.ts'
import { firstRanksAbove, newestRank, rankBetween } from '../kernel/rank.ts'
import { placeBefore } from './place.ts'

const at = (ms: number): Date => new Date(Date.UTC(2026, 0, 1) + ms)
const inOrder = (places: readonly ArtworkPlace[]): readonly ArtworkPlace[] =>
  places.toSorted((a, b) => a.sortOrder - b.sortOrder || (a.rank < b.rank ? -1 : 1))

describe('rank', () => {
  it('puts the newest work first', () => {
    expect(newestRank(at(1), 'a') < newestRank(at(0), 'b')).toBe(true)
  })

  it('tells works of one millisecond apart', () => {
    expect(newestRank(at(0), 'a')).not.toBe(newestRank(at(0), 'b'))
  })

  it.each([null, -1, 0, 5, 100_000])('puts several above one of %s ms later, in their order', (later) => {
    const first = later === null ? null : newestRank(at(later), 'first')
    const rank = firstRanksAbove(first, at(0), 40)
    const ranks = Array.from({ length: 40 }, (_, n) => rank(n, `w${n}`))
    expect(ranks.toSorted()).toEqual(ranks)
    for (const each of ranks) if (first !== null) expect(each < first).toBe(true)
  })

  it('gives two works moved into one gap different ranks inside it', () => {
    const [low, high] = [newestRank(at(9), 'x'), newestRank(at(0), 'y')]
    const ranks = ['a', 'b'].map((id) => rankBetween(low, high, id))
    expect(ranks[0]).not.toBe(ranks[1])
    expect(ranks.every((rank) => low < rank && rank < high)).toBe(true)
  })

  it('puts a work just where it is asked to be, whatever moves came before', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.option(fc.nat(9))), { maxLength: 40 }), (moves) => {
        let places = inOrder(
          Array.from({ length: 10 }, (_, index) => ({
            id: `w${index}`,
            sortOrder: index % 2,
            rank: newestRank(at(index), `w${index}`),
          })),
        )
        for (const [step, [what, where]] of moves.entries()) {
          const [id, before] = [`w${what}`, where === null ? null : `w${where}`]
          const place = placeBefore(places, id, before, at(100 + step))
          if (place === null) throw new Error('no place')
          places = inOrder(places.map((artwork) => (artwork.id === id ? { id, ...place } : artwork)))
          const index = places.findIndex((artwork) => artwork.id === id)
          if (before !== id) expect(places[index + 1]?.id ?? null).toBe(before)
        }
      }),
    )
  })

  it('leaves a work alone that stands there already', () => {
    const places = [
      { id: 'a', sortOrder: 0, rank: 'a1' },
      { id: 'b', sortOrder: 0, rank: 'a2' },
    ]
    expect(placeBefore(places, 'a', 'b', at(0))).toMatchObject({ sortOrder: 0, rank: 'a1' })
    expect(placeBefore(places, 'b', null, at(0))).toMatchObject({ sortOrder: 0, rank: 'a2' })
  })

  it('takes the sort order of the work it is put before', () => {
    const places = [
      { id: 'a', sortOrder: 0, rank: 'a1' },
      { id: 'b', sortOrder: 7, rank: 'a1' },
    ]
    expect(placeBefore(places, 'a', 'b', at(0))?.sortOrder).toBe(7)
  })

  it('knows no place before an unknown work, nor for one', () => {
    const places = [{ id: 'a', sortOrder: 0, rank: 'a1' }]
    expect(placeBefore(places, 'a', 'nobody', at(0))).toBeNull()
    expect(placeBefore(places, 'nobody', 'a', at(0))).toBeNull()
  })
})
