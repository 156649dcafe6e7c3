import type { Artwork } from '#web/contract/artworks.ts'
import { TEXT } from '../lib/constants.ts'
import { formatRupees } from '../lib/money.ts'

/** What a tile of the wall needs to know of a work; the long texts stay out of the page (decisions 112). */
export type TileWork = Pick<
  Artwork,
  | 'id'
  | 'slug'
  | 'title'
  | 'medium'
  | 'yearCreated'
  | 'price'
  | 'saleStatus'
  | 'isFeatured'
  | 'altText'
  | 'imageUrl'
  | 'image'
>

/** The second line of the label: medium and year, whichever is known, e.g. `Oil on canvas, 2024`. */
export function workFacts(work: Pick<TileWork, 'medium' | 'yearCreated'>): string {
  return [work.medium, work.yearCreated].filter(Boolean).join(', ')
}

export type Caption = {
  /** `₹96,000` or `Price on request`; null where the price is not public */
  price: string | null
  /** true when `price` is an amount */
  isAmount: boolean
  /** `dot` is filled for sold and hollow for reserved; null without one */
  mark: { text: string; dot: 'sold' | 'reserved' | null } | null
}

/** The price line of a label: decisions 23, 26 and 100. */
export function workCaption(work: Pick<TileWork, 'price' | 'saleStatus'>): Caption {
  const isAmount = work.price > 0
  const price = isAmount ? formatRupees(work.price) : TEXT.priceOnRequest
  switch (work.saleStatus) {
    case 'for_sale':
      return { price, isAmount, mark: null }
    case 'reserved':
      return { price, isAmount, mark: { text: TEXT.reserved, dot: 'reserved' } }
    case 'sold':
      return { price: null, isAmount: false, mark: { text: TEXT.sold, dot: 'sold' } }
    case 'not_for_sale':
      return { price: null, isAmount: false, mark: { text: TEXT.notForSale, dot: null } }
  }
}
