import { offered, saidOf } from '#web/contract/details.ts'
import type { ArtworkAnswer } from '#projections/artworks/queries.ts'

type Column = readonly [string, (artwork: ArtworkAnswer) => string | number | null]

const columns: readonly Column[] = [
  ['Title', (artwork) => artwork.title],
  ['Year', (artwork) => artwork.yearCreated],
  ['Medium', (artwork) => artwork.medium],
  ['Dimensions', (artwork) => artwork.dimensions],
  ...offered.map(
    ({ field, label }): Column => [
      label,
      (artwork) => saidOf(artwork).find((said) => said.field === field)?.words ?? null,
    ],
  ),
  ['Category', (artwork) => artwork.category],
  ['Price (INR)', (artwork) => artwork.price],
  ['Sale status', (artwork) => artwork.saleStatus],
  ['Available', (artwork) => yesOrNo(artwork.isAvailable)],
  ['On website', (artwork) => yesOrNo(artwork.isVisible)],
  ['Featured', (artwork) => yesOrNo(artwork.isFeatured)],
  ['Description', (artwork) => artwork.description],
  ['Added', (artwork) => artwork.createdAt],
  ['Changed', (artwork) => artwork.updatedAt],
  ['Id', (artwork) => artwork.id],
]

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
export const inventory = (artworks: readonly ArtworkAnswer[]): string => {
  const rows = [
    columns.map(([name]) => name),
    ...artworks.map((artwork) => columns.map(([, of]) => of(artwork))),
  ]
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
