import { afterEach, describe, expect, it, vi } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { unansweredOf } from './engines.ts'

const never = () => new Promise<never>(() => undefined)

afterEach(() => {
  vi.useRealTimers()
})

describe('engines asked for a sign of life', () => {
  it('that answer are not named', async () => {
    expect(await unansweredOf([{ name: 'The event log', ping: async () => 'here' }])).toEqual([])
  })

  it('that are away say so in their own words', async () => {
    const ping = () => Promise.reject(new EngineAway('queue', 'The queue is away'))
    expect(await unansweredOf([{ name: 'The job queue', ping }])).toEqual(['The queue is away'])
  })

  it('whose answer is none are not quoted to people', async () => {
    const ping = () => Promise.reject(new Error('ECONNWEIRD'))
    expect(await unansweredOf([{ name: 'The job queue', ping }])).toEqual([
      'A server gave an answer that cannot be understood',
    ])
  })

  it('are not waited for longer than two seconds', async () => {
    vi.useFakeTimers()
    const asked = unansweredOf([{ name: 'The event log', ping: never }])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await asked).toEqual(['The event log does not answer within 2 seconds'])
  })
})
