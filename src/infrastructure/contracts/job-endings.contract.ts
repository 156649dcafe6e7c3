import { describe, expect, it, vi } from 'vitest'
import { handling, picture, queueForEachTest, type QueuePlace, viewOf } from './some-jobs.ts'

/** The part of the job queue's contract about processes that end, in order or not, and those that come after them. */
export const jobEndingRules = (name: string, place: () => Promise<QueuePlace>): void => {
  describe(`job queue: ${name}, when a process ends`, () => {
    const { queue, reopened } = queueForEachTest(place)

    it('lets a running job end within the grace, and takes no other', async () => {
      const { jobs } = queue()
      const [first, second] = [picture(), picture()]
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
      const job = picture()
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
      const [begunJob, waitingJob] = [picture(), picture()]
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
  })
}
