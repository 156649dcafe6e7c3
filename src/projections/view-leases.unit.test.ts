import { expect, it } from 'vitest'
import { projectorsIn, seatHolder } from './view-leases.ts'

it('counts the processes that project the same views, not those of another version', () => {
  const held = [
    'projector-of-another-version/0123abcd',
    'of-one-without-views',
    seatHolder('a'),
    seatHolder('b'),
  ]
  const places = new Map(held.map((holder, n) => [`seat-${n}`, { holder, turn: '1', sign: '1' }]))
  expect(projectorsIn(places)).toBe(2)
})
