import { artworks } from '../artworks/artworks.ts'

export const used = artworks
