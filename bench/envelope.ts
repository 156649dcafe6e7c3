import { randomUUID } from 'node:crypto'
import type { NewEvent } from '#application/kernel/ports/event-store.ts'

/** What the owner's command would write around an event, with ids of its own each time. */
export const enveloped = (event: Pick<NewEvent, 'type' | 'schemaVersion' | 'data'>): NewEvent => {
  const commandId = randomUUID()
  return {
    id: randomUUID(),
    ...event,
    occurredAt: new Date().toISOString(),
    meta: {
      commandId,
      correlationId: randomUUID(),
      causationId: commandId,
      actor: { kind: 'owner', accountId: randomUUID() },
    },
  }
}

/** @returns an event of usual size (about 350 bytes of data and meta) */
export const priceChanged = (from: number, to: number): NewEvent =>
  enveloped({ type: 'ArtworkPriceChanged', schemaVersion: 1, data: { from, to } })
