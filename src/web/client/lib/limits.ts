/** Counts of the public page. */

export const featured = 3
export const galleryPlaceholders = 12
export const blogPlaceholders = 3
/** Dots stand for up to this many artworks; beyond it the count alone. */
export const overlayDots = 12
/** Artworks that carry a blurred placeholder and are laid out at once; the rest is deferred. */
export const galleryEager = 24
/** UPI may refuse more than this, in rupees. */
export const upiCeiling = 1_00_000
