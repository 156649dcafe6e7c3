import { expect, test } from 'vitest'
import { hasTallLetters, posterLength } from './poster-length.ts'

test.each([
  ['Leela Marathe', 'short'],
  ['M. F. Husain', 'short'],
  ['The Artist', 'short'],
  ['WILHELMINA MWM', 'medium'],
  ['Amrita Sher-Gil and Friends', 'medium'],
  ['The Collected Paintings of Leela Marathe', 'long'],
] as const)('%s is %s', (name, length) => {
  expect(posterLength(name)).toBe(length)
})

test('Indic scripts need the room for signs above and below the line', () => {
  expect(hasTallLetters('लीला मराठे')).toBe(true)
  expect(hasTallLetters('Leela Marāṭhe')).toBe(false)
})
