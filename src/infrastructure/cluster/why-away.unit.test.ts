import { expect, it } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { readConfig } from '../config/config.ts'
import { awayInWords, ownWords } from './why-away.ts'

const embedded = readConfig({})

it('is told by its own words where nothing more is known, without those of its library', async () => {
  const away = new EngineAway('log', 'The event log does not answer just now. Please try again in a moment', {
    cause: new Error('14 UNAVAILABLE: No connection established'),
  })
  expect(await awayInWords(embedded, away)).toBe(
    'EventStoreDB (EVENTSTORE_URL): The event log does not answer just now',
  )
  expect(ownWords(new EngineAway('mongodb', 'MongoDB does not answer. Try again in a moment'))).toBe(
    'MongoDB does not answer',
  )
})
