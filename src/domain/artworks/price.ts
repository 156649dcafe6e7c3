import { inGroups } from '../in-groups.ts'

/** An amount of whole rupees as it is read in India: ₹1,25,000. */
export const rupees = (amount: number): string => `₹${inGroups(amount)}`

/** A price as people read it. */
export const priceInWords = (price: number): string => (price === 0 ? 'Price on request' : rupees(price))
