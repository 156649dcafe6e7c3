/** Texts of the Content tab: the specification's word for word, and those it leaves open. */

export const CONTENT_WORDS = {
  artist: 'Artist',
  profile: 'Profile Picture',
  imageUrl: 'Image URL',

  hero: 'Hero Section',
  heroSubtitle: 'Hero Subtitle',

  quote: 'Artist Quote',

  biography: 'Biography',

  achievements: 'Artistic Achievements',
  showAchievements: 'Show achievements',
  achievement: (number: number) => `Achievement ${number}`,

  contact: 'Contact Information',
  email: 'Email',

  payments: 'Payments',
  upiId: 'UPI ID',
  kind: 'Kind of UPI ID',

  journal: 'Journal',
} as const

/** The sections of the Content form in their order, by what their heading's id is made of. */
export const CONTENT_SECTIONS = [
  { id: 'artist', name: CONTENT_WORDS.artist },
  { id: 'hero', name: CONTENT_WORDS.hero },
  { id: 'quote', name: CONTENT_WORDS.quote },
  { id: 'biography', name: CONTENT_WORDS.biography },
  { id: 'achievements', name: CONTENT_WORDS.achievements },
  { id: 'contact', name: CONTENT_WORDS.contact },
  { id: 'payments', name: CONTENT_WORDS.payments },
  { id: 'journal', name: CONTENT_WORDS.journal },
] as const

export type SectionId = (typeof CONTENT_SECTIONS)[number]['id']

export function headingIdOf(section: SectionId): string {
  return `content-${section}`
}
