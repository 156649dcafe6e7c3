import type { Artwork, ArtworkField } from '#web/contract/artworks.ts'
import { type Details, offered, detailsInWords } from '#web/contract/details.ts'

type Column = readonly [string, (artwork: Artwork) => string | number | null]

/** Addresses and her order are of no use in a table. */
type LeftOut = 'imageUrl' | 'altText' | 'qrCodeUrl' | 'sortOrder'

const detailColumns = Object.fromEntries(
  offered.map(({ field, label }): [string, Column] => [
    field,
    [label, (artwork) => detailsInWords(artwork).find((detail) => detail.field === field)?.words ?? null],
  ]),
  // Each is of its own detail.
) as Readonly<Record<keyof Details, Column>>

const columns: readonly Column[] = Object.values({
  title: ['Title', (artwork) => artwork.title],
  yearCreated: ['Year', (artwork) => artwork.yearCreated],
  medium: ['Medium', (artwork) => artwork.medium],
  dimensions: ['Dimensions', (artwork) => artwork.dimensions],
  ...detailColumns,
  category: ['Category', (artwork) => artwork.category],
  price: ['Price (INR)', (artwork) => artwork.price],
  saleStatus: ['Sale status', (artwork) => artwork.saleStatus],
  isAvailable: ['Available', (artwork) => yesOrNo(artwork.isAvailable)],
  isVisible: ['On website', (artwork) => yesOrNo(artwork.isVisible)],
  isFeatured: ['Featured', (artwork) => yesOrNo(artwork.isFeatured)],
  description: ['Description', (artwork) => artwork.description],
  createdAt: ['Added', (artwork) => artwork.createdAt],
  updatedAt: ['Changed', (artwork) => artwork.updatedAt],
  id: ['Id', (artwork) => artwork.id],
} satisfies Readonly<Record<Exclude<ArtworkField, LeftOut> | 'createdAt' | 'updatedAt' | 'id', Column>>)

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')

/** What begins a formula, also in the wide letters that spreadsheets of East Asia take for the same. */
const opener = '[=+\\-@＝＋－＠﹦﹢﹣﹫]'
/**
 * At the beginning, and behind whatever some spreadsheet takes for the end of a cell: it would begin another there.
 * What is unseen is one class: where two have a letter in common, a row of it takes twice the time for each.
 */
const formula = new RegExp(
  `(^|[,;|\\t\\r\\n"])((?:(?![\\t\\r\\n])[\\s\\p{Cf}\\p{Cc}])*'*)(?=${opener})`,
  'gu',
)
const control = /^[\t\r\n\0]/

/**
 * One cell. Where a spreadsheet would take a text for a formula an apostrophe is put in front (ASVS 1.2.10), which one
 * at the beginning does not even show.
 */
const cell = (value: string | number | null): string => {
  if (typeof value === 'number') return String(value)
  const text = (value ?? '').replace(formula, "$1$2'")
  const safe = control.test(text) ? `'${text}` : text
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The artworks as a table for spreadsheets: CSV by RFC 4180, with the mark by which they know UTF-8. */
export const inventory = (artworks: readonly Artwork[]): string => {
  const rows = [
    columns.map(([name]) => name),
    ...artworks.map((artwork) => columns.map(([, of]) => of(artwork))),
  ]
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
