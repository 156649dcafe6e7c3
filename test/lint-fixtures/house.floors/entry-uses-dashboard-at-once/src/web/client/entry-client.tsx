import { thing } from './admin/thing.ts'

export const started = thing
