import { thing } from '#web/client/lib/money.ts'

export const used = thing
