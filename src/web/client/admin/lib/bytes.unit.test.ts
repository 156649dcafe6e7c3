import { expect, it } from 'vitest'
import { formatBytes } from './in-words.ts'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_500, '1.5 kB'],
  [380_000_000, '380 MB'],
  [12_400_000_000, '12 GB'],
])('writes %d bytes as %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words)
})
