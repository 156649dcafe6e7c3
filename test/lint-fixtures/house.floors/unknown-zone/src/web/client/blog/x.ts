import { thing } from '../lib/thing.ts'
export const x = thing
