import { expect, it } from 'vitest'
import { enter, leave, postpone } from './under-way.ts'

let last = 0
/** a list of its own for each test */
const list = () => ['/api', `list-${(last += 1)}`]

it('is fetched after a change, and only after the last of several', () => {
  const key = list()
  enter(key)
  enter(key)
  expect(leave(key, true)).toBe(false)
  expect(leave(key, true)).toBe(true)
})

it('is fetched after a failed change when an earlier one was made', () => {
  const key = list()
  enter(key)
  enter(key)
  leave(key, true)
  expect(leave(key, false)).toBe(true)
})

it('is fetched after a failed change when news came meanwhile, and not otherwise', () => {
  const key = list()
  enter(key)
  expect(postpone(key)).toBe(true)
  expect(leave(key, false)).toBe(true)
  enter(key)
  expect(leave(key, false)).toBe(false)
})

it('is fetched at once when nothing is on its way', () => {
  expect(postpone(list())).toBe(false)
})
