import { expect, test } from 'vitest'
import { isTallScript, posterLength } from './poster-length.ts'

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
  expect(isTallScript('लीला मराठे')).toBe(true)
  expect(isTallScript('Leela Marāṭhe')).toBe(false)
})
