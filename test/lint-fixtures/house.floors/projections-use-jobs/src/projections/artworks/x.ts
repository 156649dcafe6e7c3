import { thing } from '#jobs/runtime/reactor.ts'

export const used = thing
