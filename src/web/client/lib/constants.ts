/**
 * Every fixed text, limit and delay that the specification names (its sections 1, 2, 8 and 9), in one
 * place (decisions 32). What the owner saves in the dashboard replaces the fallbacks; the rest is fixed.
 */

/** Shown until the owner saves her own: neutral on purpose (decisions 32). */
export const FALLBACK = {
  artistName: 'The Artist',
  contactEmail: 'studio@example.org',
  contactAddress: 'Mumbai, Maharashtra, India',
  heroSubtitle:
    'Spearheading the affordable art movement • Author of 11 books • Experimental, unconventional, and unique art • Teaching art skills for free',
  heroPrimaryButtonText: 'Explore Collection',
  heroSecondaryButtonText: 'Get In Touch',
  /** A neutral picture shipped with the site (decisions 33). */
  profileImageUrl: '/uploads/profile/default.webp',
} as const

export type AchievementDefault = { icon: string; number: string; label: string }

/** Used item by item where the owner has set neither number nor label (specification §2, About). */
export const ACHIEVEMENT_DEFAULTS: readonly AchievementDefault[] = [
  { icon: 'book', number: '11+', label: 'Published Books' },
  { icon: 'spark', number: '∞', label: 'Artistic Vision' },
  { icon: 'hand', number: 'Free', label: 'Art Teaching' },
  { icon: 'brush', number: 'Unique', label: 'Art Movement' },
]

export const FOOTER_YEAR = 2025

/** Counts of the public page. */
export const LIMITS = {
  featured: 3,
  blogPosts: 3,
  galleryPlaceholders: 12,
  blogPlaceholders: 3,
  achievements: 4,
  /** Dots stand for up to this many works; beyond it the count alone (decisions 29). */
  overlayDots: 12,
  /** Works that carry a blurred placeholder and are laid out at once; the rest is deferred (decisions 112). */
  galleryEager: 24,
  /** UPI may refuse more than this, in rupees (decisions 25). */
  upiCeiling: 1_00_000,
  uploadMegabytes: 25,
  uploaderDefaultMegabytes: 10,
  galleryListHeight: 600,
  taxonomyListHeight: 400,
  listDefaultSortOrder: 0,
  artworkDefaultPrice: 0,
} as const

/** Longest texts that the contact form accepts (decisions 18). */
export const CONTACT_LIMITS = { name: 100, email: 254, message: 5_000 } as const

/** All in milliseconds (specification §4 and §9). */
export const DELAYS = {
  loginRefresh: 100,
  loginOpenAdmin: 200,
  unauthorizedRedirect: 500,
  adminAutoClose: 1_000,
  toastShown: 5_000,
  /** How long a dismissed toast stays in memory, not on screen (decisions 40). */
  toastRemoved: 1_000_000,
  tooltipOpen: 700,
  tooltipSkip: 300,
  editorHistoryGroup: 1_000,
} as const

export const TOAST_LIMIT = 1
export const TOOLTIP_OFFSET_PX = 4
export const EDITOR_HISTORY_DEPTH = 100
export const EDITOR_INDENT_LEVELS = { min: 1, max: 8 } as const
/** What the specification's picker accepts; the editor has no picture tool and refuses them in words (decisions 105). */
export const EDITOR_IMAGE_TYPES = [
  'image/png',
  'image/gif',
  'image/jpeg',
  'image/bmp',
  'image/x-icon',
] as const
export const UPLOAD_IMAGE_TYPES = ['image/png', 'image/jpeg'] as const
export const RICH_TEXT_SCHEMES = ['http', 'https', 'mailto', 'tel'] as const

/** The gallery's filter when no category is chosen; both words are refused as names (decisions 9). */
export const ALL_CATEGORIES = 'all'
export const ALL_CATEGORIES_LABEL = 'All Artwork'

/** Anchors of the one-page site, in the order of the menus. */
export const NAVIGATION = [
  { anchor: 'home', label: 'Home' },
  { anchor: 'gallery', label: 'Gallery' },
  { anchor: 'blogs', label: 'Blog' },
  { anchor: 'contact', label: 'Contact' },
] as const

export const FOOTER_LINKS = [...NAVIGATION, { anchor: 'about', label: 'About' }] as const

export const CONTACT_SUBJECTS = [
  { value: 'purchase', label: 'Purchase Existing Work' },
  { value: 'exhibition', label: 'Exhibition Inquiry' },
  { value: 'general', label: 'General Question' },
  { value: 'media', label: 'Media Inquiry' },
] as const

export const ART_COLLECTION_POINTS = [
  'Original paintings',
  'Secure worldwide shipping',
  'Multiple payment options',
  'Professional packaging',
] as const

export const TEXT = {
  galleryEmpty: 'No artworks available. Check back soon for new additions!',
  galleryFailed: 'The works could not be loaded.',
  retry: 'Retry',
  viewAllArtworks: 'View All Artworks',
  featuredWork: 'Featured Work',
  featuredBadge: 'Featured',
  priceOnRequest: 'Price on request',
  sold: 'Sold',
  reserved: 'Reserved',
  notForSale: 'Not for sale',
  achievementsHeading: 'Artistic Achievements',
  journalHeading: "Artist's Journal",
  journalEmpty: 'No blog posts available. Check back soon for updates!',
  visitBlog: 'Visit Blog',
  readMore: 'Read More',
  viewAllPosts: 'View All Posts',
  purchaseOptions: 'Purchase Options',
  scanQr: 'Scan QR code to pay securely with UPI',
  payWithUpi: 'Pay with UPI',
  contactHeading: 'Get In Touch',
  contactFormHeading: 'Send a Message',
  contactPrivacy:
    'Your name, e-mail address and message are kept so that the artist can answer, and are erased when you ask.',
  artCollection: 'Art Collection',
  notFoundTitle: '404 Page Not Found',
  notFoundHint: 'Did you forget to add the page to the router?',
  notFoundHome: 'Back to the works',
  loading: 'Loading...',
  loadingAdmin: 'Loading admin panel...',
  subjectMissing: 'Please select a subject',
  usernameMissing: 'Username is required',
  passwordMissing: 'Password is required',
} as const

/** Empty text of the gallery for one category (specification §2, Gallery). */
export function galleryEmptyFor(category: string): string {
  return `No ${category} artworks available. Try a different category.`
}

export type ToastText = { title: string; description: string; destructive?: true }

/** Toasts of the public screens: title, then description (decisions 85, 104). */
export const TOAST = {
  messageSent: {
    title: 'Message Sent!',
    description: 'Thank you for your message. I will get back to you soon.',
  },
  messageFailed: {
    title: 'Error',
    description: 'Failed to send message. Please try again.',
    destructive: true,
  },
  loginSucceeded: { title: 'Login Successful', description: 'Welcome to the admin panel.' },
  loginFailed: { title: 'Login Failed', description: 'Invalid username or password', destructive: true },
  authenticationRequired: {
    title: 'Authentication Required',
    description: 'Please log in to access the admin panel.',
    destructive: true,
  },
  unauthorized: {
    title: 'Unauthorized',
    description: 'You are logged out. Logging in again...',
    destructive: true,
  },
} as const satisfies Record<string, ToastText>
