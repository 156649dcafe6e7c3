import type { Artwork } from '#web/contract/artworks.ts'
import type { TileArtwork } from '../ui/artwork.ts'

/** What the overlay needs to know of a work at once; its description may come later. */
export type OverlayArtwork = TileArtwork & Pick<Artwork, 'dimensions' | 'qrCodeUrl' | 'upi'>
