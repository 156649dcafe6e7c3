import { randomUUID } from 'node:crypto'
import type { Clock } from '#application/kernel/ports/clock.ts'

export const systemClock: Clock = { now: () => new Date(), newId: () => randomUUID() }
