/** Between an artwork as the calls know it and the fields of its form, where numbers are what was typed. */
import type { Artwork, ArtworkField, NewArtworkInput } from '#web/contract/artworks.ts'
import type { BodyInput } from '#web/contract/calls.ts'
import { type Details, detailsIn, offered, rupees, saleWords } from '#web/contract/details.ts'
import {
  defaultAltText,
  emptyWholes,
  missingSentences,
  numberProblem,
  type SwitchField,
  thisYear,
  type WholeField,
} from '#web/contract/forms.ts'
import { limits } from '#web/contract/limits.ts'
import { beginningOf } from '../lib/beginning-of.ts'
import { asKept } from '../lib/edits.ts'
import { ARTWORK_WORDS } from './artworks-words.ts'

/** What she switches on and off, in the order of the form, and what it says there. */
export const SWITCHES: Readonly<Record<SwitchField, string>> = {
  isAvailable: 'Off hides it for a while; its card says “Hidden”.',
  isFeatured: 'The first three featured works stand at the top of the site.',
  isVisible: 'Off keeps it as a draft; its card says “Not on website”.',
}
// It has no other keys.
export const SWITCHED = Object.keys(SWITCHES) as SwitchField[]

/** The fields that a form shows as they are. */
const PLAIN = [
  'title',
  'description',
  'imageUrl',
  'category',
  'medium',
  'dimensions',
  ...SWITCHED,
  'saleStatus',
] as const
type Plain = Pick<Artwork, (typeof PLAIN)[number]>

export type ArtworkValues = Plain &
  Record<keyof Details, string> &
  /** as typed: {@link wholeIn} */
  Record<WholeField, string> & {
    /** her own; empty while the artwork bears the default */
    altText: string
    /** a manual one; empty while the server makes it */
    qrCodeUrl: string
  }

/** The form of a saved artwork. */
export function valuesOf(artwork: Artwork): ArtworkValues {
  const isDefaultAlt = artwork.altText === defaultAltText(artwork)
  const isMadeQr = artwork.qrCodeUrl?.startsWith('/qr/') ?? true
  return {
    // Each field keeps its own value.
    ...(Object.fromEntries(PLAIN.map((field) => [field, artwork[field]])) as Plain),
    ...detailsIn(artwork),
    price: String(artwork.price),
    yearCreated: String(artwork.yearCreated ?? ''),
    altText: isDefaultAlt ? '' : artwork.altText,
    qrCodeUrl: isMadeQr ? '' : (artwork.qrCodeUrl ?? ''),
  }
}

/** What stands in the field of a new artwork. */
export const NO_PRICE = '0'

/** The form of a new artwork: price 0, this year, available, not featured. */
export function newValues(now: Date): ArtworkValues {
  return {
    title: '',
    description: '',
    imageUrl: '',
    price: NO_PRICE,
    category: '',
    medium: '',
    dimensions: '',
    ...detailsIn(),
    yearCreated: String(thisYear(now)),
    isAvailable: true,
    isFeatured: false,
    isVisible: true,
    saleStatus: 'for_sale',
    altText: '',
    qrCodeUrl: '',
  }
}

/**
 * The form of another artwork like this one: all but image, title and sale status.
 * @param defaults of a new one, in whose order they are sent: a draft of it is sent as the same request
 */
export function valuesLike(artwork: Artwork, defaults: ArtworkValues): ArtworkValues {
  return {
    ...defaults,
    ...valuesOf(artwork),
    title: '',
    imageUrl: '',
    saleStatus: 'for_sale',
    altText: '',
    qrCodeUrl: '',
  }
}

const DIGITS = /^\d+$/

/** The whole number in what was typed; NaN where there is none. A price may be "₹ 1,25,000". */
function wholeIn(field: WholeField, text: string): number | null {
  const digits = field === 'price' ? text.replace(/[₹,\s]/g, '') : text.trim()
  if (digits === '') return emptyWholes[field]
  return DIGITS.test(digits) ? Number(digits) : Number.NaN
}
// It has no other keys.
const wholeFields = Object.keys(emptyWholes) as WholeField[]

/** What a field says: "₹1,000" is 1000. */
export const readingOf = <K extends ArtworkField & keyof ArtworkValues>(
  field: K,
  value: ArtworkValues[K],
): unknown => {
  const whole = wholeFields.find((each) => each === field)
  return whole === undefined ? asKept(field, value) : wholeIn(whole, String(value))
}

/** The body of a PUT for the fields that have changed. */
export function bodyOf(values: Partial<ArtworkValues>): BodyInput<'changeArtwork'> {
  const { qrCodeUrl, ...others } = values
  const numbers = wholeFields.flatMap((field) => {
    const typed = values[field]
    return typed === undefined ? [] : [[field, wholeIn(field, typed)]]
  })
  return {
    // What is chosen is one of the values that were offered, and each number is read as its field is.
    ...(others as Partial<Plain & Details & Pick<ArtworkValues, 'altText'>>),
    ...(Object.fromEntries(numbers) as Partial<Record<WholeField, number>>),
    ...(qrCodeUrl === undefined ? {} : { qrCodeUrl: qrCodeUrl.trim() === '' ? null : qrCodeUrl }),
  }
}

/** The body of a POST. */
export function newBodyOf(values: ArtworkValues): NewArtworkInput {
  return { ...bodyOf(values), title: values.title, imageUrl: values.imageUrl }
}

/**
 * What must be put right before an artwork is sent, by field, in the server's sentences for the same mistake. Empty when
 * all is well; everything else is the server's to judge.
 */
export function problemsIn(values: ArtworkValues, now: Date): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {}
  for (const field of ['title', 'imageUrl'] as const)
    if (values[field].trim() === '') problems[field] = missingSentences[field]
  for (const field of wholeFields) {
    const number = wholeIn(field, values[field])
    const problem = number === null ? null : numberProblem(field, number, now)
    if (problem !== null) problems[field] = problem
  }
  return problems
}

/** A title from a file's name: `ghats_2024-final.jpg` gives `Ghats 2024 final`. */
export function titleFromFile(name: string): string {
  const whole = name
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[_\-\s]+/g, ' ')
    .trim()
  const words = beginningOf(whole, limits.name)
  return words === '' ? 'Untitled' : words.charAt(0).toUpperCase() + words.slice(1)
}

// Each field gets the name of its detail.
const detailWords = Object.fromEntries(offered.map(({ field, label }) => [field, label])) as Record<
  keyof Details,
  string
>

/** What each field of the form is called; by drawing alone she says where an artwork stands. */
export const FIELD_WORDS: Readonly<Record<Exclude<ArtworkField, 'sortOrder'>, string>> = {
  title: 'Title',
  description: 'Description',
  imageUrl: 'Image',
  price: 'Price (₹)',
  category: 'Category',
  medium: 'Medium',
  dimensions: 'Dimensions',
  ...detailWords,
  yearCreated: 'Year',
  isAvailable: 'Available',
  isFeatured: 'Featured',
  isVisible: 'Show on website',
  saleStatus: ARTWORK_WORDS.saleStatus,
  altText: 'Alt text',
  qrCodeUrl: 'Payment QR code',
}

/** A field's value as it is read in a conflict. */
export function valueInWords<K extends keyof ArtworkValues>(key: K, value: ArtworkValues[K]): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (key === 'price' && DIGITS.test(value)) return rupees(Number(value))
  const options = offered.find(({ field }) => field === key)?.options
  if (options) return options.find((option) => option.value === value)?.label ?? String(value)
  const words: Readonly<Record<string, string>> = key === 'saleStatus' ? saleWords : {}
  return words[String(value)] ?? String(value)
}
