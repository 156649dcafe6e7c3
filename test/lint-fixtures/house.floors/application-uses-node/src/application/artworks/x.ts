import { thing } from 'node:fs/promises'

export const used = thing
