import { thing } from '../../projections/artworks.ts'

export const used = thing
