import { thing } from 'node:path'

export const used = thing
