import { thing } from 'node:crypto'

export const used = thing
