import { parts as engine } from '#infrastructure/embedded/event-store.ts'
import { job } from '#jobs/pictures.ts'
import { parts } from '#web/server/artworks.ts'

export const site = [engine, job, parts]
