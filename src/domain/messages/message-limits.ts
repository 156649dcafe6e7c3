import { longestEmail } from '../longest-email.ts'

/** The longest texts of a visitor's message. spec M-2 */
export const messageLimits = { name: 100, email: longestEmail, message: 5_000 } as const

/** What a message may be about, in the words of the contact form. */
export const subjectWords = {
  purchase: 'Purchase Existing Work',
  exhibition: 'Exhibition Inquiry',
  general: 'General Question',
  media: 'Media Inquiry',
} as const
export type MessageSubject = keyof typeof subjectWords
