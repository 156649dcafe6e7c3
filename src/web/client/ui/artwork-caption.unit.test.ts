import { describe, expect, test } from 'vitest'
import { artworkCaption, artworkFacts } from './artwork-caption.ts'

test.each([
  [{ medium: 'Oil on canvas', yearCreated: 2024 }, 'Oil on canvas, 2024'],
  [{ medium: '', yearCreated: 2024 }, '2024'],
  [{ medium: 'Oil on canvas', yearCreated: null }, 'Oil on canvas'],
  [{ medium: '', yearCreated: null }, ''],
])('the label names what is known of medium and year: %j', (artwork, line) => {
  expect(artworkFacts(artwork)).toBe(line)
})

describe('the price line', () => {
  test.each([
    ['for_sale', 125000, { price: '₹1,25,000', isAmount: true, state: null }],
    ['for_sale', 0, { price: 'Price on request', isAmount: false, state: null }],
    ['reserved', 36000, { price: '₹36,000', isAmount: true, state: { text: 'Reserved', dot: 'reserved' } }],
    ['sold', 24000, { price: null, isAmount: false, state: { text: 'Sold', dot: 'sold' } }],
    ['not_for_sale', 24000, { price: null, isAmount: false, state: { text: 'Not for sale', dot: null } }],
  ] as const)('%s at %i', (saleStatus, price, caption) => {
    expect(artworkCaption({ saleStatus, price })).toEqual(caption)
  })
})
