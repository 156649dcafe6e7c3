import { thing } from '#jobs/reactor.ts'

export const used = thing
