import { fieldLimits } from './field-limits.ts'
import { isOwnImage } from './images/image-address.ts'
import { inGroups } from './in-groups.ts'
import { Refusal } from './refusal.ts'

/** The keys of a table of fields. */
export const keysOf = <Table extends object>(table: Table): (keyof Table & string)[] =>
  // Literal tables hold no more keys than their types name.
  Object.keys(table) as (keyof Table & string)[]

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

/** What a text that is not empty must look like. */
export interface TextForm {
  readonly is: (text: string) => boolean
  /** the sentence for a text that does not */
  readonly sentence: string
}

/** What a text may be. The domain refuses by it, and the schemas of the calls are made of it. */
export interface TextRule {
  /** the field's name as a person reads it; it begins the sentences */
  readonly label: string
  readonly max: number
  /** line breaks are kept */
  readonly lines: boolean
  /** the sentence where there is none; null where it may be empty */
  readonly required: string | null
  readonly form: TextForm | null
}

/** The rule of a text of one line, which may be empty. */
export const line = (label: string, max: number, form: TextForm | null = null) =>
  ({ label, max, lines: false, required: null, form }) satisfies TextRule

/** The rule of a text of several lines, which may be empty. */
export const lines = (label: string, max: number) => ({ ...line(label, max), lines: true }) satisfies TextRule

/** The same text, that has to be there. */
export const required = <Rule extends TextRule>(
  rule: Rule,
  sentence = `${rule.label} is required`,
): Omit<Rule, 'required'> & { readonly required: string } => ({ ...rule, required: sentence })

/**
 * Control characters other than tab and line break, and code points that are no characters: no person types them, no
 * screen shows them, and no reader of the feed takes them in XML.
 */
const invisible = /(?![\t\n])\p{Cc}|\p{Noncharacter_Code_Point}/gu

/** What leaves a mark on a screen; zero-width blanks and joiners alone do not, and count as nothing. */
const visible = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/**
 * A text of several lines as it is kept: in one kind of line break, without outer blanks and what cannot be shown;
 * empty where nothing of it can be seen.
 */
const manyLines = (text: string): string => {
  const kept = text.toWellFormed().replace(/\r\n?/g, '\n').replace(invisible, '').trim()
  return visible.test(kept) ? kept : ''
}

/** A text of one line as it is kept: the same, and inner line breaks and runs of blanks are one blank. */
export const oneLine = (text: string): string => manyLines(text).replace(/\s+/g, ' ')

/** A text as its rule has it kept. */
export const tidyText = (rule: Pick<TextRule, 'lines'>, text: string): string =>
  rule.lines ? manyLines(text) : oneLine(text)

/** The sentence for a text above its limit. */
export const tooLong = ({ label, max }: Pick<TextRule, 'label' | 'max'>): string =>
  `${label} must be at most ${inGroups(max)} characters`

/** What is wrong with a text as it is to be kept, in a sentence; null when nothing is. */
export const textProblem = (rule: TextRule, text: string): string | null => {
  if (text === '') return rule.required
  // The length before anything else looks at a text: comparing takes the square of it.
  if (text.length > rule.max) return tooLong(rule)
  return rule.form === null || rule.form.is(text) ? null : rule.form.sentence
}

/**
 * The texts among some fields as their rules have them kept; what is absent or null is not among them.
 * @param others what is wrong with the other fields
 * @throws {Refusal} `invalid`, naming every field at fault
 */
export const acceptedTexts = <Field extends string>(
  rules: Readonly<Record<Field, TextRule>>,
  fields: NoInfer<{ readonly [F in Field]?: string | null | undefined }>,
  others: Problems = {},
): { readonly [F in Field]?: string } => {
  const texts: { [F in Field]?: string } = {}
  const problems: Record<string, string | null> = {}
  for (const field of keysOf(rules)) {
    const text = fields[field]
    if (typeof text !== 'string') continue
    const tidy = tidyText(rules[field], text)
    texts[field] = tidy
    problems[field] = textProblem(rules[field], tidy)
  }
  refuseInvalid({ ...problems, ...others })
  return texts
}

/** The day of a moment, which rules go by that move with the days: in UTC, wherever people are. spec W-4 */
export const isoDate = (at: Date): string => at.toISOString().slice(0, 10)

export interface WholeRule {
  readonly min: number
  /** moves with the days where it is asked for by an ISO date */
  readonly max: number | ((today: string) => number)
  readonly sentence: (max: number) => string
}

/** The highest number that a rule lets through. @param today ISO date */
export const highest = ({ max }: Pick<WholeRule, 'max'>, today: string): number =>
  typeof max === 'number' ? max : max(today)

/** What is wrong with a number. @param today ISO date */
export const wholeProblem = (rule: WholeRule, number: number, today: string): string | null => {
  const max = highest(rule, today)
  return Number.isSafeInteger(number) && number >= rule.min && number <= max ? null : rule.sentence(max)
}

/** A place in a list; any whole number. */
export const sortOrderRule: WholeRule = {
  min: Number.MIN_SAFE_INTEGER,
  max: Number.MAX_SAFE_INTEGER,
  sentence: () => 'Sort order must be a whole number',
}

/** The sentence for a number that cannot be a place in an order, else null. */
export const badSortOrder = (sortOrder: number): string | null => wholeProblem(sortOrderRule, sortOrder, '')

/** One of a few values, each with the words that people read; of an artwork's, the first is that of what is not said. */
export interface ChoiceRule<Value extends string = string> {
  readonly words: Readonly<Record<Value, string>>
  readonly sentence: string
}

/** Whether a text is an http(s) address without blanks, quotes or a password in it. */
export const isWebAddress = (address: string): boolean => {
  if (!/^https?:\/\/[^\s<>"\\]+$/i.test(address)) return false
  const url = URL.parse(address)
  return url !== null && url.hostname !== '' && url.username === '' && url.password === ''
}

/** The rule of an image: uploaded here, or of an http(s) address. */
export const imageAddress = (label: string) =>
  line(label, fieldLimits.address, {
    is: (address) => isOwnImage(address) || isWebAddress(address),
    sentence: `${label} must be an uploaded picture or an address that begins with http:// or https://`,
  })

/** The rule of an http(s) address. */
export const webAddress = (label: string) =>
  line(label, fieldLimits.address, {
    is: isWebAddress,
    sentence: `${label} must be an address that begins with http:// or https://`,
  })

/** The rule of an e-mail address. */
export const emailAddress = (label: string) =>
  line(label, fieldLimits.email, {
    is: (address) => /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i.test(address),
    sentence: `${label} must look like name@example.com`,
  })

/** `quoteBulletPoint1` → `Quote bullet point 1`. */
export const fieldInWords = (field: string): string => {
  const words = field
    .replace(/([A-Z]|\d+)/g, ' $1')
    .toLowerCase()
    .replace(/\bupi\b/g, 'UPI')
    .replace(/\bid\b/g, 'ID')
    .replace(/\bwhatsapp\b/g, 'WhatsApp')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
