import { describe, expect, it, vi } from 'vitest'
import { interruptedWords, type JobContext } from '#application/kernel/ports/job-queue.ts'
import {
  type Handling,
  handling,
  type OpenQueue,
  image,
  queueForEachTest,
  type QueuePlace,
  viewOf,
} from './some-jobs.ts'

/** The part of the job queue's contract about processes that end, in order or not, and those that come after them. */
export const jobEndingRules = (name: string, place: () => Promise<QueuePlace>): void => {
  describe(`job queue: ${name}, when a process ends`, () => {
    const { queue, reopened } = queueForEachTest(place)

    it('lets a running job end within the grace, and takes no other', async () => {
      const { jobs } = queue()
      const [first, second] = [image(), image()]
      const begun = Promise.withResolvers<void>()
      const go = Promise.withResolvers<void>()
      await jobs.work(
        handling({
          run: async () => {
            begun.resolve()
            await go.promise
          },
        }),
      )
      await jobs.enqueue([first, second])
      await begun.promise
      const closed = jobs.close(10_000)
      go.resolve()
      await closed
      const next = (await reopened()).jobs
      expect(await viewOf(next, first.id)).toMatchObject({ state: 'done' })
      expect(await viewOf(next, second.id)).toMatchObject({ state: 'waiting', attempts: 0 })
    })

    it('aborts a job that outlives the grace; the next process runs it again', async () => {
      const { jobs } = queue()
      const job = image()
      const begun = Promise.withResolvers<void>()
      await jobs.work(
        handling({
          run: async (_, { signal }) => {
            begun.resolve()
            await new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('aborted')))
            })
          },
          backoff: () => null,
        }),
      )
      await jobs.enqueue([job])
      await begun.promise
      await jobs.close(1)
      const next = (await reopened()).jobs
      const attempts: number[] = []
      await next.work(handling({ run: async (_, { attempt }) => void attempts.push(attempt) }))
      await vi.waitFor(
        async () => expect(await viewOf(next, job.id)).toMatchObject({ state: 'done' }),
        60_000,
      )
      expect(attempts).toHaveLength(1)
    }, 90_000)

    it('runs a job again that a killed process had begun, and what it had not', async () => {
      const { jobs, kill } = queue()
      const [begunJob, waitingJob] = [image(), image()]
      const begun = Promise.withResolvers<void>()
      await jobs.work(
        handling({
          run: async () => {
            begun.resolve()
            await new Promise(() => undefined)
          },
        }),
      )
      await jobs.enqueue([begunJob, waitingJob])
      await begun.promise
      await kill()
      const next = (await reopened()).jobs
      const ran: string[] = []
      await next.work(handling({ run: async (_, { id }) => void ran.push(id) }))
      await vi.waitFor(
        async () => expect((await next.list({ states: ['done'] })).length).toBe(2),
        // a server notices a lost worker after its lock has run out
        { timeout: 60_000 },
      )
      expect(ran.toSorted()).toEqual([begunJob.id, waitingJob.id].toSorted())
    }, 90_000)

    /** Works until a job runs, then dies in the middle of it. */
    const dieIn = async ({ jobs, kill }: OpenQueue, seen: JobContext[], image: Handling): Promise<void> => {
      const begun = Promise.withResolvers<void>()
      await jobs.work(
        handling({
          run: async (_, context) => {
            seen.push(context)
            begun.resolve()
            await new Promise(() => undefined)
          },
          ...image,
        }),
      )
      await begun.promise
      await kill()
    }

    it('brings a job back after every kill, to be run apart, and never parks it for them', async () => {
      const job = image()
      const asked: number[] = []
      const seen: JobContext[] = []
      const soon = {
        backoff: () => null,
        afterInterruption: (times: number) => {
          asked.push(times)
          return 5
        },
      }
      await queue().jobs.enqueue([job])
      await dieIn(queue(), seen, soon)
      for (let kill = 2; kill <= 4; kill += 1) await dieIn(await reopened(), seen, soon)
      const next = (await reopened()).jobs
      await next.work(handling({ ...soon, run: async (_, context) => void seen.push(context) }))
      await vi.waitFor(async () => expect(await viewOf(next, job.id)).toMatchObject({ state: 'done' }), {
        timeout: 60_000,
      })
      expect(seen.map(({ apart }) => apart)).toEqual([false, true, true, true, true])
      expect(seen.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1])
      expect(new Set(asked)).toEqual(new Set([1, 2, 3, 4]))
    }, 180_000)

    it('lets an interrupted job wait as long as its handler says, and says why', async () => {
      const job = image()
      await queue().jobs.enqueue([job])
      await dieIn(queue(), [], {})
      const next = (await reopened()).jobs
      await next.work(
        handling({
          run: async () => expect.unreachable('it waits'),
          afterInterruption: () => 3_600_000,
        }),
      )
      await vi.waitFor(
        async () => {
          const view = await viewOf(next, job.id)
          expect(view).toMatchObject({ state: 'waiting', attempts: 0, reason: interruptedWords })
          expect(Date.parse(view?.runAt ?? '')).toBeGreaterThan(Date.now() + 3_000_000)
        },
        { timeout: 60_000 },
      )
    }, 90_000)

    it('goes on running a job apart whose try failed there, and parks it for such failures alone', async () => {
      const job = image()
      await queue().jobs.enqueue([job])
      await dieIn(queue(), [], {})
      const next = (await reopened()).jobs
      const seen: (readonly [attempt: number, apart: boolean])[] = []
      await next.work(
        handling({
          run: async (_, { attempt, apart }) => {
            seen.push([attempt, apart])
            throw new Error('its process died')
          },
          backoff: (failed) => (failed < 3 ? 1 : null),
          afterInterruption: () => 1,
        }),
      )
      const parked = async () =>
        expect(await viewOf(next, job.id)).toMatchObject({ state: 'parked', reason: 'its process died' })
      await vi.waitFor(parked, { timeout: 60_000 })
      expect(await next.retry(job.id)).toBe(true)
      await vi.waitFor(() => expect(seen.length).toBe(6), { timeout: 60_000 })
      const tries = [1, 2, 3].map((attempt) => [attempt, true])
      expect(seen).toEqual([...tries, ...tries])
    }, 90_000)

    it('parks an interrupted job when its handler waits no more, and tells it so', async () => {
      const job = image('abc')
      await queue().jobs.enqueue([job])
      await dieIn(queue(), [], {})
      const next = (await reopened()).jobs
      const parked: unknown[] = []
      await next.work(
        handling({
          run: async () => expect.unreachable('it is over'),
          afterInterruption: () => null,
          parked: async (...given) => void parked.push(given),
        }),
      )
      await vi.waitFor(
        async () =>
          expect(await viewOf(next, job.id)).toMatchObject({ state: 'parked', reason: interruptedWords }),
        { timeout: 60_000 },
      )
      expect(parked).toEqual([[{ hash: 'abc' }, interruptedWords]])
    }, 90_000)
  })
}
