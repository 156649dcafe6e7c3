/** Shown until the owner saves her own: neutral on purpose. */

export const artistName = 'The Artist'
export const contactEmail = 'studio@example.org'
export const contactAddress = 'Mumbai, Maharashtra, India'
export const heroSubtitle =
  'Spearheading the affordable art movement • Author of 11 books • Experimental, unconventional, and unique art • Teaching art skills for free'
export const heroPrimaryButtonText = 'Explore Collection'
export const heroSecondaryButtonText = 'Get In Touch'
/** A neutral image shipped with the site. */
export const profileImageUrl = '/uploads/profile/default.webp'
