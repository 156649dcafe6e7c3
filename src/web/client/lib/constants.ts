/**
 * The fixed lists, limits and delays that the specification names. Words that several screens say (`words.ts`)
 * and what is shown until the owner saves her own (`fallback.ts`) stand beside it, a constant each (ADR 45);
 * what only the dashboard needs stands in `admin/admin-constants.ts`.
 */
import { messageThanks } from '#web/contract/pages.ts'

export type AchievementDefault = { icon: string; number: string; label: string }

/** Used item by item where the owner has set neither number nor label. */
export const ACHIEVEMENT_DEFAULTS: readonly AchievementDefault[] = [
  { icon: 'book', number: '11+', label: 'Published Books' },
  { icon: 'spark', number: '∞', label: 'Artistic Vision' },
  { icon: 'hand', number: 'Free', label: 'Art Teaching' },
  { icon: 'brush', number: 'Unique', label: 'Art Movement' },
]

export const FOOTER_YEAR = 2025

/** ms that a toast stands */
export const TOAST_SHOWN_MS = 5_000
/** ms that a dismissed toast stays in memory, not on screen */
export const TOAST_KEPT_MS = 1_000_000
/** ms until a tooltip opens, and for which the next one opens at once */
export const TOOLTIP_OPEN_MS = 700
export const TOOLTIP_SKIP_MS = 300
export const TOAST_LIMIT = 1
export const TOOLTIP_OFFSET_PX = 4

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

export const ART_COLLECTION_POINTS = [
  'Original paintings',
  'Secure worldwide shipping',
  'Multiple payment options',
  'Professional packaging',
] as const

/** Empty text of the gallery for one category. */
export function galleryEmptyFor(category: string): string {
  return `No ${category} artworks available. Try a different category.`
}

export type ToastText = { title: string; description: string; destructive?: true }

/** Toasts of the public screens: title, then description. */
export const TOAST = {
  messageSent: {
    title: 'Message Sent!',
    description: messageThanks,
  },
  messageFailed: {
    title: 'Error',
    description: 'Failed to send message. Please try again.',
    destructive: true,
  },
} as const satisfies Record<string, ToastText>

/** A first line for a message, e-mail or chat about one artwork; she is told which one it is. */
export function newMessageText(title: string): string {
  return `I would like to know more about “${title}”.`
}
