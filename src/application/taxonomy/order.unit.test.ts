import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inOrder, type Ordered, placeEntryBefore } from './order.ts'
import type { TaxonomyEvent } from '#domain/taxonomy/events.ts'
import { categoriesDecider, type TaxonomyCommand } from '#domain/taxonomy/taxonomy.ts'

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
  expect(placeEntryBefore(all, 'c', 'b')).toMatchObject({ sortOrder: 0, fromRank: 'a0' })
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

/** A set in memory, whose entries have names and sort orders that are not those of their ids. */
const setOfEntries = () => {
  let state = categoriesDecider.initialState
  const run = (command: TaxonomyCommand): readonly TaxonomyEvent[] => {
    const events = categoriesDecider.decide(command, state)
    state = events.reduce(categoriesDecider.evolve, state)
    return events
  }
  const order = (): readonly string[] => shown([...state.values()].filter(({ deleted }) => !deleted))
  let count = 0
  const add = (sortOrder: number) => {
    count += 1
    const name = `${'efabdc'.charAt(count % 6)}${count}`
    run({ type: 'Add', id: String(count), name, description: '', isActive: true, sortOrder, sample: false })
  }
  return { run, order, add }
}

test('moves and deletions that are taken back one after the other give each order again, whatever was added between', () => {
  const nth = fc.nat(9)
  const act = fc.tuple(fc.constantFrom('move', 'move', 'move', 'delete', 'add'), nth, fc.option(nth))
  fc.assert(
    fc.property(fc.array(act, { maxLength: 6 }), (acts) => {
      const { run, order, add } = setOfEntries()
      for (const sortOrder of [0, 0, 1, 0, 1]) add(sortOrder)
      const done: { readonly events: readonly TaxonomyEvent[]; readonly before: readonly string[] }[] = []
      for (const [what, n, other] of acts) {
        const before = order()
        const at = (place: number): string => before[place % before.length] ?? ''
        if (what === 'add') add(n % 2)
        else if (before.length > 0) {
          const place = (entries: readonly Ordered[]) =>
            placeEntryBefore(entries, at(n), other === null ? null : at(other))
          const events = run(
            what === 'move' ? { type: 'Move', id: at(n), place } : { type: 'Delete', id: at(n) },
          )
          if (events.length > 0) done.push({ events, before })
        }
      }
      for (const { events, before } of done.toReversed()) {
        run({ type: 'UndoChange', events })
        expect(order().filter((id) => before.includes(id))).toEqual(before)
      }
    }),
    { numRuns: 300 },
  )
})
