import { thing } from '#web/contract/artworks.ts'

export const used = thing
