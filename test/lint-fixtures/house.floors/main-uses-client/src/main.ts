import { thing } from '#web/client/lib/day.ts'

export const used = thing
