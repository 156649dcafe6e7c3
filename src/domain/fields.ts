import { Refusal } from '#domain/refusal.ts'

/** The longest texts that are kept, in UTF-16 units as browsers count `maxlength` (decisions 99). */
export const limits = {
  name: 200,
  shortText: 300,
  longText: 5_000,
  html: 20_000,
  address: 2_048,
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

/** The sentence for a text above its limit, else null. `what` begins the sentence ("The title"). */
export const tooLong = (what: string, text: string, limit: number): string | null =>
  text.length > limit ? `${what} must not be longer than ${limit.toLocaleString('en-IN')} characters` : null

/** The sentence for a number that cannot be a place in an order, else null. */
export const badSortOrder = (sortOrder: number): string | null =>
  Number.isSafeInteger(sortOrder) ? null : 'The sort order must be a whole number'

/** Whether a text is an absolute address with one of these schemes (`https:`). */
export const isAddress = (text: string, schemes: readonly string[]): boolean => {
  const url = URL.parse(text)
  return url !== null && schemes.includes(url.protocol) && url.hostname !== '' && !/\s/.test(text)
}

/** A text of one line as it is kept: without outer blanks, inner blanks and line breaks made one blank. */
export const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ')
