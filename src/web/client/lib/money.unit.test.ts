import { describe, expect, it } from 'vitest'
import { formatCount, formatDay, formatRupees } from './money.ts'

describe('formatRupees', () => {
  it.each([
    [0, '₹0'],
    [999, '₹999'],
    [18_500, '₹18,500'],
    [1_25_000, '₹1,25,000'],
    [10_00_00_000, '₹10,00,00,000'],
  ])('writes %i the Indian way, without decimals', (amount, text) => {
    expect(formatRupees(amount)).toBe(text)
  })
})

describe('formatCount', () => {
  it('groups without a sign', () => expect(formatCount(1_00_000)).toBe('1,00,000'))
})

describe('formatDay', () => {
  it("takes India's day, so that server and browser agree", () => {
    expect(formatDay('2025-11-14T20:00:00.000Z')).toBe('15 November 2025')
  })
  it('is empty for what is no date', () => expect(formatDay('soon')).toBe(''))
})
