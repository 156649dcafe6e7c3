import { z } from 'zod'
import { event, type EventOf } from '../event.ts'

/** Every text of the site content record, in the order of the form. */
export const contentFields = [
  'artistName',
  'artistBio',
  'artistDescription',
  'profileImageUrl',
  'contactEmail',
  'contactWhatsapp',
  'contactAddress',
  'artistQuote',
  'quoteBulletPoint1',
  'quoteBulletPoint2',
  'quoteBulletPoint3',
  'bioParagraph3',
  'bioParagraph4',
  'achievement1Number',
  'achievement1Label',
  'achievement1Icon',
  'achievement2Number',
  'achievement2Label',
  'achievement2Icon',
  'achievement3Number',
  'achievement3Label',
  'achievement3Icon',
  'achievement4Number',
  'achievement4Label',
  'achievement4Icon',
  'heroTitle',
  'heroSubtitle',
  'heroPrimaryButtonText',
  'heroSecondaryButtonText',
] as const
export type ContentField = (typeof contentFields)[number]

/** The settings that make a payment QR. */
export const paymentFields = ['upiId', 'upiPayeeName', 'upiKind'] as const
export type PaymentField = (typeof paymentFields)[number]

const nothing = z.strictObject({})
const change = z.strictObject({ from: z.string(), to: z.string() })

/** What can happen to the texts and settings of the site (stream `site-content`). Unset is empty text. */
export const siteContentEvents = {
  ContentUpdated: event(
    z.strictObject({ changes: z.partialRecord(z.enum(contentFields), change), sample: z.boolean() }),
  ),
  PaymentDetailsChanged: event(z.strictObject({ changes: z.partialRecord(z.enum(paymentFields), change) })),
  BlogAddressChanged: event(change),
  /** The four figures below the biography are on the page again, or off it. They are on it at first. */
  AchievementsShown: event(nothing),
  AchievementsHidden: event(nothing),
  /** Sample texts that the owner had not changed were emptied. */
  SampleContentRemoved: event(z.strictObject({ changes: z.partialRecord(z.enum(contentFields), change) })),
} as const

export type SiteContentEvent = EventOf<typeof siteContentEvents>
