import { thing } from '#domain/artworks/events.ts'

export const used = thing
