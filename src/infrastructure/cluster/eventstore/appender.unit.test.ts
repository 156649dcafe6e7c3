import { expect, it } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { someEvent } from '../../testing/contracts/some-events.ts'
import { createAppender } from './appender.ts'
import type { Connection } from './connection.ts'

/** Nothing of this process goes on meanwhile: no timer, no answer. */
const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

it('a process that stood still between two tries sends nothing once the time for it is up', async () => {
  let sent = 0
  const client = {
    appendToStream: async () => {
      sent += 1
      throw new Error('UNAVAILABLE')
    },
  } as unknown as ReturnType<Connection['client']> // all that an appender asks of it
  const append = createAppender({
    connection: {
      client: () => client,
      isOpen: () => true,
      renew: () => undefined,
      close: async () => undefined,
    },
    timeouts: { answerMs: 300, giveUpMs: 300 },
    find: async () => {
      setImmediate(() => standStill(320))
      return null
    },
    signal: new AbortController().signal,
  })
  const appended = append({ stream: 's', storedAs: 't:s', expected: 'no-stream', events: [someEvent(0)] })
  await expect(appended).rejects.toThrow(EngineAway)
  expect(sent).toBe(1)
})
