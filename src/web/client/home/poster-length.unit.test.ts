import { expect, test } from 'vitest'
import { posterLength } from './poster-length.ts'

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
