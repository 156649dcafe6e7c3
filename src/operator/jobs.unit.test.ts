import { describe, expect, it } from 'vitest'
import type { JobState } from '#application/kernel/ports/job-queue.ts'
import { jobs } from './jobs.ts'
import type { Progress, SitePorts } from './command/operation.ts'

/** A queue that shows one list after the other, the last one for ever. */
const queueOf = (...looks: readonly (readonly JobState[])[]) => {
  let look = -1
  return {
    list: async ({ states }: { readonly states: readonly JobState[] }) => {
      if (states.includes('running')) look = Math.min(look + 1, looks.length - 1)
      return (looks[look] ?? []).filter((state) => states.includes(state)).map((state) => ({ state }))
    },
  }
}

const drain = async (
  queue: ReturnType<typeof queueOf>,
  {
    runsJobs = true,
    signal = new AbortController().signal,
    progress = (_: Progress): void => undefined,
  } = {},
) => {
  const operation = jobs.operations.find(({ name }) => name === 'jobs drain')
  if (operation?.needs !== 'site') throw new Error('There is no such operation')
  // Of a whole site it uses the queue, and of a job its state.
  const ports = { engines: { jobs: queue }, runsJobs: async () => runsJobs } as unknown as SitePorts
  return operation.run(ports, {}, { signal, progress })
}

describe('jobs drain', () => {
  it('waits until nothing waits or runs, and tells how far it is', async () => {
    const told: string[] = []
    const outcome = await drain(queueOf(['running', 'waiting'], ['running', 'done'], ['done']), {
      progress: ({ done, total }) => told.push(`${done} of ${total}`),
    })
    expect(outcome).toEqual({ ok: true, message: 'Nothing waits or runs.', data: { done: 2, parked: 0 } })
    expect(told.slice(0, 2)).toEqual(['0 of 2', '1 of 2'])
  })

  it('waits for what follows from a job a moment later', async () => {
    const { data } = await drain(queueOf(['running'], [], ['waiting', 'waiting'], []))
    expect(data).toEqual({ done: 2, parked: 0 })
  })

  it('finds a problem where jobs are parked', async () => {
    const { ok, message } = await drain(queueOf(['running', 'parked'], ['parked', 'parked']))
    expect([ok, message]).toEqual([false, expect.stringContaining('2 jobs are parked')])
  })

  it('is refused where jobs are open and nobody runs them', async () => {
    await expect(drain(queueOf(['waiting']), { runsJobs: false })).rejects.toThrow('start the server first')
  })

  it('says so where nobody would queue what the log asks for', async () => {
    const { ok, message } = await drain(queueOf([]), { runsJobs: false })
    expect([ok, message]).toEqual([true, expect.stringContaining('No worker runs')])
  })

  it('ends when it is stopped, and leaves the jobs alone', async () => {
    const stopping = new AbortController()
    const stopped = drain(queueOf(['running']), {
      signal: stopping.signal,
      progress: () => stopping.abort(new Error('Stopped')),
    })
    await expect(stopped).rejects.toThrow('1 jobs are still open and go on')
  })
})
