import { expect, it } from 'vitest'
import { whenAsTitle, whenInWords } from './in-words.ts'

const now = new Date(2026, 10, 14, 9, 30)
const at = (...parts: [number, number, number, number, number]): string => new Date(...parts).toISOString()

it.each([
  [at(2026, 10, 14, 9, 12), 'today, 09:12'],
  [at(2026, 10, 14, 0, 5), 'today, 00:05'],
  [at(2026, 10, 13, 23, 59), 'yesterday, 23:59'],
  [at(2026, 10, 12, 18, 40), '12 November 2026'],
  ['no date', ''],
])('says when %s was: %s', (iso, words) => {
  expect(whenInWords(iso, now)).toBe(words)
})

it('begins a sentence', () => {
  expect(whenAsTitle(at(2026, 10, 13, 18, 40), now)).toBe('Yesterday, 18:40')
})

it('tells tomorrow by its day', () => {
  expect(whenInWords(at(2026, 10, 15, 6, 0), now)).toBe('tomorrow, 06:00')
})
