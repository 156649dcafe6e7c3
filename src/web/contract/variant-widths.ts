import { variantWidths as widthsMade } from '#domain/images/variant-widths.ts'

/** The widths that an image's variants are named by, in pixels: whoever asks for one goes by the rule of who makes them. */
export const variantWidths = widthsMade
