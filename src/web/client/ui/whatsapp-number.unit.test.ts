import { expect, test } from 'vitest'
import { whatsappNumber } from './whatsapp-number.ts'

test.each([
  ['+91 98200 12345', '919820012345'],
  ['98200-12345', '919820012345'],
  ['098200 12345', '919820012345'],
  ['+44 20 7946 0958', '442079460958'],
  ['0044 20 7946 0958', '442079460958'],
  ['+65 9123 4567', '6591234567'],
  ['0065 9123 4567', '6591234567'],
  ['on request', null],
  ['', null],
])('%j is reached at %s', (typed, number) => {
  expect(whatsappNumber(typed)).toBe(number)
})
