import type { BlogPost } from '../journal.ts'
import { type SiteContent, siteContent } from '../site-content.ts'
import type { Category } from '../taxonomy.ts'
import { makeArtwork } from './make-page-data.ts'

const id = '0f6ee6a5-7f5e-4d55-9d62-2f3a6f3a9a11'
const at = '2025-01-31T10:00:00.000Z'

/** An image of our own. */
export const ownImage = `/images/${'a1'.repeat(32)}/original-view.jpg`

/** A work with everything that GET can answer. */
export const sampleArtwork = makeArtwork(0, {
  qrCodeUrl: `/qr/${'b2'.repeat(32)}.png`,
  upi: {
    id: 'a.b@okbank',
    payeeName: 'A B',
    amount: 25_000,
    uri: 'upi://pay?pa=a.b@okbank',
    kind: 'personal',
  },
})

/** A category as the owner gets it. */
export const sampleCategory: Category = {
  id,
  name: 'Landscapes',
  description: '',
  isActive: true,
  sortOrder: 2,
  version: 1,
  usedBy: 4,
  createdAt: at,
  updatedAt: at,
}

/** A post as the owner gets it. */
export const samplePost: BlogPost = {
  id,
  title: 'On first rain',
  content: '<p>It rained.</p>',
  excerpt: 'It rained.',
  imageUrl: null,
  publishedAt: at,
  externalUrl: 'https://blog.example/first-rain',
  isExternal: true,
  isVisible: true,
  version: 2,
  overrides: { title: null, excerpt: null, imageUrl: null },
  createdAt: at,
  updatedAt: at,
}

/** A site in which nothing has been filled in. */
export const emptySite: SiteContent = siteContent.parse({
  ...Object.fromEntries(Object.keys(siteContent.shape).map((key) => [key, ''])),
  showAchievements: true,
  id,
  version: 0,
  updatedAt: null,
})
