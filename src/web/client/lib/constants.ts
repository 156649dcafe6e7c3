/**
 * Every fixed text, limit and delay that the specification names, in one
 * place, but for what only the dashboard (`admin/admin-constants.ts`), an open artwork
 * (`artworks/overlay-words.ts`), who sends a message or a page beside the site's (`app/other-words.ts`) needs. What the owner saves in the
 * dashboard replaces the fallbacks; the rest is fixed.
 */

/** Shown until the owner saves her own: neutral on purpose. */
export const FALLBACK = {
  artistName: 'The Artist',
  contactEmail: 'studio@example.org',
  contactAddress: 'Mumbai, Maharashtra, India',
  heroSubtitle:
    'Spearheading the affordable art movement • Author of 11 books • Experimental, unconventional, and unique art • Teaching art skills for free',
  heroPrimaryButtonText: 'Explore Collection',
  heroSecondaryButtonText: 'Get In Touch',
  /** A neutral image shipped with the site. */
  profileImageUrl: '/uploads/profile/default.webp',
} as const

export type AchievementDefault = { icon: string; number: string; label: string }

/** Used item by item where the owner has set neither number nor label. */
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
  /** Dots stand for up to this many artworks; beyond it the count alone. */
  overlayDots: 12,
  /** Works that carry a blurred placeholder and are laid out at once; the rest is deferred. */
  galleryEager: 24,
  /** UPI may refuse more than this, in rupees. */
  upiCeiling: 1_00_000,
} as const

/** Longest texts that the contact form accepts. */
export const CONTACT_LIMITS = { name: 100, email: 254, message: 5_000 } as const

/** All in milliseconds. */
export const DELAYS = {
  toastShown: 5_000,
  /** How long a dismissed toast stays in memory, not on screen. */
  toastRemoved: 1_000_000,
  tooltipOpen: 700,
  tooltipSkip: 300,
} as const

export const TOAST_LIMIT = 1
export const TOOLTIP_OFFSET_PX = 4
export const EDITOR_HISTORY_DEPTH = 100
export const EDITOR_INDENT_LEVELS = { min: 1, max: 8 } as const
export const UPLOAD_IMAGE_TYPES = ['image/jpeg', 'image/png'] as const
export const RICH_TEXT_SCHEMES = ['http', 'https', 'mailto', 'tel'] as const

/** The gallery's filter when no category is chosen; both words are refused as names. */
export const ALL_CATEGORIES = 'all'
export const ALL_CATEGORIES_LABEL = 'All Artwork'

/** Anchors of the one-page site, in the order of the menus. */
export const NAVIGATION = [
  { anchor: 'home', label: 'Home' },
  { anchor: 'gallery', label: 'Gallery' },
  { anchor: 'blogs', label: 'Blog' },
  { anchor: 'contact', label: 'Contact' },
] as const

/** The heading at the page's very beginning: the focus goes there by the way back to the top. */
export const HOME_HEADING = 'home-heading'

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
  featuredArtwork: 'Featured Work',
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
  contactHeading: 'Get In Touch',
  contactFormHeading: 'Send a Message',
  contactPrivacy:
    'Your name, e-mail address and message are kept so that the artist can answer, and are erased when you ask.',
  artCollection: 'Art Collection',
  loading: 'Loading...',
  loadingAdmin: 'Loading admin panel...',
} as const

/** Empty text of the gallery for one category. */
export function galleryEmptyFor(category: string): string {
  return `No ${category} artworks available. Try a different category.`
}

export type ToastText = { title: string; description: string; destructive?: true }

/** Toasts of the public screens: title, then description. */
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
} as const satisfies Record<string, ToastText>

/** Words of the public screens that the specification leaves open. */
export const WORDS = {
  close: 'Close',
  skip: 'Skip to the works',
  backToTop: 'Back to top',
  mainMenu: 'Main',
  footerMenu: 'Footer',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  admin: 'Admin',
  logOut: 'Log out',
  aboutHeading: 'About',
  galleryHeading: 'Gallery',
  categories: 'Category',
  galleryLoading: 'Loading artworks',
  galleryFailedHint: 'Perhaps the connection was lost. Nothing else on this page is affected.',
  galleryRetrying: 'Trying again.',
  journalLoading: 'Loading the journal',
  journalFailed: 'The journal could not be loaded.',
  newTab: 'opens in a new tab',
  imageMissing: 'The picture cannot be shown',
  broken: 'This part of the page could not be shown.',
  brokenHint: 'Perhaps the connection was lost, or the site was renewed a moment ago.',
  reload: 'Load again',
} as const

/** Words of the message to the artist. */
export const CONTACT_WORDS = {
  name: 'Name',
  email: 'Email',
  subject: 'Subject',
  message: 'Message',
  pleaseSelect: 'Please select',
  send: 'Send Message',
  sending: 'Sending...',
  about: 'About',
  forgetArtworkTitle: 'Do not ask about this work',
  leaveEmpty: 'Please leave this field empty',
  whatsapp: 'WhatsApp',
  studio: 'Studio',
} as const

/** A first line for a message, e-mail or chat about one artwork; she is told which one it is. */
export function newMessageText(title: string): string {
  return `I would like to know more about “${title}”.`
}
