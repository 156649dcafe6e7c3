import { thing } from 'mongodb'

export const used = thing
