import { thing } from '#infrastructure/embedded/event-store.ts'

export const used = thing
