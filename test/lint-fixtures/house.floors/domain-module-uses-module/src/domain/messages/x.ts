import { thing } from '../journal/thing.ts'
export const x = thing
