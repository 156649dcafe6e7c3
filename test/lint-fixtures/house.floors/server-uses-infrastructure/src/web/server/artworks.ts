import { thing } from '#infrastructure/engines.ts'

export const used = thing
