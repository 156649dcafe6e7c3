import { z } from 'zod'
import { contentFields, paymentFields, type ContentField, type PaymentField } from './events.ts'
import { isAddress, limits, refuseInvalid, tooLong } from '../fields.ts'

export type SiteContentField = ContentField | PaymentField | 'blogUrl'
/** Some of the texts and settings; those absent or undefined stay as they are. */
export type SiteContentChanges = { readonly [Field in SiteContentField]?: string | undefined } & {
  /** whether the four figures below the biography are on the page */
  readonly showAchievements?: boolean | undefined
}

const contentLimits: Readonly<Record<ContentField, number>> = {
  artistName: limits.name,
  artistBio: limits.longText,
  artistDescription: limits.html,
  profileImageUrl: limits.address,
  contactEmail: limits.email,
  contactWhatsapp: limits.shortText,
  contactAddress: limits.shortText,
  artistQuote: limits.shortText,
  quoteBulletPoint1: limits.shortText,
  quoteBulletPoint2: limits.shortText,
  quoteBulletPoint3: limits.shortText,
  bioParagraph3: limits.longText,
  bioParagraph4: limits.longText,
  achievement1Number: limits.shortText,
  achievement1Label: limits.shortText,
  achievement1Icon: limits.shortText,
  achievement2Number: limits.shortText,
  achievement2Label: limits.shortText,
  achievement2Icon: limits.shortText,
  achievement3Number: limits.shortText,
  achievement3Label: limits.shortText,
  achievement3Icon: limits.shortText,
  achievement4Number: limits.shortText,
  achievement4Label: limits.shortText,
  achievement4Icon: limits.shortText,
  heroTitle: limits.name,
  heroSubtitle: limits.shortText,
  heroPrimaryButtonText: limits.shortText,
  heroSecondaryButtonText: limits.shortText,
}

/** Payee address and name of the UPI linking specification; the address is `name@handle`. */
const upiIdLimit = 255
const upiPayeeNameLimit = 99
const upiIdPattern = /^[A-Za-z0-9._-]{2,}@[A-Za-z][A-Za-z0-9.-]*$/
const upiKinds: readonly string[] = ['personal', 'merchant']

/** Fields whose value has a form of its own: the sentence for a value that has not. Empty is always right. */
const forms: Readonly<Partial<Record<SiteContentField, (value: string) => string | null>>> = {
  contactEmail: (value) =>
    z.email().safeParse(value).success ? null : 'Email must look like name@example.com',
  upiId: (value) => (upiIdPattern.test(value) ? null : 'UPI ID must look like name@bank'),
  upiKind: (value) => (upiKinds.includes(value) ? null : 'UPI kind must be personal or merchant'),
  blogUrl: (value) =>
    isAddress(value, ['http:', 'https:'])
      ? null
      : 'Blog address must be an address that begins with http:// or https://',
}

const settingLimits: Readonly<Record<PaymentField | 'blogUrl', number>> = {
  upiId: upiIdLimit,
  upiPayeeName: upiPayeeNameLimit,
  upiKind: limits.shortText,
  blogUrl: limits.address,
}

const fieldLimits: Readonly<Record<SiteContentField, number>> = { ...contentLimits, ...settingLimits }
/** Every field that a change may name. */
export const siteContentFields: readonly SiteContentField[] = [...contentFields, ...paymentFields, 'blogUrl']

/** `quoteBulletPoint1` → `Quote bullet point 1`, for the sentence of a text that is too long. */
const labelOf = (field: string): string => {
  const words = field.replace(/([A-Z]|\d+)/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const problemOf = (field: SiteContentField, value: string | undefined): string | null => {
  if (value === undefined || value === '') return null
  return tooLong(labelOf(field), value, fieldLimits[field]) ?? forms[field]?.(value) ?? null
}

/** Single-line settings lose outer blanks; texts stay as they were written. */
const tidy = (changes: SiteContentChanges): SiteContentChanges => {
  const trimmed = ['contactEmail', 'profileImageUrl', ...paymentFields, 'blogUrl'] as const
  return {
    ...changes,
    ...Object.fromEntries(
      trimmed.flatMap((field) => {
        const value = changes[field]
        return value === undefined ? [] : [[field, value.trim()]]
      }),
    ),
  }
}

/**
 * The changes as they may be kept.
 * @throws {Refusal} `invalid`, naming every field at fault
 */
export const acceptedContent = (changes: SiteContentChanges): SiteContentChanges => {
  const accepted = tidy(changes)
  refuseInvalid(
    Object.fromEntries(siteContentFields.map((field) => [field, problemOf(field, accepted[field])])),
  )
  return accepted
}
