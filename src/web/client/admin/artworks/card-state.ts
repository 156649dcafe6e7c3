import type { Artwork } from '#web/contract/artworks.ts'
import { GALLERY_WORDS, SALE_STATUS_WORDS } from './artworks-words.ts'

export type CardState = 'hidden' | 'unpublished' | 'sold' | 'reserved' | 'not_for_sale' | 'available'

/** The one state an artwork is in for its owner: the first that holds. */
export function cardStateOf({
  isAvailable,
  isVisible,
  saleStatus,
}: Pick<Artwork, 'isAvailable' | 'isVisible' | 'saleStatus'>): CardState {
  if (!isAvailable) return 'hidden'
  if (!isVisible) return 'unpublished'
  return saleStatus === 'for_sale' ? 'available' : saleStatus
}

/** The one word for it. */
export const CARD_STATE_WORDS: Readonly<Record<CardState, string>> = {
  hidden: GALLERY_WORDS.hidden,
  unpublished: GALLERY_WORDS.notOnWebsite,
  sold: SALE_STATUS_WORDS.sold,
  reserved: SALE_STATUS_WORDS.reserved,
  not_for_sale: SALE_STATUS_WORDS.not_for_sale,
  available: GALLERY_WORDS.available,
}
