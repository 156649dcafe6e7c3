import { events } from '../events.ts'

export const known = events
