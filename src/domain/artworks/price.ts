import { inGroups } from '../in-groups.ts'
import type { ArtworkFields, SaleStatus } from './fields.ts'

/** An amount of whole rupees as it is read in India: ₹1,25,000. */
export const rupees = (amount: number): string => `₹${inGroups(amount)}`

/** A price as people read it. */
export const priceInWords = (price: number): string => (price === 0 ? 'Price on request' : rupees(price))

/** How an artwork stands for sale, in words. spec W-10 */
export const saleWords: Readonly<Record<SaleStatus, string>> = {
  for_sale: 'For sale',
  reserved: 'Reserved',
  sold: 'Sold',
  not_for_sale: 'Not for sale',
}

type Offered = Pick<ArtworkFields, 'price' | 'saleStatus'>

/** Whether it can be bought as it stands: a price on request is agreed on first. */
export const isPayable = ({ price, saleStatus }: Offered): boolean => saleStatus === 'for_sale' && price > 0

/** The price in words while it is public, else null. spec W-11 */
export const publicPrice = ({ price, saleStatus }: Offered): string | null =>
  saleStatus === 'sold' || saleStatus === 'not_for_sale' ? null : priceInWords(price)
