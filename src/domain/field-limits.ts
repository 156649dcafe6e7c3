import { longestEmail } from './longest-email.ts'

/**
 * What is kept at most. Texts are measured in UTF-16 units as browsers count `maxlength`, so that a form and the server
 * agree.
 */
export const fieldLimits = {
  /** spec L-7 */
  name: 200,
  shortText: 300,
  longText: 5_000,
  html: 20_000,
  /** bytes of one image, uploaded or copied */
  imageBytes: 25 * 1024 * 1024,
  /** images of one mirrored post that are copied (spec J-15) */
  postImages: 200,
  /** posts of a run, and of the journal (spec J-11) */
  blogPosts: 10_000,
  /** Less than this is little on the disk of a site: what is not her own work waits (spec L-22). */
  leastFreeBytes: 500_000_000,
  address: 2_048,
  email: longestEmail,
  /** The UPI linking specification: payee address and payee name */
  upiId: 255,
  upiPayeeName: 99,
  /** whole rupees, and the first year that is a year */
  maxPrice: 10_00_00_000,
  minYear: 1000,
} as const
