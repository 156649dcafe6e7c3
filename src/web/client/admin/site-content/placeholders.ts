import type { SiteContent } from '#web/contract/site-content.ts'
import type { ContentValues } from './content-values.ts'
import { CONTENT_WORDS } from './content-words.ts'

/** Something that visitors see, or miss, because she has not set her own: its name and the field that sets it. */
export type Placeholder = { field: keyof ContentValues; name: string }

const PLAIN = [
  { field: 'contactEmail', name: CONTENT_WORDS.email },
  { field: 'profileImageUrl', name: CONTENT_WORDS.profile },
  { field: 'heroSubtitle', name: CONTENT_WORDS.heroSubtitle },
] as const
const NUMBERS = [1, 2, 3, 4] as const

/** What of the page is still built in, in the order of the form. */
export function placeholdersOf(content: SiteContent): Placeholder[] {
  const isInvented = NUMBERS.some(
    (number) => content[`achievement${number}Number`] === '' && content[`achievement${number}Label`] === '',
  )
  return [
    ...PLAIN.filter(({ field }) => content[field] === ''),
    ...(content.showAchievements && isInvented
      ? [{ field: 'showAchievements', name: CONTENT_WORDS.achievements } as const]
      : []),
    ...(content.upiId === '' ? [{ field: 'upiId', name: CONTENT_WORDS.upiId } as const] : []),
  ]
}
