import { expect, test } from 'vitest'
import { cardStateOf } from './artworks-words.ts'

const artwork = { isAvailable: true, isVisible: true, saleStatus: 'for_sale' } as const

test.each([
  [{ isAvailable: false, isVisible: false, saleStatus: 'sold' }, 'hidden'],
  [{ isVisible: false, saleStatus: 'sold' }, 'unpublished'],
  [{ saleStatus: 'sold' }, 'sold'],
  [{ saleStatus: 'reserved' }, 'reserved'],
  [{ saleStatus: 'not_for_sale' }, 'not_for_sale'],
  [{}, 'available'],
] as const)('a work that is %o has the one state %s', (change, state) => {
  expect(cardStateOf({ ...artwork, ...change })).toBe(state)
})
