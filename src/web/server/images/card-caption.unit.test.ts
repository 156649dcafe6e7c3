import { expect, it } from 'vitest'
import { cardCaption } from './cards.ts'

it.each([
  ['for_sale', 125_000, '₹1,25,000'],
  ['for_sale', 0, 'Price on request'],
  ['reserved', 36_000, '₹36,000, reserved'],
  ['sold', 36_000, 'Sold'],
  ['not_for_sale', 36_000, 'Not for sale'],
] as const)('%s at %i reads "%s"', (saleStatus, price, caption) => {
  expect(cardCaption({ saleStatus, price })).toBe(caption)
})
