import { z } from 'zod'
import { event, type EventOf } from '#domain/event.ts'

/** Every text of the site content record (specification §3), in the order of the form. */
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

/** The settings that make a payment QR (decisions 24). */
export const paymentFields = ['upiId', 'upiPayeeName', 'upiKind'] as const
export type PaymentField = (typeof paymentFields)[number]

const change = z.strictObject({ from: z.string(), to: z.string() })

/** What can happen to the texts and settings of the site (stream `site-content`). Unset is empty text. */
export const siteContentEvents = {
  ContentUpdated: event(
    z.strictObject({ changes: z.partialRecord(z.enum(contentFields), change), sample: z.boolean() }),
  ),
  PaymentDetailsChanged: event(z.strictObject({ changes: z.partialRecord(z.enum(paymentFields), change) })),
  BlogAddressChanged: event(change),
  /** Sample texts that the owner had not changed were emptied (decisions 107). */
  SampleContentRemoved: event(z.strictObject({ changes: z.partialRecord(z.enum(contentFields), change) })),
} as const

export type SiteContentEvent = EventOf<typeof siteContentEvents>
