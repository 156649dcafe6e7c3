import { expect, test } from 'vitest'
import { droppedBefore, moved, targetOf } from './moves.ts'

const list = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id).join('')

test.each([
  ['c', 'up', 'acbd'],
  ['b', 'down', 'acbd'],
  ['c', 'down', 'abdc'],
  ['c', 'first', 'cabd'],
  ['b', 'last', 'acdb'],
] as const)('%s %s gives %s', (id, to, order) => {
  expect(ids(moved(list, id, targetOf(list, list, id, to) ?? null))).toBe(order)
})

test.each([
  ['a', 'up'],
  ['a', 'first'],
  ['d', 'down'],
  ['d', 'last'],
  ['x', 'up'],
] as const)('%s %s leads nowhere', (id, to) => {
  expect(targetOf(list, list, id, to)).toBeUndefined()
})

test('with a search on, a work moves past the works that are shown', () => {
  const shown = [{ id: 'a' }, { id: 'd' }]
  expect(ids(moved(list, 'd', targetOf(list, shown, 'd', 'up') ?? null))).toBe('dabc')
  expect(ids(moved(list, 'a', targetOf(list, shown, 'a', 'down') ?? null))).toBe('bcda')
})

test('a work dropped where it stands does not move', () => {
  expect(moved(list, 'b', 'b')).toBe(list)
  expect(ids(moved(list, 'b', droppedBefore(list, { overId: 'b', side: 'after' }) ?? null))).toBe('abcd')
})
