import type { ArtworkAnswer } from '#projections/artworks/queries.ts'

const columns: readonly (readonly [string, (work: ArtworkAnswer) => string | number | null])[] = [
  ['Title', (work) => work.title],
  ['Year', (work) => work.yearCreated],
  ['Medium', (work) => work.medium],
  ['Dimensions', (work) => work.dimensions],
  ['Category', (work) => work.category],
  ['Price (INR)', (work) => work.price],
  ['Sale status', (work) => work.saleStatus],
  ['Available', (work) => yesOrNo(work.isAvailable)],
  ['On website', (work) => yesOrNo(work.isVisible)],
  ['Featured', (work) => yesOrNo(work.isFeatured)],
  ['Description', (work) => work.description],
  ['Added', (work) => work.createdAt],
  ['Changed', (work) => work.updatedAt],
  ['Id', (work) => work.id],
]

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')

/**
 * One cell. A text that a spreadsheet would take for a formula gets an apostrophe in front, which
 * spreadsheets do not show (ASVS 1.2.10).
 */
const cell = (value: string | number | null): string => {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The works as a table for spreadsheets: CSV by RFC 4180, with the mark by which they know UTF-8. */
export const inventory = (works: readonly ArtworkAnswer[]): string => {
  const rows = [columns.map(([name]) => name), ...works.map((work) => columns.map(([, of]) => of(work)))]
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
