import { expect, test } from 'vitest'
import { isTallScript, posterLength, posterWord } from './poster-length.ts'

test.each([
  ['Leela Marathe', 'short'],
  ['M. F. Husain', 'short'],
  ['The Artist', 'short'],
  ['WILHELMINA MWM', 'medium'],
  ['张大千工作室', 'medium'],
  ['Amrita Sher-Gil and Friends', 'medium'],
  ['The Collected Paintings of Leela Marathe', 'long'],
] as const)('%s is %s', (name, length) => {
  expect(posterLength(name)).toBe(length)
})

test.each([
  ['Leela Marathe', 4],
  ['தமிழ்ச்செல்வன்', 8],
  ['张大千', 4],
  ['Sunita Deshpande-Kulkarni', 5],
  ['Rabindranath', 6],
  ['Mukhopadhyay', 7],
  ['KRISHNAMURTHY', 8],
  ['Venkata\u00adsubra\u00admaniam', 4],
] as const)('a line has to hold the widest word of %s: %i em', (name, em) => {
  expect(posterWord(name)).toBe(em)
})

test('Indic scripts need the room for signs above and below the line', () => {
  expect(isTallScript('लीला मराठे')).toBe(true)
  expect(isTallScript('Leela Marāṭhe')).toBe(false)
})
