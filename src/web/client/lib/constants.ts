/**
 * Fixed lists that several screens need. Words that several screens say (`words.ts`) and what is shown until the owner
 * saves her own (`fallback.ts`) stand beside it, a constant each (ADR 45); what only the dashboard needs stands in
 * `admin/admin-constants.ts`.
 */
import { messageThanks } from '#web/contract/pages.ts'

export const ACHIEVEMENTS = [1, 2, 3, 4] as const

/** Used item by item where the owner has set neither number nor label. */
export const ACHIEVEMENT_DEFAULTS = {
  1: { icon: 'book', number: '11+', label: 'Published Books' },
  2: { icon: 'spark', number: '∞', label: 'Artistic Vision' },
  3: { icon: 'hand', number: 'Free', label: 'Art Teaching' },
  4: { icon: 'brush', number: 'Unique', label: 'Art Movement' },
} as const

/** Anchors of the one-page site, in the order of the menus. */
export const NAVIGATION = [
  { anchor: 'home', label: 'Home' },
  { anchor: 'gallery', label: 'Gallery' },
  { anchor: 'blogs', label: 'Blog' },
  { anchor: 'contact', label: 'Contact' },
] as const

/** The heading at the page's very beginning: the focus goes there by the way back to the top. */
export const HOME_HEADING = 'home-heading'

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
