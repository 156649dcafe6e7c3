import { thing } from '../messages/thing.ts'
export const x = thing
