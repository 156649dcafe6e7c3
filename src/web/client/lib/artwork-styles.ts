import type { Artwork } from '#web/contract/artworks.ts'
import { variantWidths } from '#web/contract/artwork-address.ts'

/**
 * What varies per artwork in the look of a page: proportions, dominant colour, blurred placeholder. It stands
 * in one <style> block whose hash is made with the page, never in style attributes. A screen
 * puts `artworkClass(artwork.id)` on the element and its CSS reads `var(--ratio, 1)`, `var(--color, …)` and
 * `var(--placeholder, none)`; `var(--natural)` is the width of its largest variant.
 */
export type StyledArtwork = Pick<Artwork, 'id' | 'image'>

/** Artworks that carry a blurred placeholder and are laid out at once; the rest is deferred. */
export const LAID_OUT_AT_ONCE = 24

/** The class whose rule carries an artwork's own values. */
export function artworkClass(id: string): string {
  return `w-${id}`
}

const PLACEHOLDER = /^data:image\/webp;base64,[A-Za-z0-9+/=]+$/
const COLOR = /^#[0-9a-f]{6}$/i
const ID = /^[\w-]+$/

/**
 * The text of that <style> block, for artworks in list order: the first ones carry their placeholder, the rest
 * the colour alone. Values that are not exactly of the expected form are left out, so that
 * nothing from the data can close the block.
 */
export function artworkRules(artworks: readonly StyledArtwork[]): string {
  return artworks.map((artwork, index) => ruleOf(artwork, index < LAID_OUT_AT_ONCE)).join('')
}

function ruleOf({ id, image }: StyledArtwork, withPlaceholder: boolean): string {
  if (!image || !ID.test(id)) return ''
  const values: string[] = []
  if (image.width > 0 && image.height > 0)
    values.push(`--ratio:${ratioOf(image)}`, `--natural:${variantWidths(image).at(-1)}px`)
  if (image.color && COLOR.test(image.color)) values.push(`--color:${image.color}`)
  if (withPlaceholder && image.placeholder && PLACEHOLDER.test(image.placeholder))
    values.push(`--placeholder:url(${image.placeholder})`)
  return values.length === 0 ? '' : `.${artworkClass(id)}{${values.join(';')}}`
}

/** Width over height with three decimals; a square where the size is unknown. */
export function ratioOf(image: { width: number; height: number } | null): number {
  if (!image || image.width <= 0 || image.height <= 0) return 1
  return Math.round((image.width / image.height) * 1000) / 1000
}
