/** Between the site's content as the calls know it and the fields of its form. */
import type { SiteContent } from '#web/contract/site-content.ts'
import { ACHIEVEMENTS } from '../../lib/constants.ts'
import * as FALLBACK from '../../lib/fallback.ts'
import { CONTENT_SECTIONS } from './content-words.ts'

/** Every field that she can set. */
export type ContentValues = Omit<SiteContent, 'id' | 'version' | 'updatedAt'>

/** The fields that are plain text: all but the kind of UPI id, which is one of three words, and a switch. */
export type TextKey = Exclude<keyof ContentValues, 'upiKind' | 'showAchievements'>

/** The form of the saved content. Where the stored value is empty, it shows the default that the page shows. */
export function valuesOf(content: SiteContent): ContentValues {
  const { id: _id, version: _version, updatedAt: _updatedAt, ...values } = content
  return {
    ...values,
    heroSubtitle: values.heroSubtitle || FALLBACK.heroSubtitle,
    heroPrimaryButtonText: values.heroPrimaryButtonText || FALLBACK.heroPrimaryButtonText,
    heroSecondaryButtonText: values.heroSecondaryButtonText || FALLBACK.heroSecondaryButtonText,
  }
}

/** A field's name as it is read in a conflict. */
export function labelOf(key: keyof ContentValues): string {
  const achievement = /^achievement(\d)(Number|Label|Icon)$/.exec(key)
  if (achievement) return `Achievement ${achievement[1]}: ${achievement[2]}`
  const bullet = /^quoteBulletPoint(\d)$/.exec(key)
  if (bullet) return `Bullet Point ${Number(bullet[1])}`
  const paragraph = /^bioParagraph(\d)$/.exec(key)
  if (paragraph) return `Biography Paragraph ${Number(paragraph[1])}`
  return LABELS[key] ?? key
}

const LABELS: Readonly<Partial<Record<keyof ContentValues, string>>> = {
  artistName: 'Artist Name',
  artistBio: 'About the Artist',
  artistDescription: 'Hero Description',
  profileImageUrl: 'Profile Picture',
  showAchievements: 'Show achievements',
  contactEmail: 'Email',
  contactWhatsapp: 'WhatsApp',
  contactAddress: 'Studio Address',
  artistQuote: 'Main Quote',
  heroTitle: 'Hero Title',
  heroSubtitle: 'Hero Subtitle',
  heroPrimaryButtonText: 'Primary Button Text',
  heroSecondaryButtonText: 'Secondary Button Text',
  blogUrl: 'Blog Address',
  upiId: 'UPI ID',
  upiPayeeName: 'Payee Name',
  upiKind: 'Kind of UPI ID',
}

/** Something that visitors see, or miss, because she has not set her own: its name and the field that sets it. */
export type Placeholder = { field: keyof ContentValues; name: string }

const PLAIN = ['contactEmail', 'profileImageUrl', 'heroSubtitle'] as const
const named = (field: keyof ContentValues): Placeholder => ({ field, name: labelOf(field) })

/** What of the page is still built in, in the order of the form. */
export function placeholdersOf(content: SiteContent): Placeholder[] {
  const isInvented = ACHIEVEMENTS.some(
    (each) => content[`achievement${each}Number`] === '' && content[`achievement${each}Label`] === '',
  )
  return [
    ...PLAIN.filter((field) => content[field] === '').map(named),
    ...(content.showAchievements && isInvented
      ? [{ field: 'showAchievements', name: CONTENT_SECTIONS.achievements } as const]
      : []),
    ...(content.upiId === '' ? [named('upiId')] : []),
  ]
}
