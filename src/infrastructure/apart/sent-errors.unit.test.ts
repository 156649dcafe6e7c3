import { expect, it } from 'vitest'
import { isOutage } from '#application/kernel/outage.ts'
import { DiskFull, EngineAway, EngineUnheard } from '#application/kernel/ports/event-store.ts'
import { fromSent, toSent } from './sent-errors.ts'

class Lost extends EngineAway {
  override readonly name = 'Lost'
}

it.each([
  new EngineAway('mongodb', 'away'),
  new EngineUnheard('mongodb', 'no answer'),
  new DiskFull(),
  new Lost('log', 'lost'),
  new Error('wrapped', { cause: new EngineAway('redis', 'away') }),
])('an outage stays one in another process: %s', (error) => {
  const sent = fromSent(toSent(error))
  expect([isOutage(sent), sent.message]).toEqual([true, error.message])
})
