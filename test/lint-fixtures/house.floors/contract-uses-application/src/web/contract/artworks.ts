import { thing } from '#application/app.ts'

export const used = thing
