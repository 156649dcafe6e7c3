/** Texts of the Gallery tab. */
import type { Artwork } from '#web/contract/artworks.ts'
import { saleWords } from '#web/contract/details.ts'
import { saleStatuses } from '#web/contract/forms.ts'
import * as WORDS from '../../lib/words.ts'
import { failureToast, successToast } from '../admin-constants.ts'

export const ARTWORK_WORDS = {
  title: 'Gallery Management',
  available: 'Available',
  hidden: 'Hidden',
  notOnWebsite: 'Not on website',
  featured: WORDS.featuredBadge,

  publishShown: (count: number) => `Publish these ${count}`,
  publishing: 'Publishing...',
  saleStatus: 'Sale status',

  deleted: 'Recently deleted',
  restore: 'Restore',
  sampleGone:
    'This sample was removed meanwhile. “Undo” in the activity brings it back; what you typed stays here until you close this.',
} as const

export const SALE_STATUS_OPTIONS = saleStatuses.map((value) => ({ value, label: saleWords[value] }))

const ADDED = successToast('Artwork added successfully.')
const VISIBILITY_UPDATED = successToast('Artwork visibility updated.')

/** Toasts beyond the catalogue, for what the specification does not know. */
export const ARTWORK_TOASTS = {
  added: ADDED,
  visibilityUpdated: VISIBILITY_UPDATED,
  published: (count: number) =>
    count === 1 ? VISIBILITY_UPDATED : successToast(`${count} artworks are on the website.`),
  notAllPublished: (count: number, reason: string) =>
    failureToast(
      `${count === 1 ? 'One artwork' : `${count} artworks`} could not be published. ${reason}`.trim(),
    ),
  restored: {
    success: successToast('Artwork restored successfully.'),
    failure: failureToast('Failed to restore artwork.'),
  },
  batchAdded: (count: number) => (count === 1 ? ADDED : successToast(`${count} artworks added as drafts.`)),
} as const

export type CardState = 'hidden' | 'unpublished' | 'available' | Exclude<Artwork['saleStatus'], 'for_sale'>

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
  ...saleWords,
  hidden: ARTWORK_WORDS.hidden,
  unpublished: ARTWORK_WORDS.notOnWebsite,
  available: ARTWORK_WORDS.available,
}
