import { thing } from 'node:sqlite'

export const used = thing
