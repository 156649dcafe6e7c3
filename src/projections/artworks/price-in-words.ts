import { inGroups } from '#domain/field-rules.ts'

/** A price in whole rupees as people read it; 0 is "price on request". */
export const priceInWords = (rupees: number): string =>
  rupees === 0 ? 'price on request' : `₹${inGroups(rupees)}`
