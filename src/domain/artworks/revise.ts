import type { ArtworkEvent } from './events.ts'
import {
  type ArtworkFields,
  keysOf,
  type Label,
  saleEvents,
  type SaleStatus,
  type SwitchField,
  switchFields,
  valueFields,
} from './fields.ts'
import { defaultAltText, type Artwork } from './rules.ts'
import { badSortOrder, isAddress, limits, oneLine, type Problems, refuseInvalid, tooLong } from '../fields.ts'

/** Some of a work's fields; those absent or undefined stay as they are. */
export type ArtworkChanges = { readonly [Field in keyof ArtworkFields]?: ArtworkFields[Field] | undefined }

/** The names that category and medium ids stand for today, deleted ones with their last name. */
export interface LabelNames {
  readonly category: Readonly<Record<string, string>>
  readonly medium: Readonly<Record<string, string>>
}

const highestPrice = 10_00_00_000
const earliestYear = 1000

const titleProblem = (title: string): string | null =>
  title === '' ? 'Title is required' : tooLong('Title', title, limits.name)

const priceProblem = (price: number): string | null =>
  Number.isInteger(price) && price >= 0 && price <= highestPrice
    ? null
    : 'Price must be a whole number of rupees between 0 and 10,00,00,000'

const yearProblem = (year: number | null, today: string): string | null => {
  const latest = Number(today.slice(0, 4)) + 1
  return year === null || (Number.isInteger(year) && year >= earliestYear && year <= latest)
    ? null
    : `Year must be a whole number between ${earliestYear} and ${latest}, or empty`
}

const imageProblem = (imageUrl: string): string | null =>
  imageUrl === ''
    ? 'Please upload an image or provide an image URL.'
    : tooLong('Image address', imageUrl, limits.address)

/** Pages show pictures of this site and of https addresses only. */
const qrCodeProblem = (url: string | null): string | null => {
  if (url === null) return null
  const problem = tooLong('QR code address', url, limits.address)
  if (problem !== null || /^\/(?!\/)\S*$/.test(url) || isAddress(url, ['https:'])) return problem
  return 'QR code must be an https address or an image uploaded here'
}

const withTidyName = (label: Label): Label => ({ ...label, name: oneLine(label.name) })

/** The same fields as they are kept: outer blanks gone, an empty QR address as none. */
const tidy = (fields: ArtworkChanges): ArtworkChanges => ({
  ...fields,
  ...(fields.title === undefined ? {} : { title: oneLine(fields.title) }),
  ...(fields.dimensions === undefined ? {} : { dimensions: oneLine(fields.dimensions) }),
  ...(fields.altText === undefined ? {} : { altText: oneLine(fields.altText) }),
  ...(fields.category === undefined ? {} : { category: withTidyName(fields.category) }),
  ...(fields.medium === undefined ? {} : { medium: withTidyName(fields.medium) }),
  ...(fields.qrCodeUrl === '' ? { qrCodeUrl: null } : {}),
})

const problemsOf = (fields: ArtworkChanges, today: string): Problems => {
  const check = <Value>(value: Value | undefined, problem: (value: Value) => string | null): string | null =>
    value === undefined ? null : problem(value)
  return {
    title: check(fields.title, titleProblem),
    description: check(fields.description, (text) => tooLong('Description', text, limits.longText)),
    imageUrl: check(fields.picture?.imageUrl, imageProblem),
    price: check(fields.price, priceProblem),
    category: check(fields.category?.name, (text) => tooLong('Category', text, limits.name)),
    medium: check(fields.medium?.name, (text) => tooLong('Medium', text, limits.name)),
    dimensions: check(fields.dimensions, (text) => tooLong('Dimensions', text, limits.shortText)),
    yearCreated: check(fields.yearCreated, (year) => yearProblem(year, today)),
    altText: check(fields.altText, (text) => tooLong('Alt text', text, limits.shortText)),
    qrCodeUrl: check(fields.qrCodeUrl, qrCodeProblem),
    sortOrder: check(fields.sortOrder, badSortOrder),
  }
}

/**
 * The fields of a work as they may be kept.
 * @param today ISO date; the year may lie one ahead
 * @throws {Refusal} `invalid`, naming every field at fault
 */
export const acceptedFields = <Fields extends ArtworkChanges>(fields: Fields, today: string): Fields => {
  // Tidying keeps every key and its type.
  const accepted = tidy(fields) as Fields
  refuseInvalid(problemsOf(accepted, today))
  return accepted
}

