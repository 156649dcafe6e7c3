import type { Artwork } from '#web/contract/artworks.ts'
import type { TileWork } from '../ui/work.ts'

/** What the overlay needs to know of a work at once; its description may come later (decisions 112). */
export type OverlayWork = TileWork & Pick<Artwork, 'dimensions' | 'qrCodeUrl' | 'upi'>
