import { randomUUID } from 'node:crypto'
import type { Clock } from '#application/kernel/ports/clock.ts'

/** The machine's clock and random ids. */
export const systemClock: Clock = { now: () => new Date(), newId: () => randomUUID() }
