import { Refusal } from './refusal.ts'

/** The longest texts that are kept, in UTF-16 units as browsers count `maxlength`. */
export const limits = {
  name: 200,
  shortText: 300,
  longText: 5_000,
  html: 20_000,
  address: 2_048,
  email: 254,
} as const

/** What is wrong with which field: a sentence, or null for a field that is right. */
export type Problems = Readonly<Record<string, string | null>>

/**
 * Refuses when any field has a problem, naming all of them at once.
 * @throws {Refusal} `invalid`; its sentence is that of the first field at fault
 */
export const refuseInvalid = (problems: Problems): void => {
  const fields: Record<string, string> = {}
  for (const [field, problem] of Object.entries(problems)) if (problem !== null) fields[field] = problem
  const [first] = Object.values(fields)
  if (first !== undefined) throw new Refusal('invalid', first, fields)
}

/** Made for the first text that is too long: what a formatter needs to know of languages is slow to load. */
let grouped: Intl.NumberFormat | undefined

const inGroups = (number: number): string => {
  grouped ??= new Intl.NumberFormat('en-IN')
  return grouped.format(number)
}

/** The sentence for a text above its limit, else null. `label` is the field's name as a person reads it. */
export const tooLong = (label: string, text: string, limit: number): string | null =>
  text.length > limit ? `${label} must be at most ${inGroups(limit)} characters` : null

/** The sentence for a number that cannot be a place in an order, else null. */
export const badSortOrder = (sortOrder: number): string | null =>
  Number.isSafeInteger(sortOrder) ? null : 'Sort order must be a whole number'

/** Whether a text is an absolute address with one of these schemes (`https:`). */
export const isAddress = (text: string, schemes: readonly string[]): boolean => {
  const url = URL.parse(text)
  return url !== null && schemes.includes(url.protocol) && url.hostname !== '' && !/\s/.test(text)
}

/** What leaves a mark on a screen; zero-width blanks and joiners alone do not. */
const visible = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/**
 * A text of one line as it is kept: without outer blanks, inner blanks and line breaks made one blank; empty
 * where nothing of it can be seen.
 */
export const oneLine = (text: string): string => (visible.test(text) ? text.trim().replace(/\s+/g, ' ') : '')

/** `quoteBulletPoint1` → `Quote bullet point 1`. */
export const fieldInWords = (field: string): string => {
  const words = field
    .replace(/([A-Z]|\d+)/g, ' $1')
    .toLowerCase()
    .replace(/\bupi\b/g, 'UPI')
    .replace(/\bid\b/g, 'ID')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
