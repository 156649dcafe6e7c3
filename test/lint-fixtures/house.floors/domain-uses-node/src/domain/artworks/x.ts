import { thing } from 'node:fs'

export const used = thing
