/** The sections of the Content form in their order, by what their heading's id is made of. */
export const CONTENT_SECTIONS = {
  artist: 'Artist',
  hero: 'Hero Section',
  quote: 'Artist Quote',
  biography: 'Biography',
  achievements: 'Artistic Achievements',
  contact: 'Contact Information',
  payments: 'Payments',
  journal: 'Journal',
} as const

export type SectionId = keyof typeof CONTENT_SECTIONS

/** The id of a section's heading. */
export function headingIdOf(section: SectionId): string {
  return `content-${section}`
}
