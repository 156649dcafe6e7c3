import type { ArtworkInput } from '../artworks/artworks.ts'

/** What a use case is given for a new artwork, with these fields in the place of the usual ones. */
export const artworkInput = (fields: Partial<ArtworkInput> = {}): ArtworkInput => ({
  title: 'Monsoon',
  description: '',
  imageUrl: 'https://pictures.example/monsoon.jpg',
  price: 96_000,
  category: '',
  medium: '',
  dimensions: '',
  altText: '',
  qrCodeUrl: null,
  isAvailable: true,
  isVisible: true,
  isFeatured: false,
  saleStatus: 'for_sale',
  sortOrder: 0,
  ...fields,
})
