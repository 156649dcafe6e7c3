import { expect, it } from 'vitest'
import { priceInWords, rupees } from './price.ts'

it.each([
  [0, '₹0'],
  [999, '₹999'],
  [18_500, '₹18,500'],
  [1_25_000, '₹1,25,000'],
  [10_00_00_000, '₹10,00,00,000'],
])('writes %i the Indian way, without decimals', (amount, text) => {
  expect(rupees(amount)).toBe(text)
})

it.each([
  [0, 'Price on request'],
  [45_000, '₹45,000'],
])('says of a price of %i: %s', (price, text) => {
  expect(priceInWords(price)).toBe(text)
})
