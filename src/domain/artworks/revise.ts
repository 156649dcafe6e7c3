import type { ArtworkEvent, Label, SaleStatus } from './events.ts'
import { defaultAltText, type Work, type WorkFields } from './work.ts'
import {
  badSortOrder,
  isAddress,
  limits,
  oneLine,
  type Problems,
  refuseInvalid,
  tooLong,
} from '#domain/fields.ts'

/** Some of a work's fields; those absent or undefined stay as they are. */
export type WorkChanges = { readonly [Field in keyof WorkFields]?: WorkFields[Field] | undefined }

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

const pictureProblem = (imageUrl: string): string | null =>
  imageUrl === ''
    ? 'Please upload an image or provide an image URL.'
    : tooLong('Image address', imageUrl, limits.address)

/** Pages show pictures of this site and of https addresses only (decisions 98). */
const qrCodeProblem = (url: string | null): string | null => {
  if (url === null) return null
  const shown = /^\/(?!\/)\S*$/.test(url) || isAddress(url, ['https:'])
  return shown
    ? tooLong('QR code address', url, limits.address)
    : 'QR code must be an https address or an image uploaded here'
}

const withTidyName = (label: Label): Label => ({ ...label, name: oneLine(label.name) })

/** The same fields as they are kept: outer blanks gone, an empty QR address as none. */
const tidy = (fields: WorkChanges): WorkChanges => ({
  ...fields,
  ...(fields.title === undefined ? {} : { title: oneLine(fields.title) }),
  ...(fields.dimensions === undefined ? {} : { dimensions: oneLine(fields.dimensions) }),
  ...(fields.altText === undefined ? {} : { altText: oneLine(fields.altText) }),
  ...(fields.category === undefined ? {} : { category: withTidyName(fields.category) }),
  ...(fields.medium === undefined ? {} : { medium: withTidyName(fields.medium) }),
  ...(fields.qrCodeUrl === '' ? { qrCodeUrl: null } : {}),
})

