import { z } from 'zod'
import {
  type ChoiceRule,
  highest,
  isoDate,
  keysOf,
  sortOrderRule,
  type TextRule,
  tidyText,
  tooLong,
  type WholeRule,
} from '#domain/field-rules.ts'
import { limits } from './limits.ts'

/*
 * The kinds of field that calls are made of, from the domain's rules. Every message is a sentence that can stand under
 * the field in a form, without a final full stop.
 */

/**
 * Looks at nothing but the length: what comes after it (cleaning, patterns, comparing) takes its time with a long text,
 * on the thread that serves everybody.
 */
const lengthError = (rule: TextRule) => ({ error: () => tooLong(rule), abort: true })

/**
 * The most characters of a text as it was sent. A form sends each line break as two, and blanks around a text are none
 * of it.
 */
const asSent = (max: number): number => 2 * max + 100

/** Whether a value that must be there was left out; null is how some forms say so. */
export const isLeftOut = (input: unknown): boolean => input === undefined || input === null

type Required = TextRule & { readonly required: string }

/** A text that must be there. */
export const requiredText = (rule: Required): z.ZodString => {
  const { label, max, required, form } = rule
  const schema = z
    .string({ error: (issue) => (isLeftOut(issue.input) ? required : `${label} must be text`) })
    .max(asSent(max), lengthError(rule))
    .overwrite((text) => tidyText(rule, text))
    .min(1, { error: required, abort: true })
    .max(max, lengthError(rule))
  return form === null ? schema : schema.refine(form.is, form.sentence)
}

/** A text that may be empty. @param mend makes what was meant of what was typed */
const plainText = (rule: TextRule, mend: (text: string) => string = (text) => text): z.ZodString => {
  const { label, max, form } = rule
  const schema = z
    .string(`${label} must be text`)
    .max(asSent(max), lengthError(rule))
    .overwrite((text) => tidyText(rule, text))
    .max(max, lengthError(rule))
    .overwrite(mend)
  return form === null ? schema : schema.refine((text) => text === '' || form.is(text), form.sentence)
}

/** A text that may be empty; null counts as empty. @param mend makes what was meant of what was typed */
export const optionalText = (rule: TextRule, mend?: (text: string) => string) =>
  plainText(rule, mend)
    .nullable()
    .transform((text) => text ?? '')

/** A text, or null where null means something else than empty. */
export const textOrNull = (rule: TextRule) => plainText(rule).nullable()

const nullForEmpty = (value: string | null): string | null =>
  typeof value === 'string' && value.trim() === '' ? null : value

/** A text or null; empty text counts as null. */
export const nullWhenEmpty = (rule: TextRule) => z.preprocess(nullForEmpty, plainText(rule).nullable())

/** A host with a dot, as one types the address of a site: `her-name.blogspot.com/about`. */
const bareAddress = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]\S*)?$/u

/** This machine, which hardly ever has a certificate; its name has no dot, and before a port it looks like a scheme. */
const ownMachine = /^(?:localhost|127\.0\.0\.1)(?::\d+)?(?:[/?#]\S*)?$/i

/** What is plainly an address without its beginning gets the one it has. */
export const withScheme = (text: string): string => {
  if (ownMachine.test(text)) return `http://${text}`
  return bareAddress.test(text) ? `https://${text}` : text
}

/** One of the values of a choice. */
export const choice = <Value extends string>(rule: ChoiceRule<Value>) =>
  z.enum(keysOf(rule.words), rule.sentence)

const numeric = /^[+-]?\d+(?:\.\d+)?$/
/** Longer than any number that a field takes, blanks around it included. */
const longestNumber = 100

/** Turns the text of a plain decimal number into the number; leaves everything else for the schema to refuse. */
const numberOfText = (value: number | string): number | string => {
  const text = typeof value === 'string' && value.length <= longestNumber ? value.trim() : ''
  return numeric.test(text) ? Number(text) : value
}

/** A whole number, also as text. Whatever it is not, the message says what it must be. */
export const wholeNumber = (message: string, min: number, max: number) =>
  z.preprocess(numberOfText, z.int(message).min(min, message).max(max, message))

/** By the clock of this process. */
const today = (): string => isoDate(new Date())

/** The same by its rule, whose bounds may move with the days. */
export const whole = (rule: WholeRule) => {
  const error = () => rule.sentence(highest(rule, today()))
  const number = z.int({ error }).min(rule.min, { error })
  const { max } = rule
  return z.preprocess(
    numberOfText,
    typeof max === 'number'
      ? number.max(max, { error })
      : number.refine((value) => value <= max(today()), { error }),
  )
}

/** A whole number or null; empty text counts as null. */
export const wholeOrNull = (rule: WholeRule) =>
  z.preprocess(
    (value: number | string | null) => (typeof value === 'string' ? nullForEmpty(value) : value),
    whole(rule).nullable(),
  )

/** A place in a list; any whole number. Text that is no number is refused. */
export const sortOrder = () => whole(sortOrderRule)

/** Yes or no, as JSON's true and false. */
export const yesOrNo = (label: string) => z.boolean(`${label} must be true or false`)

/** The version that the sender has seen. */
const expectedVersion = () =>
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

/** A schema for each key of a table of rules. */
export const schemaOfEach = <Rules extends object, Schema extends z.ZodType>(
  rules: Rules,
  schemaOf: (rule: Rules[keyof Rules]) => Schema,
): { [Key in keyof Rules]: Schema } =>
  // Object.fromEntries forgets its keys; they are those of the rules.
  Object.fromEntries(
    Object.entries(rules).map(([key, rule]: [string, Rules[keyof Rules]]) => [key, schemaOf(rule)]),
  ) as { [Key in keyof Rules]: Schema }

type Partly<S extends z.core.$ZodShape> = { [K in keyof S]: z.ZodExactOptional<S[K]> }

/** The same fields, each of which may be left out: a key that was not sent is not there after parsing either. */
const partly = <S extends z.core.$ZodShape>(shape: S): Partly<S> => {
  const entries = Object.entries(shape).map(([key, field]) => [key, z.exactOptional(field)])
  // Object.fromEntries forgets which key held which schema; the line above keeps both.
  return Object.fromEntries(entries) as Partly<S>
}

/**
 * The body of a change: some of the fields, and the version that the sender has seen. It may be the record as GET
 * answered it: what a caller cannot set is dropped before the strict parse.
 * @param isOwn Says whether a key with its value is one of the entity's read-only fields.
 */
export const changeBody = <S extends z.core.$ZodShape>(
  isOwn: (key: string, value: unknown) => boolean,
  fields: S,
) => {
  const schema = body({ ...partly(fields), expectedVersion: expectedVersion().exactOptional() })
  return z.preprocess((value: z.input<typeof schema>): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).filter(([key, field]) => !isOwn(key, field)))
  }, schema)
}

/** The test of {@link changeBody} for a plain list of keys. */
export const oneOf =
  (...keys: string[]) =>
  (key: string): boolean =>
    keys.includes(key)

const undefinedForEmpty = (value: string | undefined): string | undefined =>
  typeof value === 'string' && value.trim() === '' ? undefined : value

/** A value of a query or a form, of which an empty one is the same as none. */
export const absentWhenEmpty = <S extends z.ZodType>(schema: S) =>
  z.preprocess(undefinedForEmpty, schema.optional())
