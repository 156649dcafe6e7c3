/**
 * Every number that a call is held to, once. Lengths are counted as HTML's `maxlength` counts them
 * (UTF-16 code units), so that a form and the server agree.
 */
export const limits = {
  /** decisions 99 */
  title: 200,
  name: 200,
  shortText: 300,
  altText: 300,
  longText: 5_000,
  artistDescription: 20_000,
  address: 2_048,
  /** decisions 18 */
  contactName: 100,
  email: 254,
  contactMessage: 5_000,
  /** decisions 18: stored messages per address and window */
  contactMessages: 5,
  contactWindowMs: 10 * 60_000,
  /** interface: a form sent sooner after it was opened was not typed by a person */
  contactTrapMs: 3_000,
  /** decisions 51: failures per address, and per username, in one window */
  loginFailures: 10,
  loginWindowMs: 10 * 60_000,
  /** decisions 30: whole rupees, and the first year that is a year */
  maxPrice: 10_00_00_000,
  minYear: 1000,
  /** decisions 13, 46: bytes */
  imageBytes: 25 * 1024 * 1024,
  jsonBytes: 1024 * 1024,
  /** decisions 103 */
  minPassword: 8,
  maxPassword: 128,
  /** The UPI linking specification: payee address and payee name */
  upiId: 255,
  upiPayeeName: 99,
  /** decisions 20 */
  idempotencyKey: 200,
  /** GET /api/activity */
  activityDefault: 50,
  activityMax: 200,
  /** An opaque cursor or public id that we made ourselves is never longer */
  opaque: 200,
} as const
