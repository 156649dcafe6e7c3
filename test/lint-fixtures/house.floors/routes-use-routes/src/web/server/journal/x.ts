import { thing } from '../artworks/thing.ts'
export const x = thing
