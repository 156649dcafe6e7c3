import { expect, it } from 'vitest'
import type { RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { toPosition } from '#infrastructure/embedded/event-rows.ts'
import { parkedInWords } from './parked-events.ts'

const event: RecordedEvent = {
  stream: 'artwork-a',
  revision: 0,
  position: toPosition(1),
  id: 'e',
  type: 'ArtworkHidden',
  schemaVersion: 1,
  occurredAt: '',
  meta: {
    correlationId: 'c',
    causationId: 'c',
    commandId: 'c',
    actor: { kind: 'owner', accountId: 'a' },
  },
  data: {},
}

const logOf = (only: RecordedEvent) => ({
  head: async () => only.position,
  readAll: async () => [only],
})

it('advises to build views anew only where every event can be read', async () => {
  expect(await parkedInWords(2, logOf(event))).toMatch(
    /^2 events .*: update Atelier, then run .* rebuild --all"$/,
  )
  const damaged = await parkedInWords(2, logOf({ ...event, data: { damaged: '{' } }))
  expect(damaged).toMatch(/^2 events could not be projected\. An event .* rebuild no view until then/)
  expect(damaged).not.toContain('update Atelier')
})
