import { expect, test } from 'vitest'
import { placeInList } from './place-in-list.ts'

const list = ['a', 'b', 'c'].map((id) => ({ id }))

test.each([
  ['a', 0, 'c', 'b'],
  ['b', 1, 'a', 'c'],
  ['c', 2, 'b', 'a'],
])('%s stands at %i, before it %s and after it %s', (id, index, previous, next) => {
  expect(placeInList(list, id)).toEqual({ index, total: 3, previous: { id: previous }, next: { id: next } })
})

test('a lone work and a work from elsewhere have no neighbours', () => {
  expect(placeInList([{ id: 'a' }], 'a')).toBeNull()
  expect(placeInList(list, 'z')).toBeNull()
  expect(placeInList([], 'a')).toBeNull()
})
