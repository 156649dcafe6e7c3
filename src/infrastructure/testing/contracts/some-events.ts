import { randomUUID } from 'node:crypto'
import type { JsonObject, NewEvent, RecordedEvent } from '#application/kernel/ports/event-store.ts'

/** A fresh event; `n` stands in its data. */
export const someEvent = (n: number, data: JsonObject = {}): NewEvent => ({
  id: randomUUID(),
  type: 'ArtworkPriceChanged',
  schemaVersion: 1,
  occurredAt: '2026-03-04T05:06:07.089Z',
  meta: {
    correlationId: `request-${n}`,
    causationId: `command-${n}`,
    commandId: `command-${n}`,
    actor: { kind: 'owner', accountId: 'account-1' },
  },
  data: { n, ...data },
})

/** A stream name nobody used before: servers are shared by many tests. */
export const freshStream = (): string => `artwork-${randomUUID()}`

/** The numbers that {@link someEvent} gave the events. */
export const numbers = (events: readonly RecordedEvent[]): unknown[] => events.map((event) => event.data['n'])
