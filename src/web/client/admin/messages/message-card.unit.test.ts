import { expect, it } from 'vitest'
import { isLong } from './message-card.tsx'

it('is long by its lines, whether they were ended or run over', () => {
  expect(isLong('Is it framed?\n\nRavi')).toBe(false)
  expect(isLong('a\n'.repeat(20))).toBe(false)
  expect(isLong('a\n'.repeat(2_490))).toBe(true)
  expect(isLong('a'.repeat(5_000))).toBe(true)
})
