import { thing } from '#application/application.ts'

export const used = thing
