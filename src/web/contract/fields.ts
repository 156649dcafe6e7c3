import { z } from 'zod'
import { limits } from './limits.ts'

/*
 * The kinds of field that calls are made of. Every message is a sentence that can stand under the field
 * in a form, without a final full stop, as the specification's own messages do.
 */

const grouped = new Intl.NumberFormat('en-IN')

/** Control characters other than tab and line break: no person types them, and no screen shows them. */
const INVISIBLE = /(?![\t\n])\p{Cc}/gu

/** What leaves a mark on a screen; zero-width blanks and joiners alone do not, and count as nothing. */
const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Keeps lines, in one kind of line break, without what cannot be shown or stored. */
const cleanLines = (value: string): string => {
  const kept = value.toWellFormed().replace(/\r\n?/g, '\n').replace(INVISIBLE, '').trim()
  return VISIBLE.test(kept) ? kept : ''
}

/** A text for one line: line breaks and runs of blanks are one blank. */
const cleanLine = (value: string): string => cleanLines(value).replace(/\s+/g, ' ')

const tooLong = (label: string, max: number): string =>
  `${label} must be at most ${grouped.format(max)} characters`

/**
 * Looks at nothing but the length: what comes after it (cleaning, patterns, comparing) takes its time with a long text,
 * on the thread that serves everybody.
 */
const atMost = (label: string, max: number) => ({ error: tooLong(label, max), abort: true })

/**
 * The most characters of a text as it was sent. A form sends each line break as two, and blanks around a text are none
 * of it.
 */
const asSent = (max: number): number => 2 * max + 100

/** Whether a value that must be there was left out; null is how some forms say so. */
export const isMissing = (input: unknown): boolean => input === undefined || input === null

/**
 * A text that must be there.
 * @param label The field's name as a person reads it; it begins the messages.
 * @param max The most characters, after trimming.
 * @param options `lines: true` keeps line breaks; `required` replaces "<label> is required".
 */
export const requiredText = (
  label: string,
  max: number,
  options: { lines?: boolean; required?: string } = {},
): z.ZodString => {
  const required = options.required ?? `${label} is required`
  return z
    .string({ error: (issue) => (isMissing(issue.input) ? required : `${label} must be text`) })
    .max(asSent(max), atMost(label, max))
    .overwrite(options.lines === true ? cleanLines : cleanLine)
    .min(1, { error: required, abort: true })
    .max(max, atMost(label, max))
}

const plainText = (label: string, max: number, lines: boolean) =>
  z
    .string(`${label} must be text`)
    .max(asSent(max), atMost(label, max))
    .overwrite(lines ? cleanLines : cleanLine)
    .max(max, atMost(label, max))

const emptyForNull = (value: string | null): string => value ?? ''

/** One line that may be empty; null counts as empty. */
export const optionalLine = (label: string, max: number) =>
  plainText(label, max, false).nullable().transform(emptyForNull)

/** Several lines that may be empty; null counts as empty. */
export const optionalLines = (label: string, max: number) =>
  plainText(label, max, true).nullable().transform(emptyForNull)

/** Several lines, or null where null means something else than empty. */
export const linesOrNull = (label: string, max: number) => plainText(label, max, true).nullable()

/** One line that is empty or passes `pattern`; null counts as empty. */
export const optionalPattern = (label: string, max: number, pattern: RegExp, message: string) =>
  plainText(label, max, false)
    .refine((value) => value === '' || pattern.test(value), message)
    .nullable()
    .transform(emptyForNull)

const EMAIL_MESSAGE = 'Email must look like name@example.com'

/** An e-mail address that must be there. */
export const requiredEmail = () => requiredText('Email', limits.email).regex(z.regexes.email, EMAIL_MESSAGE)

/** An e-mail address or nothing. */
export const optionalEmail = () => optionalPattern('Email', limits.email, z.regexes.email, EMAIL_MESSAGE)

/** The address of a picture of our own: content-hashed, relative. */
const OWN_IMAGE = /^\/images\/[0-9a-f]{64}\/original-view\.jpg$/

/** Whether an address is one of our own pictures: `/images/{sha-256}/original-view.jpg`. */
export const isOwnImage = (address: string): boolean => OWN_IMAGE.test(address)

/** Whether a text is an http(s) address without blanks, quotes or a password in it. */
export const isWebAddress = (address: string): boolean => {
  if (!/^https?:\/\/[^\s<>"\\]+$/i.test(address) || !URL.canParse(address)) return false
  const url = new URL(address)
  return url.hostname !== '' && url.username === '' && url.password === ''
}

const isImage = (address: string): boolean => isOwnImage(address) || isWebAddress(address)

const imageMessage = (label: string): string =>
  `${label} must be an uploaded picture or an address that begins with http:// or https://`

/** A picture that must be there: uploaded here, or an http(s) address. */
export const requiredImage = (label: string, required: string) =>
  requiredText(label, limits.address, { required }).refine(isImage, imageMessage(label))

/** A picture or empty text; null counts as empty. */
export const optionalImage = (label: string) =>
  plainText(label, limits.address, false)
    .refine((value) => value === '' || isImage(value), imageMessage(label))
    .nullable()
    .transform(emptyForNull)

const nullForEmpty = (value: string | null): string | null =>
  typeof value === 'string' && value.trim() === '' ? null : value

/** A picture or null; empty text counts as null. */
export const imageOrNull = (label: string) =>
  z.preprocess(
    nullForEmpty,
    plainText(label, limits.address, false).refine(isImage, imageMessage(label)).nullable(),
  )

/** A host with a dot, as one types the address of a site: `her-name.blogspot.com/about`. */
const BARE_ADDRESS = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]\S*)?$/u

