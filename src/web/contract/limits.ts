import { fieldLimits } from '#domain/field-limits.ts'
import { machineLimits } from '#domain/machine-limits.ts'
// The web knows the domain by its contract alone, hence these names of the domain stand here as well.
export { textProblem, tidyText } from '#domain/field-rules.ts'
export { inGroups } from '#domain/in-groups.ts'
export { messageRules } from '#domain/messages/rules.ts'

/** A form sent sooner after it was opened was not typed by a person; in ms. */
export const contactTrapMs = 3_000

/** Every number that a call is held to: what is kept at most, by the domain, and what is taken at a time. */
export const limits = {
  ...fieldLimits,
  ...machineLimits,
  /** stored messages per address and window */
  contactMessages: 5,
  contactWindowMs: 10 * 60_000,
  /** stored messages of all addresses together, and their window */
  allMessages: 200,
  allMessagesWindowMs: 60 * 60_000,
  /** messages, and deleted artworks, that are listed at once */
  listPage: 500,
  /** bytes */
  jsonBytes: 1024 * 1024,
  /** of whoever has no session */
  visitorBytes: 64 * 1024,
  /** ms that a body may take to arrive: a visitor's, and the owner's */
  visitorBodyMs: 20_000,
  ownerBodyMs: 120_000,
  /** forms without JavaScript that are refused with the whole page, per address and window */
  refusedForms: 20,
  /** spec H-23 */
  idempotencyKey: 200,
  /** rows of one POST /api/artworks/batch */
  batchRows: 500,
  /** GET /api/activity */
  activityMax: 200,
  /** An opaque cursor or public id that we made ourselves is never longer */
  opaque: 200,
} as const

/** The limit of an image as people read it, in MB. */
export const imageMegabytes = limits.imageBytes / 1024 / 1024

/** What is said of an image that is larger. */
export const imageTooLarge = `File size must be less than ${imageMegabytes}MB`
