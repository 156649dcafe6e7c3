import { thing } from '#web/server/app.ts'

export const used = thing