/** This machine, which hardly ever has a certificate; its name has no dot, and before a port it looks like a scheme. */
const OWN_MACHINE = /^(?:localhost|127\.0\.0\.1)(?::\d+)?(?:[/?#]\S*)?$/i

/** What is plainly an address without its beginning gets the one it has. */
const withScheme = (value: string): string => {
  const typed = value.trim()
  if (OWN_MACHINE.test(typed)) return `http://${typed}`
  return BARE_ADDRESS.test(typed) ? `https://${typed}` : value
}

/** An http(s) address or empty text; null counts as empty. One typed without `https://` is taken for what it is. */
export const optionalWebAddress = (label: string) =>
  plainText(label, limits.address, false)
    .overwrite(withScheme)
    .refine(
      (value) => value === '' || isWebAddress(value),
      `${label} must be an address that begins with http:// or https://`,
    )
    .nullable()
    .transform(emptyForNull)

const NUMERIC = /^[+-]?\d+(?:\.\d+)?$/
/** Longer than any number that a field takes, blanks around it included. */
const LONGEST_NUMBER = 100

/** Turns the text of a plain decimal number into the number; leaves everything else for the schema to refuse. */
const numberOfText = (value: number | string): number | string => {
  const text = typeof value === 'string' && value.length <= LONGEST_NUMBER ? value.trim() : ''
  return NUMERIC.test(text) ? Number(text) : value
}

/** A whole number, also as text. Whatever it is not, the message says what it must be. */
export const wholeNumber = (message: string, min: number, max: number) =>
  z.preprocess(numberOfText, z.int(message).min(min, message).max(max, message))

const PRICE_MESSAGE = `Price must be a whole number of rupees between 0 and ${grouped.format(limits.maxPrice)}`

/** Whole rupees, 0 to 10,00,00,000. */
export const price = () => wholeNumber(PRICE_MESSAGE, 0, limits.maxPrice)

/** A place in a list; any whole number. Text that is no number is refused. */
export const sortOrder = () =>
  wholeNumber('Sort order must be a whole number', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)

/** The last year that a work may bear: next year by the clock of this process, in UTC. */
export const nextYear = (): number => new Date().getUTCFullYear() + 1

const yearMessage = (): string => `Year must be a whole number between ${limits.minYear} and ${nextYear()}`

/** A year from 1000 to next year, or null; empty text counts as null. */
export const yearOrNull = () =>
  z.preprocess(
    (value: number | string | null) => {
      const text = typeof value === 'string' ? nullForEmpty(value) : value
      return text === null ? null : numberOfText(text)
    },
    z
      .int({ error: yearMessage })
      .min(limits.minYear, { error: yearMessage })
      .refine((year) => year <= nextYear(), { error: yearMessage })
      .nullable(),
  )

/** Yes or no, as JSON's true and false. */
export const yesOrNo = (label: string) => z.boolean(`${label} must be true or false`)

/** The version that the sender has seen. */
export const expectedVersion = () =>
  wholeNumber('expectedVersion must be the version number that GET answered', 0, Number.MAX_SAFE_INTEGER)

/** An id in an answer. */
export const id = () => z.guid()

/** A moment in an answer: ISO 8601 in UTC. */
export const timestamp = () => z.iso.datetime()

/** A count in an answer. */
export const count = () => z.int().min(0)

/** An id in a path. A value that is no id names nothing: the server answers 404, not 422. */
export const idParams = z.strictObject({ id: z.guid().toLowerCase() })

/** An address of a call whose id we made ourselves in another form than a UUID. */
export const opaqueIdParams = z.strictObject({
  id: z
    .string()
    .max(limits.opaque)
    .regex(/^[A-Za-z0-9_.:-]+$/),
})

/** A JSON body: unknown keys are refused. */
export const body = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'invalid_type' ? 'Send a JSON object with the fields of this call' : undefined,
  })

type Partly<S extends z.core.$ZodShape> = { [K in keyof S]: z.ZodExactOptional<S[K]> }

/** The same fields, each of which may be left out: a key that was not sent is not there after parsing either. */
export const partly = <S extends z.core.$ZodShape>(shape: S): Partly<S> => {
  const entries = Object.entries(shape).map(([key, field]) => [key, z.exactOptional(field)])
  // Object.fromEntries forgets which key held which schema; the line above keeps both.
  return Object.fromEntries(entries) as Partly<S>
}

/**
 * A body that may be the record as GET answered it: what a caller cannot set is dropped before the strict
 * parse.
 * @param isOwn Says whether a key with its value is one of the entity's read-only fields.
 */
export const ignoringOwnFields = <S extends z.ZodType>(
  isOwn: (key: string, value: unknown) => boolean,
  schema: S,
) =>
  z.preprocess((value: z.input<S>): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).filter(([key, field]) => !isOwn(key, field)))
  }, schema)

/** The test of {@link ignoringOwnFields} for a plain list of keys. */
export const oneOf =
  (...keys: string[]) =>
  (key: string): boolean =>
    keys.includes(key)

const undefinedForEmpty = (value: string | undefined): string | undefined =>
  typeof value === 'string' && value.trim() === '' ? undefined : value

/** A value of a query or a form, of which an empty one is the same as none. */
export const absentWhenEmpty = <S extends z.ZodType>(schema: S) =>
  z.preprocess(undefinedForEmpty, schema.optional())
