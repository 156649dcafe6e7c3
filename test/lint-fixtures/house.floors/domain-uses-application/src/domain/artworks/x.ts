import { thing } from '#application/execute.ts'

export const used = thing
