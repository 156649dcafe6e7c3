import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { Unrecoverable, type JobQueue, type JobView } from '#application/kernel/ports/job-queue.ts'
import { untilIdle } from '#application/testing/until-idle.ts'
import {
  copy,
  type Handling,
  handling,
  image,
  queueForEachTest,
  type QueuePlace,
  viewOf,
} from './some-jobs.ts'

const hour = 3_600_000

/** The part of the job queue's contract about tries that fail: what waits, what is tried again, what is parked. */
export const jobTryRules = (name: string, place: () => Promise<QueuePlace>): void => {
  describe(`job queue: ${name}, when a try fails`, () => {
    const { queue, reopened } = queueForEachTest(place)
    let jobs: JobQueue
    beforeEach(() => {
      ;({ jobs } = queue())
    })

    const find = (id: string): Promise<JobView | undefined> => viewOf(jobs, id)

    it('lets a job wait that met an outage, which is no try of its own', async () => {
      const job = image()
      const attempts: number[] = []
      await jobs.work(
        handling({
          run: async (_, { attempt }) => {
            attempts.push(attempt)
            const cause = new EngineAway('MongoDB', 'MongoDB does not answer')
            if (attempts.length === 1) throw new Error('Beneath other words', { cause })
          },
          backoff: () => null,
        }),
      )
      await jobs.enqueue([job])
      await vi.waitFor(
        async () =>
          expect(await find(job.id)).toMatchObject({
            state: 'waiting',
            attempts: 0,
            reason: 'Beneath other words',
          }),
        { timeout: 10_000, interval: 20 },
      )
      const done = async () => expect(await find(job.id)).toMatchObject({ state: 'done', reason: null })
      await vi.waitFor(done, { timeout: 20_000 })
      expect(attempts).toEqual([1, 1])
    }, 40_000)

    it('tries again as the handler says, and tells why', async () => {
      const job = image()
      const asked: number[] = []
      await jobs.work(
        handling({
          run: async (_, { attempt }) => {
            if (attempt < 3) throw new Error(`no luck at try ${attempt}`)
          },
          backoff: (failed) => {
            asked.push(failed)
            return 5
          },
        }),
      )
      await jobs.enqueue([job])
      await vi.waitFor(async () => expect(await find(job.id)).toMatchObject({ state: 'done' }), 10_000)
      expect(asked).toEqual([1, 2])
      expect(await find(job.id)).toMatchObject({ attempts: 3, reason: null })
    })

    it('shows when a failed job runs next, and is idle until then', async () => {
      const job = image()
      await jobs.work(
        handling({
          run: async () => {
            throw new Error('the disk is full')
          },
          backoff: () => hour,
        }),
      )
      await jobs.enqueue([job])
      await untilIdle(jobs)
      const view = await find(job.id)
      expect(view).toMatchObject({ state: 'waiting', attempts: 1, reason: 'the disk is full' })
      expect(Date.parse(view?.runAt ?? '')).toBeGreaterThan(Date.now() + 3_000_000)
    })

    it.each<[string, Handling]>([
      [
        'the handler waits no more',
        {
          run: async () => {
            throw new Error('broken picture')
          },
          backoff: (failed) => (failed < 2 ? 1 : null),
        },
      ],
      [
        'trying again cannot help',
        {
          run: async () => {
            throw new Unrecoverable('broken picture')
          },
          backoff: () => 1,
        },
      ],
    ])('parks a job when %s; others go on', async (_, told) => {
      const [bad, good] = [image(), copy()]
      await jobs.work(handling(told))
      await jobs.enqueue([bad, good])
      await vi.waitFor(async () => expect(await find(bad.id)).toMatchObject({ state: 'parked' }), 10_000)
      await untilIdle(jobs)
      expect(await find(bad.id)).toMatchObject({ state: 'parked', reason: 'broken picture', runAt: null })
      expect(await find(good.id)).toMatchObject({ state: 'done' })
    })

    it('leaves a parked job of a known id alone, and runs it again only when asked', async () => {
      const job = image()
      let isMended = false
      const attempts: number[] = []
      await jobs.work(
        handling({
          run: async (_, { attempt }) => {
            attempts.push(attempt)
            if (!isMended) throw new Unrecoverable('not yet')
          },
        }),
      )
      await jobs.enqueue([job])
      await untilIdle(jobs)
      await jobs.enqueue([job])
      await untilIdle(jobs)
      expect(await find(job.id)).toMatchObject({ state: 'parked' })
      isMended = true
      expect(await jobs.retry(job.id)).toBe(true)
      await untilIdle(jobs)
      expect(await find(job.id)).toMatchObject({ state: 'done', reason: null })
      expect(attempts).toEqual([1, 1])
      expect(await jobs.retry(job.id)).toBe(false)
      expect(await jobs.retry('process-image-unknown')).toBe(false)
    })

    it('runs a waiting job at once when asked, and counts its tries on', async () => {
      const job = image()
      const tries: unknown[] = []
      await jobs.work(
        handling({
          run: async (_, { attempt, again }) => {
            tries.push({ attempt, again })
            if (attempt === 1) throw new Error('no luck')
          },
          backoff: () => hour,
        }),
      )
      await jobs.enqueue([job])
      await untilIdle(jobs)
      expect(await find(job.id)).toMatchObject({ state: 'waiting', attempts: 1 })
      expect(await jobs.retry(job.id)).toBe(true)
      await untilIdle(jobs)
      expect(await find(job.id)).toMatchObject({ state: 'done', attempts: 2 })
      expect(tries).toEqual([
        { attempt: 1, again: false },
        { attempt: 2, again: false },
      ])
    })

    describe('after a clock that ran ahead was set right', () => {
      afterEach(() => void vi.useRealTimers())
      const failing = handling({
        run: async () => {
          throw new Error('no luck')
        },
        backoff: () => hour,
      })
      const runsAt = async (id: string): Promise<number> => Date.parse((await find(id))?.runAt ?? '')
      /** A job that failed while the clock ran three hours ahead, and is to wait for one. */
      const failedAhead = async (): Promise<string> => {
        const job = image()
        vi.setSystemTime(Date.now() + 3 * hour)
        await jobs.work(failing)
        await jobs.enqueue([job])
        await untilIdle(jobs)
        expect(await runsAt(job.id)).toBeGreaterThan(Date.now() + hour / 2)
        return job.id
      }

      it('lets a job wait no longer than it was to, from the next start on', async () => {
        vi.useFakeTimers({ toFake: ['Date'] })
        const id = await failedAhead()
        await jobs.close(0)
        vi.useRealTimers()
        ;({ jobs } = await reopened())
        await jobs.work(failing)
        await vi.waitFor(async () => expect(await runsAt(id)).toBeLessThanOrEqual(Date.now() + hour), 10_000)
        expect(await runsAt(id)).toBeGreaterThan(Date.now() + hour / 2)
        expect(await find(id)).toMatchObject({ state: 'waiting', attempts: 1 })
      })

      it('does so while it works, within a minute', async () => {
        vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
        const id = await failedAhead()
        vi.setSystemTime(Date.now() - 3 * hour)
        vi.advanceTimersByTime(60_000)
        vi.useRealTimers()
        // The minute that was passed over is on its clock alone.
        await vi.waitFor(async () => expect(await runsAt(id)).toBeLessThan(Date.now() + 2 * hour), 10_000)
      })
    })

    it('tells a handler before its job is parked, and a retried job that a person asked for it', async () => {
      const job = image('abc')
      const told: unknown[] = []
      const again: boolean[] = []
      await jobs.work(
        handling({
          run: async (_, context) => {
            again.push(context.again)
            throw new Error('broken picture')
          },
          parked: async (data, reason) => {
            told.push([data, reason, (await find(job.id))?.state])
          },
        }),
      )
      await jobs.enqueue([job])
      await untilIdle(jobs)
      expect(told).toEqual([[{ hash: 'abc' }, 'broken picture', 'running']])
      expect(await find(job.id)).toMatchObject({ state: 'parked', reason: 'broken picture' })
      await jobs.retry(job.id)
      await untilIdle(jobs)
      expect(told[1]).toEqual(told[0])
      expect(again).toEqual([false, true])
    })

    it('does not park a job whose handler could not be told', async () => {
      const job = image()
      await jobs.work(
        handling({
          run: async () => {
            throw new Error('broken picture')
          },
          parked: async () => {
            throw new Error('the log is away')
          },
        }),
      )
      await jobs.enqueue([job])
      await untilIdle(jobs)
      const view = await find(job.id)
      expect(view).toMatchObject({ state: 'waiting' })
      expect(Date.parse(view?.runAt ?? '')).toBeGreaterThan(Date.now())
    })
  })
}
