import { z } from 'zod'
import { event, type EventOf } from '../event.ts'
import { contentFields, paymentFields } from './rules.ts'

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
