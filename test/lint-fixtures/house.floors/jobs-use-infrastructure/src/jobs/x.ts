import { thing } from '#infrastructure/config.ts'

export const used = thing