/** What putting a work into a sale status causes: its event, nothing when it has that status. */
export const changeSale = (artwork: Artwork, to: SaleStatus): readonly ArtworkEvent[] =>
  artwork.saleStatus === to ? [] : [{ type: saleEvents[to], data: { from: artwork.saleStatus } }]

/** What putting a work elsewhere causes; nothing when it stands there. */
export const move = (artwork: Artwork, sortOrder: number, rank: string): readonly ArtworkEvent[] =>
  artwork.sortOrder === sortOrder && artwork.rank === rank
    ? []
    : [
        {
          type: 'ArtworkMoved',
          data: { sortOrder, rank, from: { sortOrder: artwork.sortOrder, rank: artwork.rank } },
        },
      ]

/**
 * A label as readers see it: a rename follows the id, so the name in the event may be an old one. Sent back
 * as it was shown it is no change, also when a later category has taken that name.
 */
const labelChange = (
  now: Label,
  to: Label | undefined,
  names: Readonly<Record<string, string>> | undefined,
): { readonly from: Label; readonly to: Label } | null => {
  if (to === undefined) return null
  const from = { id: now.id, name: (now.id !== null ? names?.[now.id] : undefined) ?? now.name }
  const same = from.name === to.name || (from.id !== null && from.id === to.id)
  return same ? null : { from, to }
}

/** Whether a field has the same value: a picture by its address, a label by both of its parts. */
export const sameValue = (one: unknown, other: unknown): boolean => {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null)
    return one === other
  if ('imageUrl' in one && 'imageUrl' in other) return one.imageUrl === other.imageUrl
  return (
    'name' in one &&
    'name' in other &&
    'id' in one &&
    'id' in other &&
    one.id === other.id &&
    one.name === other.name
  )
}

/** The value of a field to change to, as its event tells it; null where it stays as it is. */
const valueChange = (
  field: keyof typeof valueFields,
  artwork: Artwork,
  to: ArtworkChanges,
  names?: LabelNames,
): { readonly from: unknown; readonly to: unknown } | null => {
  if (field === 'category' || field === 'medium')
    return labelChange(artwork[field], to[field], names?.[field])
  if (to[field] === undefined || sameValue(artwork[field], to[field])) return null
  return { from: artwork[field], to: to[field] }
}

const switched = (field: SwitchField, now: boolean, to: boolean | undefined): readonly ArtworkEvent[] =>
  to === undefined || to === now ? [] : [{ type: switchFields[field][to ? 'on' : 'off'], data: {} }]

/**
 * What giving some fields of a work these values causes: one event in the artist's words for each that really
 * changes, in the order of the form. Takes the values as they are: an undo restores what once was accepted.
 */
export const change = (artwork: Artwork, to: ArtworkChanges, names?: LabelNames): readonly ArtworkEvent[] => {
  const values = keysOf(valueFields).flatMap((field) => {
    const data = valueChange(field, artwork, to, names)
    // The table says which event tells of which field, and so of which type `from` and `to` are.
    return data === null ? [] : [{ type: valueFields[field].changedBy, data } as ArtworkEvent]
  })
  return [
    ...values,
    ...keysOf(switchFields).flatMap((field) => switched(field, artwork[field], to[field])),
    ...(to.saleStatus === undefined ? [] : changeSale(artwork, to.saleStatus)),
    ...(to.sortOrder === undefined ? [] : move(artwork, to.sortOrder, artwork.rank)),
  ]
}

/**
 * What the owner's changes to some fields of a work cause: the events of {@link change}; none when all are as
 * they were.
 * @param today ISO date, see {@link acceptedFields}
 * @param names what the works' labels show today; without them the names in the events count
 * @throws {Refusal} `invalid`
 */
export const revise = (
  artwork: Artwork,
  changes: ArtworkChanges,
  today: string,
  names?: LabelNames,
): readonly ArtworkEvent[] => {
  const { altText, qrCodeUrl, ...rest } = acceptedFields(changes, today)
  // A code of her own shows only while the work can be bought; the null shown meanwhile takes nothing away.
  const isOut = qrCodeUrl === null && (artwork.saleStatus !== 'for_sale' || artwork.price === 0)
  const others = qrCodeUrl === undefined || isOut ? rest : { ...rest, qrCodeUrl }
  const { id, name } = artwork.medium
  const medium = (id !== null ? names?.medium[id] : undefined) ?? name
  // The default text, sent back as it was shown, never becomes the owner's own.
  const isShown = artwork.altText === '' && altText === defaultAltText({ ...artwork, medium })
  return change(artwork, altText === undefined || isShown ? others : { ...others, altText }, names)
}
