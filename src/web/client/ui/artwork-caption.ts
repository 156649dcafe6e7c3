import { publicPrice, saleWords } from '#web/contract/details.ts'
import type { PageArtwork } from '../lib/on-page.ts'

/** The second line of the label: medium and year, whichever is known, e.g. `Oil on canvas, 2024`. */
export function artworkFacts(artwork: Pick<PageArtwork, 'medium' | 'yearCreated'>): string {
  return [artwork.medium, artwork.yearCreated].filter(Boolean).join(', ')
}

export type Caption = {
  /** `₹96,000` or `Price on request`; null where the price is not public */
  price: string | null
  /** true when `price` is an amount */
  isAmount: boolean
  /** `dot` is filled for sold and hollow for reserved; null without one */
  state: { text: string; dot: 'sold' | 'reserved' | null } | null
}

/** The price line of a label: spec W-11. */
export function artworkCaption(artwork: Pick<PageArtwork, 'price' | 'saleStatus'>): Caption {
  const { price, saleStatus } = artwork
  const dot = saleStatus === 'sold' || saleStatus === 'reserved' ? saleStatus : null
  const words = publicPrice(artwork)
  return {
    price: words,
    isAmount: words !== null && price > 0,
    state: saleStatus === 'for_sale' ? null : { text: saleWords[saleStatus], dot },
  }
}
