import { fieldLimits } from '../field-limits.ts'
import { acceptedTexts, emailAddress, imageAddress, keysOf, line, lines, webAddress } from '../field-rules.ts'

/** What the kind of a UPI account must be, in a sentence. */
export const upiKindSentence = 'UPI kind must be personal or merchant'

const short = (label: string) => line(label, fieldLimits.shortText)

/** What each text of the page may be, in the order of the form. All may be empty. */
export const contentRules = {
  artistName: line('Artist name', fieldLimits.name),
  artistBio: lines('About the artist', fieldLimits.longText),
  artistDescription: lines('Hero description', fieldLimits.html),
  profileImageUrl: imageAddress('Profile picture'),
  contactEmail: emailAddress('Email'),
  contactWhatsapp: short('WhatsApp'),
  contactAddress: lines('Studio address', fieldLimits.shortText),
  artistQuote: lines('Main quote', fieldLimits.shortText),
  quoteBulletPoint1: short('Bullet point 1'),
  quoteBulletPoint2: short('Bullet point 2'),
  quoteBulletPoint3: short('Bullet point 3'),
  bioParagraph3: lines('Biography paragraph 3', fieldLimits.longText),
  bioParagraph4: lines('Biography paragraph 4', fieldLimits.longText),
  achievement1Number: short('Achievement 1 number'),
  achievement1Label: short('Achievement 1 label'),
  achievement1Icon: short('Achievement 1 icon'),
  achievement2Number: short('Achievement 2 number'),
  achievement2Label: short('Achievement 2 label'),
  achievement2Icon: short('Achievement 2 icon'),
  achievement3Number: short('Achievement 3 number'),
  achievement3Label: short('Achievement 3 label'),
  achievement3Icon: short('Achievement 3 icon'),
  achievement4Number: short('Achievement 4 number'),
  achievement4Label: short('Achievement 4 label'),
  achievement4Icon: short('Achievement 4 icon'),
  heroTitle: line('Hero title', fieldLimits.name),
  heroSubtitle: short('Hero subtitle'),
  heroPrimaryButtonText: short('Primary button text'),
  heroSecondaryButtonText: short('Secondary button text'),
}
export type ContentField = keyof typeof contentRules

export const upiKinds = ['personal', 'merchant'] as const
const isUpiKind = (text: string): boolean => upiKinds.some((kind) => kind === text)

/** The settings that make a payment QR. `name@handle` is the address that payer apps take. */
export const paymentRules = {
  upiId: line('UPI ID', fieldLimits.upiId, {
    is: (text) => /^[A-Za-z0-9._-]{2,}@[A-Za-z][A-Za-z0-9.-]*$/.test(text),
    sentence: 'UPI ID must look like name@bank',
  }),
  upiPayeeName: line('UPI payee name', fieldLimits.upiPayeeName),
  upiKind: line('UPI kind', fieldLimits.shortText, {
    is: isUpiKind,
    sentence: upiKindSentence,
  }),
}
export type PaymentField = keyof typeof paymentRules

/** What every text and setting of the site may be. */
export const siteRules = { ...contentRules, ...paymentRules, blogUrl: webAddress('Blog address') }
export type SiteContentField = keyof typeof siteRules

export const contentFields = keysOf(contentRules)
export const paymentFields = keysOf(paymentRules)
/** Every field that a change may name. */
export const siteContentFields = keysOf(siteRules)

/** Some of the texts and settings; those absent or undefined stay as they are. */
export type SiteContentChanges = { readonly [Field in SiteContentField]?: string | undefined } & {
  /** whether the four figures below the biography are on the page */
  readonly showAchievements?: boolean | undefined
}

/**
 * The changes as they may be kept.
 * @throws {Refusal} `invalid`, naming every field at fault
 */
export const acceptedContent = (changes: SiteContentChanges): SiteContentChanges => ({
  ...changes,
  ...acceptedTexts(siteRules, changes),
})
