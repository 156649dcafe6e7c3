import { EventStoreDBClient } from '@eventstore/db-client'
import { describe, expect, it } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { Ended, failureOf, NoAnswer, spoilsClient } from './failures.ts'
import { readEach } from './reading.ts'

/** An error as the library or gRPC throws it. */
const thrown = (fields: { message?: string; type?: string; code?: number; actualVersion?: unknown }): Error =>
  Object.assign(new Error(fields.message ?? ''), fields)

describe('what the server or the library throws', () => {
  it.each([
    ['a connection that breaks under an append', { code: 14, message: '14 UNAVAILABLE: Connection dropped' }],
    ['a refused connection', { type: 'unavailable', code: 14 }],
    [
      'a graceful stop',
      { type: 'unknown', code: 13, message: '13 INTERNAL: Received RST_STREAM with code 0' },
    ],
    ['a start', { type: 'unknown', message: 'Could not recognize Server Is Not Ready' }],
    ['a time-out of the server', { type: 'deadline-exceeded', code: 4 }],
    ['a commit that timed out', { type: 'timeout', code: 10 }],
    ['a call that the server cancelled', { type: 'cancelled', code: 1 }],
    ['a call that we cancelled', { code: 1, message: '1 CANCELLED: Cancelled on client' }],
    ['another leader', { type: 'not-leader', code: 5 }],
    ['a proxy in front that knows nothing', { type: 'unknown', code: 2 }],
    ['a cluster without a leader', { message: 'Failed to discover after 10 attempts.' }],
  ])('%s may be tried again', (_, error) => {
    expect(failureOf(thrown(error)).kind).toBe('away')
  })

  it.each([
    ['an append that is too large', { type: 'maximum-append-size-exceeded', code: 3 }],
    ['a frame that is too large', { code: 8, message: '8 RESOURCE_EXHAUSTED' }],
    ['a bad request', { type: 'unknown', message: 'Could not recognize BadRequest' }],
    ['a deleted stream', { type: 'stream-deleted', code: 9 }],
    ['a mistake of ours', { message: 'x is not a function' }],
  ])('%s may not', (_, error) => {
    expect(failureOf(thrown(error)).kind).toBe('refused')
  })

  it('a refused account is told in words, and that the site cannot write now', () => {
    const failure = failureOf(thrown({ type: 'access-denied', code: 7 }))
    expect(failure).toMatchObject({ kind: 'refused', error: { engine: 'log' } })
    expect(failure.kind === 'refused' && failure.error).toBeInstanceOf(EngineAway)
  })

  it.each([
    [7n, 7],
    ['no_stream', 'no-stream'],
    [-1n, 'no-stream'],
  ])('a conflict tells where the stream stands: %s', (actualVersion, actual) => {
    const error = thrown({ type: 'wrong-expected-version', actualVersion })
    expect(failureOf(error)).toEqual({ kind: 'conflict', actual })
  })

  it('a missing stream is no failure of the server', () => {
    expect(failureOf(thrown({ type: 'stream-not-found' })).kind).toBe('absent')
  })

  it('an ended subscription is no timeout, and may be made again', () => {
    const { kind, ...rest } = failureOf(new Ended())
    expect(kind).toBe('away')
    expect(rest).toMatchObject({ error: { message: 'The event log ended the subscription' } })
    expect(spoilsClient(new Ended())).toBe(true)
  })

  it('says for how long there was no answer in whole milliseconds', () => {
    expect(new NoAnswer(498.8962749999919).message).toBe('The event log gave no answer within 499 ms')
  })

  it('what is no error is made one', () => {
    expect(failureOf('a text')).toMatchObject({ kind: 'refused', error: { message: 'a text' } })
  })

  it('only a refused connection leaves no doubt about the client', () => {
    expect(spoilsClient(thrown({ type: 'unavailable' }))).toBe(false)
    expect(spoilsClient(new NoAnswer(10))).toBe(true)
    expect(spoilsClient(thrown({ type: 'unknown', code: 2 }))).toBe(true)
  })
})

it('is away for a call that finds its channel closed by the failure of another', async () => {
  const client = EventStoreDBClient.connectionString('esdb://127.0.0.1:1?tls=false')
  // It is there, only hidden by the library's types.
  const { getChannel } = client as unknown as { getChannel: () => Promise<{ close: () => void }> }
  ;(await getChannel()).close()
  const read = client.readAll()
  const failed = await readEach(read, 60_000, () => undefined).catch((error: unknown) => error)
  expect(failed).toMatchObject({ message: 'Channel has been shut down' })
  expect(failureOf(failed)).toMatchObject({ kind: 'away' })
  const refused = await client.appendToStream('a', []).catch((error: unknown) => error)
  expect(failureOf(refused)).toMatchObject({ kind: 'away' })
})
