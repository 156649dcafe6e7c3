import { expect, it } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { someEvent } from '../../testing/contracts/some-events.ts'
import { createAppender } from './appender.ts'
import type { Connection } from './connection.ts'
import { streamNames } from './stored-events.ts'
import { countedConnection } from './testing/counted-connection.ts'

/** Nothing of this process goes on meanwhile: no timer, no answer. */
const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

type Client = ReturnType<Connection['client']>

/** An appender whose server does with an append what `appendToStream` says. */
const appending = (
  appendToStream: (stream: string) => Promise<unknown>,
  find: Parameters<typeof createAppender>[0]['find'],
) => {
  const client = { appendToStream } as unknown as Client // all that an appender asks of it
  const connection = countedConnection(client)
  const append = createAppender({
    connection,
    timeouts: { answerMs: 300, giveUpMs: 300 },
    find,
    signal: new AbortController().signal,
  })
  const appendTo = (namespace: string) =>
    append({
      log: { names: streamNames(namespace), ask: () => Promise.reject(new Error('It is not asked here')) },
      stream: 's',
      expected: 'no-stream',
      events: [someEvent(0)],
    })
  return { connection, appendTo }
}

it('a process that stood still between two tries sends nothing once the time for it is up', async () => {
  let sent = 0
  const { appendTo } = appending(
    async () => {
      sent += 1
      throw new Error('UNAVAILABLE')
    },
    async () => {
      setImmediate(() => standStill(320))
      return null
    },
  )
  await expect(appendTo('t')).rejects.toThrow(EngineAway)
  expect(sent).toBe(1)
})

it.each([
  ['other', false],
  ['mute', true],
])('one without an answer, beside one to the log "%s", has it renewed: %s', async (beside, is) => {
  const answered = { nextExpectedRevision: 0n, position: { commit: 1n, prepare: 1n } }
  const { connection, appendTo } = appending(
    (stream) => (stream.startsWith('mute') ? new Promise(() => undefined) : Promise.resolve(answered)),
    async () => null,
  )
  const [mute] = await Promise.allSettled([appendTo('mute'), appendTo(beside)])
  expect(mute.status).toBe('rejected')
  expect(connection.renewed > 0).toBe(is)
})
