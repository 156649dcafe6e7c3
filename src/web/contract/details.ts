import {
  type DetailField,
  detailFields,
  details,
  type Details,
  unsetDetails,
  detailInWords,
} from '#domain/artworks/details.ts'
// The web knows the domain by its contract alone, hence these names of the domain stand here as well.
export type { Details } from '#domain/artworks/details.ts'
export { isOnShow } from '#domain/artworks/on-show.ts'
export { isPayable, publicPrice, rupees, saleWords } from '#domain/artworks/price.ts'

/** A field as a form offers it: by its values, of which the first says nothing; without any it is one line of text. */
export const offered = detailFields.map((field) => {
  const { label, words } = details[field]
  const options = words && Object.entries(words).map(([value, text]) => ({ value, label: text }))
  return { field, label, options }
})

/** The same fields of an artwork, or of one of which nothing is said yet. */
export const detailsIn = (artwork: Details = unsetDetails): Details =>
  // Each field keeps its own value.
  Object.fromEntries(detailFields.map((field) => [field, artwork[field]])) as Details

/** What an artwork says in these fields, in words; those that say nothing are left out. */
export const detailsInWords = (
  artwork: Details,
): readonly { field: DetailField; label: string; words: string }[] =>
  detailFields.flatMap((field) => {
    const words = detailInWords(field, artwork[field])
    return words === null ? [] : [{ field, label: details[field].label, words }]
  })
