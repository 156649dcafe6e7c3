/** Between the site's content as the calls know it and the fields of its form. */
import type { SiteContent, SiteContentChangeInput } from '#web/contract/site-content.ts'
import * as FALLBACK from '../../lib/fallback.ts'
import { CONTENT_SECTIONS } from './content-words.ts'

/** Every field that she can set. */
export type ContentValues = Omit<SiteContent, 'id' | 'version' | 'updatedAt'>

/** The fields that are plain text: all but the kind of UPI id, which is one of three words, and a switch. */
export type TextKey = Exclude<keyof ContentValues, 'upiKind' | 'showAchievements'>

/** Where the stored value is empty, the form shows the default that the page shows. */
const SHOWN_DEFAULTS = {
  heroSubtitle: FALLBACK.heroSubtitle,
  heroPrimaryButtonText: FALLBACK.heroPrimaryButtonText,
  heroSecondaryButtonText: FALLBACK.heroSecondaryButtonText,
} as const

/** The form of the saved content. */
export function valuesOf(content: SiteContent): ContentValues {
  const { id: _id, version: _version, updatedAt: _updatedAt, ...values } = content
  return {
    ...values,
    heroSubtitle: values.heroSubtitle || SHOWN_DEFAULTS.heroSubtitle,
    heroPrimaryButtonText: values.heroPrimaryButtonText || SHOWN_DEFAULTS.heroPrimaryButtonText,
    heroSecondaryButtonText: values.heroSecondaryButtonText || SHOWN_DEFAULTS.heroSecondaryButtonText,
  }
}

/** The body of a save: only what has changed, and the version it is meant for. */
export function bodyOf(changes: Partial<ContentValues>, version: number): SiteContentChangeInput {
  return { ...changes, expectedVersion: version }
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
const NUMBERS = [1, 2, 3, 4] as const
const named = (field: keyof ContentValues): Placeholder => ({ field, name: labelOf(field) })

/** What of the page is still built in, in the order of the form. */
export function placeholdersOf(content: SiteContent): Placeholder[] {
  const isInvented = NUMBERS.some(
    (number) => content[`achievement${number}Number`] === '' && content[`achievement${number}Label`] === '',
  )
  return [
    ...PLAIN.filter((field) => content[field] === '').map(named),
    ...(content.showAchievements && isInvented
      ? [{ field: 'showAchievements', name: CONTENT_SECTIONS.achievements } as const]
      : []),
    ...(content.upiId === '' ? [named('upiId')] : []),
  ]
}
