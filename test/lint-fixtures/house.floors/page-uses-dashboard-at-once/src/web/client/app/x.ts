import { thing } from '../admin/thing.ts'
export const x = thing
