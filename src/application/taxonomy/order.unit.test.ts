import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inOrder, type Ordered, placeEntryBefore } from './order.ts'

const entries = (...names: readonly string[]): Ordered[] =>
  names.map((name) => ({ id: name, name, sortOrder: 0, rank: null }))
const after = (all: readonly Ordered[], id: string, before: string | null): readonly Ordered[] => {
  const place = placeEntryBefore(all, id, before)
  if (place === null) throw new Error('There is no such place')
  const { sortOrder, rank, ranks } = place
  return all.map((each) =>
    each.id === id ? { ...each, sortOrder, rank } : { ...each, rank: ranks[each.id] ?? each.rank },
  )
}
const shown = (all: readonly Ordered[]) => all.toSorted(inOrder).map(({ id }) => id)

test('without ranks they stand by sort order, then by name as people sort it', () => {
  const all = entries('Sea 10', 'sea 2', 'Art').concat({ id: 'First', name: 'Z', sortOrder: -1, rank: null })
  expect(shown(all)).toEqual(['First', 'Art', 'sea 2', 'Sea 10'])
})

test('any row of moves gives the order that people see while they move', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const name = fc.constantFrom(...names)
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.option(name)), { maxLength: 12 }), (moves) => {
      let all: readonly Ordered[] = entries(...names)
      let seen = names
      for (const [id, before] of moves) {
        all = after(all, id, before)
        if (before !== id) {
          const others = seen.filter((each) => each !== id)
          const at = before === null ? others.length : others.indexOf(before)
          seen = others.toSpliced(at, 0, id)
        }
        expect(shown(all)).toEqual(seen)
      }
    }),
  )
})

test('one that is moved to another sort order takes it over', () => {
  const all = [...entries('a', 'b'), { id: 'c', name: 'c', sortOrder: 5, rank: null }]
  expect(placeEntryBefore(all, 'c', 'b')).toMatchObject({ sortOrder: 0, fromRank: null })
  expect(shown(after(all, 'c', 'b'))).toEqual(['a', 'c', 'b'])
  expect(shown(after(all, 'a', null))).toEqual(['b', 'c', 'a'])
})

test('one that stands there already gets no place of its own, and nobody a rank', () => {
  const all = entries('a', 'b')
  for (const before of ['a', 'b'])
    expect(placeEntryBefore(all, 'a', before)).toEqual({
      sortOrder: 0,
      rank: null,
      fromRank: null,
      ranks: {},
    })
})

test('there is no place for one that is not there, nor before one', () => {
  expect(placeEntryBefore(entries('a'), 'x', null)).toBeNull()
  expect(placeEntryBefore(entries('a'), 'a', 'x')).toBeNull()
})
