import { describe, expect, it } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { NoAnswer } from './failures.ts'
import { retrying } from './reading.ts'
import { countedConnection } from './testing/counted-connection.ts'

const unavailable = Object.assign(new Error('UNAVAILABLE'), { type: 'unavailable' })

describe('a call that is repeated until the log answers', () => {
  it('replaces the client, which others use too, where it had its time without an answer', async () => {
    const connection = countedConnection()
    const asked = retrying(connection, { answerMs: 20, giveUpMs: 20 }, async (_, answerMs) => {
      throw new NoAnswer(answerMs)
    })
    await expect(asked).rejects.toThrow(EngineAway)
    expect(connection.renewed).toBe(1)
  })

  it('replaces no client because of a try that had little time left', async () => {
    const connection = countedConnection()
    const asked = retrying(connection, { answerMs: 1_000, giveUpMs: 100 }, async (_, answerMs) => {
      throw new NoAnswer(answerMs)
    })
    await expect(asked).rejects.toThrow(EngineAway)
    expect(connection.renewed).toBe(0)
  })

  it('makes no try for which no time is left', async () => {
    const given: number[] = []
    const asked = retrying(countedConnection(), { answerMs: 200, giveUpMs: 200 }, async (_, answerMs) => {
      given.push(answerMs)
      // Nothing of this process goes on during the pause behind it.
      setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300), 1)
      throw unavailable
    })
    await expect(asked).rejects.toMatchObject({ cause: unavailable })
    expect(given).toHaveLength(1)
  })
})
