import { expect, it } from 'vitest'
import { bodyOf, NEW_ENTRY, sortOrderOf } from './entry-values.ts'

it.each([
  ['3', 3],
  [' 12 ', 12],
  ['-1', -1],
  ['abc', 0],
  ['1.5', 0],
  ['', 0],
])('reads the sort order %j as %d', (text, value) => {
  expect(sortOrderOf(text)).toBe(value)
})

it('sends a new entry with the defaults: active, sort order 0', () => {
  expect(bodyOf({ ...NEW_ENTRY, name: 'Landscape' })).toEqual({
    name: 'Landscape',
    description: '',
    isActive: true,
    sortOrder: 0,
  })
})

it('sends of a change only what changed', () => {
  expect(bodyOf({ isActive: false })).toEqual({ isActive: false })
})
