import { expect, it, vi } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { readConfig } from '#infrastructure/config/config.ts'
import { onceAnswered } from './once-answered.ts'

/** A start whose steps tell why they wait. */
const start = () => {
  const waits: string[] = []
  const options = {
    config: readConfig({}),
    log: { warn: (_: object, words: string) => void waits.push(words) },
  }
  return { waits, options }
}

it('takes a step of the start again while a server does not answer, and says once why it waits', async () => {
  const { waits, options } = start()
  const step = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(
      new EngineAway('log', 'The event log does not answer just now. Please try again in a moment', {
        cause: new Error('14 UNAVAILABLE: No connection established'),
      }),
    )
    .mockRejectedValueOnce(new EngineAway('log', 'The event log does not answer just now'))
    .mockRejectedValueOnce(new EngineAway('mongodb', 'MongoDB does not answer just now'))
    .mockResolvedValueOnce('open')
  const told: string[] = []
  const onWait = (words: string) => void told.push(words)
  expect(await onceAnswered(step, { ...options, onWait }, 1)).toBe('open')
  expect(told).toEqual([waits[0], waits[0], waits[1]])
  expect(waits).toEqual([
    'The start waits for a server. EventStoreDB (EVENTSTORE_URL): The event log does not answer just now',
    'The start waits for a server. MongoDB (MONGODB_URL): MongoDB does not answer just now',
  ])
})

it.each([new EngineAway('disk', 'The data folder cannot be written'), new Error('no')])(
  'ends at what no server mends: %s',
  async (error) => {
    const { waits, options } = start()
    await expect(onceAnswered(() => Promise.reject(error), options)).rejects.toBe(error)
    expect(waits).toEqual([])
  },
)
