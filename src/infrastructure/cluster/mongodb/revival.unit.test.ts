import { describe, expect, it, vi } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { reviving } from './revival.ts'

const quiet = { warn: () => undefined }
const away = async (): Promise<never> => {
  throw new EngineAway('mongodb', 'MongoDB does not answer')
}

/** A client that hangs until it was closed and, after some tries, connected anew. */
const hanging = (tries: number) => {
  const steps: string[] = []
  let left = tries
  return {
    steps,
    isBack: () => left === 0,
    connect: async () => {
      left -= 1
      steps.push('connect')
      if (left > 0) throw new Error('not yet')
    },
    close: async () => {
      steps.push('close')
    },
  }
}

describe('a client of MongoDB that does not come back by itself', () => {
  it('is closed and connected anew, until that succeeds', async () => {
    const client = hanging(3)
    const { watched, stop } = reviving(client, quiet, 20, 1)
    const call = async () => (client.isBack() ? 'answer' : away())
    await vi.waitFor(async () => expect(await watched(call)).toBe('answer'), { timeout: 10_000, interval: 5 })
    expect(client.steps).toEqual(['close', 'connect', 'connect', 'connect'])
    stop()
  })

  it('is left alone while anything is answered in between', async () => {
    const client = hanging(1)
    const { watched, stop } = reviving(client, quiet, 0, 1)
    await watched(async () => 'answer')
    await expect(watched(async () => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours')
    expect(client.steps).toEqual([])
    stop()
  })

  it('is left alone when it was closed', async () => {
    const client = hanging(1)
    const { watched, stop } = reviving(client, quiet, 0, 1)
    stop()
    await expect(watched(away)).rejects.toBeInstanceOf(EngineAway)
    expect(client.steps).toEqual([])
  })
})
