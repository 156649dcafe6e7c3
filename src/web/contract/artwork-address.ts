// The web knows the domain by its contract alone, hence these names of the domain stand here as well.
export { cardUrlOf, imageHashIn, imageUrlOf, isOwnImage, variantUrlOf } from '#domain/images/image-address.ts'
export { allCategories, allCategoriesLabel, categoryAsked } from '#domain/taxonomy/all-categories.ts'
/** Of an image's variants, and of share images: whoever asks for one goes by the rule of who makes them. */
export { cardSize, variantWidths } from '#domain/images/variant-widths.ts'

const idLength = 36
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Addressed = { readonly id: string; readonly slug: string }

export const slugAndId = ({ id, slug }: Addressed): string => `${slug || 'work'}-${id}`

/** Of an artwork's own page. */
export const artworkPath = (artwork: Addressed): string => `/artwork/${slugAndId(artwork)}`

/** An address of ours or of another site, absolute. */
export const absolute = (address: string, publicUrl: string): string =>
  address.startsWith('/') ? `${publicUrl}${address}` : address

/** The id at the end of `{slug}-{id}`, lower case; null when there is none. */
export const idInAddress = (segment: string): string | null => {
  const id = segment.slice(-idLength).toLowerCase()
  return idForm.test(id) ? id : null
}
