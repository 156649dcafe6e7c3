import { describe, expect, it } from 'vitest'
import type { JobContext } from '#application/kernel/ports/job-queue.ts'
import type { Lease, Leases } from '#application/kernel/ports/leases.ts'
import { oneEverywhere } from './handlers.ts'

/** Leases that several processes share, and a way to take one from its holder. */
const shared = () => {
  let holder: AbortController | null = null
  const waiting: (() => void)[] = []
  const acquire: Leases['acquire'] = async (_name, signal): Promise<Lease> => {
    while (holder !== null) await new Promise<void>((resolve) => waiting.push(resolve))
    signal.throwIfAborted()
    const lost = new AbortController()
    holder = lost
    return {
      lost: lost.signal,
      check: () => lost.signal.throwIfAborted(),
      release: async () => {
        holder = null
        for (const next of waiting.splice(0)) next()
      },
    }
  }
  const leases: Leases = { acquire, tryAcquire: async () => null }
  return { leases, lose: () => holder?.abort(new Error('The lease was lost')) }
}

const context = (signal = new AbortController().signal): JobContext => ({
  id: 'sync-blog-1',
  attempt: 1,
  apart: false,
  again: false,
  signal,
  progress: () => undefined,
})

describe('jobs of which only one may run', () => {
  it('take turns, also in several processes', async () => {
    const { leases } = shared()
    let atWork = 0
    let most = 0
    const process = () =>
      oneEverywhere(leases, 'sync-blog', {
        backoff: () => null,
        run: async () => {
          atWork += 1
          most = Math.max(most, atWork)
          await new Promise(setImmediate)
          atWork -= 1
        },
      })
    await Promise.all([1, 2, 3].map((n) => process().run({ runId: `run-${n}` }, context())))
    expect([most, atWork]).toEqual([1, 0])
  })

  it('end when another process has taken over, and make room when they fail', async () => {
    const { leases, lose } = shared()
    const job = oneEverywhere(leases, 'sync-blog', {
      backoff: () => null,
      run: async (_, { signal }) => {
        lose()
        signal.throwIfAborted()
      },
    })
    await expect(job.run({ runId: 'run-1' }, context())).rejects.toThrow('The lease was lost')
    await expect(job.run({ runId: 'run-2' }, context())).rejects.toThrow('The lease was lost')
  })
})
