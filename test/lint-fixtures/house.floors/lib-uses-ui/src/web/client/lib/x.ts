import { thing } from '../ui/thing.ts'
export const x = thing
