import { unsetLaterFields } from '../fields.ts'
import type { FoldedArtwork } from '../state.ts'

/** An artwork as tests add it: the same one each time, but for what is told. */
export const anArtwork = (given: Partial<FoldedArtwork> = {}): FoldedArtwork => ({
  title: 'Monsoon over Yamuna',
  description: '',
  picture: { imageUrl: `/images/${'a'.repeat(64)}/original-view.jpg`, source: 'own', hash: 'aa' },
  price: 45_000,
  category: { id: 'c1', name: 'Landscape' },
  medium: { id: null, name: 'Oil on canvas' },
  dimensions: '60 × 90 cm',
  yearCreated: 2024,
  ...unsetLaterFields,
  altText: '',
  qrCodeUrl: null,
  isAvailable: true,
  isVisible: true,
  isFeatured: false,
  saleStatus: 'for_sale',
  sortOrder: 0,
  rank: 'a0',
  sample: false,
  ...given,
})
