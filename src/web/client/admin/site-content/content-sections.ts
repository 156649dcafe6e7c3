import { CONTENT_WORDS } from './content-words.ts'

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

/** The id of a section's heading. */
export function headingIdOf(section: SectionId): string {
  return `content-${section}`
}