const problemsOf = (fields: WorkChanges, today: string): Problems => {
  const check = <Value>(value: Value | undefined, problem: (value: Value) => string | null): string | null =>
    value === undefined ? null : problem(value)
  return {
    title: check(fields.title, titleProblem),
    description: check(fields.description, (text) => tooLong('Description', text, limits.longText)),
    imageUrl: check(fields.picture?.imageUrl, pictureProblem),
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
 * @param today ISO date; the year may lie one ahead (decisions 30)
 * @throws {Refusal} `invalid`, naming every field at fault (specification §5, decisions 30 and 99)
 */
export const acceptedFields = <Fields extends WorkChanges>(fields: Fields, today: string): Fields => {
  // Tidying keeps every key and its type.
  const accepted = tidy(fields) as Fields
  refuseInvalid(problemsOf(accepted, today))
  return accepted
}

const saleEvents = {
  for_sale: 'ArtworkReleased',
  reserved: 'ArtworkReserved',
  sold: 'ArtworkSold',
  not_for_sale: 'ArtworkWithdrawnFromSale',
} as const

/** What putting a work into a sale status causes: its event, nothing when it has that status. */
export const changeSale = (work: Work, to: SaleStatus): readonly ArtworkEvent[] =>
  work.saleStatus === to ? [] : [{ type: saleEvents[to], data: { from: work.saleStatus } }]

/** What putting a work elsewhere causes; nothing when it stands there. */
export const move = (work: Work, sortOrder: number, rank: string): readonly ArtworkEvent[] =>
  work.sortOrder === sortOrder && work.rank === rank
    ? []
    : [
        {
          type: 'ArtworkMoved',
          data: { sortOrder, rank, from: { sortOrder: work.sortOrder, rank: work.rank } },
        },
      ]

/**
 * A label as readers see it: a rename follows the id, so the name in the event may be an old one. Sent back
 * as it was shown it is no change, also when a later category has taken that name (decisions 9, 93).
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

/** One event for a plain value that really changed. */
const changed = <Value, Event extends ArtworkEvent>(
  from: Value,
  to: Value | undefined,
  event: (change: { from: Value; to: Value }) => Event,
): readonly Event[] => (to === undefined || to === from ? [] : [event({ from, to })])

/** One of two events for a switch that was really flipped. */
const switched = (
  now: boolean,
  to: boolean | undefined,
  on: ArtworkEvent,
  off: ArtworkEvent,
): readonly ArtworkEvent[] => (to === undefined || to === now ? [] : [to ? on : off])

/**
 * What giving some fields of a work these values causes: one event in the artist's words for each that really
 * changes, in the order of the form. Takes the values as they are: an undo restores what once was accepted.
 */
export const change = (work: Work, to: WorkChanges, names?: LabelNames): readonly ArtworkEvent[] => {
  const category = labelChange(work.category, to.category, names?.category)
  const medium = labelChange(work.medium, to.medium, names?.medium)
  const nothing = {}
  return [
    ...changed(work.title, to.title, (data) => ({ type: 'ArtworkRetitled', data })),
    ...changed(work.description, to.description, (data) => ({ type: 'ArtworkDescribed', data })),
    ...(to.picture === undefined || to.picture.imageUrl === work.picture.imageUrl
      ? []
      : [{ type: 'ArtworkPictureReplaced', data: { from: work.picture, to: to.picture } } as const]),
    ...changed(work.price, to.price, (data) => ({ type: 'ArtworkPriceChanged', data })),
    ...(category === null ? [] : [{ type: 'ArtworkCategorised', data: category } as const]),
    ...(medium === null ? [] : [{ type: 'ArtworkMediumChanged', data: medium } as const]),
    ...changed(work.dimensions, to.dimensions, (data) => ({ type: 'ArtworkDimensionsChanged', data })),
    ...changed(work.yearCreated, to.yearCreated, (data) => ({ type: 'ArtworkYearChanged', data })),
    ...changed(work.altText, to.altText, (data) => ({ type: 'ArtworkAltTextChanged', data })),
    ...changed(work.qrCodeUrl, to.qrCodeUrl, (data) => ({ type: 'ArtworkQrCodeChanged', data })),
    ...switched(
      work.isAvailable,
      to.isAvailable,
      { type: 'ArtworkMadeAvailable', data: nothing },
      { type: 'ArtworkHidden', data: nothing },
    ),
    ...switched(
      work.isVisible,
      to.isVisible,
      { type: 'ArtworkPublished', data: nothing },
      { type: 'ArtworkUnpublished', data: nothing },
    ),
    ...switched(
      work.isFeatured,
      to.isFeatured,
      { type: 'ArtworkFeatured', data: nothing },
      { type: 'ArtworkUnfeatured', data: nothing },
    ),
    ...(to.saleStatus === undefined ? [] : changeSale(work, to.saleStatus)),
    ...(to.sortOrder === undefined ? [] : move(work, to.sortOrder, work.rank)),
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
  work: Work,
  changes: WorkChanges,
  today: string,
  names?: LabelNames,
): readonly ArtworkEvent[] => {
  const { altText, qrCodeUrl, ...rest } = acceptedFields(changes, today)
  // A code of her own shows only while the work can be bought; the null shown meanwhile takes nothing away.
  const isOut = qrCodeUrl === null && (work.saleStatus !== 'for_sale' || work.price === 0)
  const others = qrCodeUrl === undefined || isOut ? rest : { ...rest, qrCodeUrl }
  const { id, name } = work.medium
  const medium = (id !== null ? names?.medium[id] : undefined) ?? name
  // The default text, sent back as it was shown, never becomes the owner's own (decisions 93).
  const isShown = work.altText === '' && altText === defaultAltText({ ...work, medium })
  return change(work, altText === undefined || isShown ? others : { ...others, altText }, names)
}
