import { thing } from '#web/server/artworks.ts'

export const used = thing
