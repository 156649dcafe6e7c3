import { thing } from '#projections/artworks/view.ts'

export const used = thing
