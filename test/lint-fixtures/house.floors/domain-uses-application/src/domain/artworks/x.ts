import { thing } from '#application/kernel/execute.ts'

export const used = thing
