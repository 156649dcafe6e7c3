import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { Unrecoverable, type JobQueue, type JobView } from '#application/kernel/ports/job-queue.ts'
import { untilIdle } from '#application/testing/until-idle.ts'
import { jobEndingRules } from './job-endings.contract.ts'
import { jobTryRules } from './job-tries.contract.ts'
import { copy, handling, image, queueForEachTest, type QueuePlace, viewOf } from './some-jobs.ts'

const at = (n: number): Position => String(n).padStart(20, '0') as Position // text that sorts, as a log makes it

/** The rules of every job queue. */
export const jobQueueContract = (name: string, place: () => Promise<QueuePlace>): void => {
  describe(`job queue: ${name}`, () => {
    const { queue, reopened } = queueForEachTest(place)
    let jobs: JobQueue
    beforeEach(() => {
      ;({ jobs } = queue())
    })

    const find = (id: string): Promise<JobView | undefined> => viewOf(jobs, id)

    it('is known by the word of its beginning, whoever opens it', async () => {
      expect(await jobs.memory()).toBeNull()
      expect(await jobs.reached(null, at(1))).toBe(true)
      expect(await jobs.memory()).toBeNull()
      const life = await jobs.begin(null)
      const memory = { life, queued: { position: null } }
      expect(await jobs.memory()).toEqual(memory)
      await jobs.close(0)
      const { jobs: again } = await reopened()
      expect(await again.memory()).toEqual(memory)
      expect(await again.begin(at(3))).not.toBe(life)
      expect(await again.memory()).toMatchObject({ queued: { position: at(3) } })
    })

    it('notes how far the log is queued, only on and without a gap', async () => {
      await jobs.begin(null)
      const noted = async () => (await jobs.memory())?.queued?.position
      expect([await jobs.reached(null, at(5)), await noted()]).toEqual([true, at(5)])
      expect([await jobs.reached(at(3), at(4)), await noted()]).toEqual([true, at(5)])
      expect([await jobs.reached(at(6), at(7)), await noted()]).toEqual([false, at(5)])
      expect([await jobs.reached(at(5), at(10)), await noted()]).toEqual([true, at(10)])
    })

    it('does a job with its data, and shows it done', async () => {
      const job = image('abc')
      const seen: unknown[] = []
      await jobs.work(
        handling({
          run: async (data, context) => {
            seen.push(data, context.id, context.attempt, context.signal.aborted)
          },
        }),
      )
      await jobs.enqueue([job])
      await untilIdle(jobs)
      expect(seen).toEqual([{ hash: 'abc' }, job.id, 1, false])
      expect(await find(job.id)).toMatchObject({
        name: 'process-image',
        subjectId: 'abc',
        state: 'done',
        attempts: 1,
        reason: null,
        runAt: null,
      })
    })

    it('keeps jobs waiting until somebody works, then does them in the order they came', async () => {
      const list = [image(), image(), image()]
      await jobs.enqueue(list)
      const waiting = await find(list[0]!.id)
      expect(waiting).toMatchObject({ state: 'waiting', attempts: 0 })
      const order: string[] = []
      await jobs.work(handling({ run: async (_, { id }) => void order.push(id) }))
      await untilIdle(jobs)
      expect(order).toEqual(list.map((job) => job.id))
    })

    it('takes none for a job', async () => {
      await jobs.work(handling({}))
      await jobs.enqueue([])
      expect(await jobs.list()).toEqual([])
    })

    it('does a job of a known id once, whether it waits, runs or is done', async () => {
      const job = image()
      let runs = 0
      await jobs.enqueue([job, job])
      await jobs.enqueue([job])
      const begun = Promise.withResolvers<void>()
      const go = Promise.withResolvers<void>()
      await jobs.work(
        handling({
          run: async () => {
            runs += 1
            begun.resolve()
            await go.promise
          },
          concurrency: 3,
        }),
      )
      await begun.promise
      await jobs.enqueue([job])
      go.resolve()
      await untilIdle(jobs)
      await jobs.enqueue([job])
      await untilIdle(jobs)
      expect(runs).toBe(1)
      expect(await jobs.list()).toHaveLength(1)
    })

    it('does again what was done once that is forgotten, and forgets nothing else', async () => {
      const [done, parked] = [image('done'), image('parked')]
      const runs: string[] = []
      await jobs.work(
        handling({
          run: async (data, { id }) => {
            runs.push(id)
            if ((data as { hash: string }).hash === 'parked') throw new Unrecoverable('bad')
          },
        }),
      )
      await jobs.enqueue([done, parked])
      await untilIdle(jobs)
      await jobs.forgetDone()
      expect((await jobs.list()).map(({ id }) => id)).toEqual([parked.id])
      await jobs.enqueue([done, parked])
      await untilIdle(jobs)
      expect(runs.toSorted()).toEqual([done.id, done.id, parked.id])
    })

    it('finds a job by its id, whatever its state, and none that it does not know', async () => {
      const job = image('abc')
      await jobs.enqueue([job])
      expect(await jobs.find(job.id)).toEqual((await jobs.list())[0])
      await jobs.work(handling({}))
      await untilIdle(jobs)
      expect(await jobs.find(job.id)).toEqual((await jobs.list())[0])
      expect(await jobs.find('process-image-unknown')).toBeNull()
    })

    it('counts what is open of each kind, whether it waits, comes back later or runs', async () => {
      expect(await jobs.open()).toEqual({})
      await jobs.enqueue([image('later'), image('running'), copy(), copy()])
      expect(await jobs.open()).toEqual({ 'process-image': 2, 'copy-artwork-picture': 2 })
      const begun = Promise.withResolvers<void>()
      const go = Promise.withResolvers<void>()
      await jobs.work(
        handling({
          backoff: () => 60_000,
          run: async (data) => {
            if ((data as { hash: string }).hash === 'later') throw new Error('later')
            begun.resolve()
            await go.promise
          },
        }),
      )
      await begun.promise
      await expect.poll(() => jobs.open()).toEqual({ 'process-image': 2 })
      go.resolve()
      await untilIdle(jobs)
      expect(await jobs.open()).toEqual({ 'process-image': 1 })
    })

    it('runs as many of a kind at once as its handler allows, each kind by itself', async () => {
      let [images, mostImages, copies, mostCopies] = [0, 0, 0, 0]
      const turn = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))
      // the first does not end before the second has come
      const two = Promise.withResolvers<void>()
      await jobs.enqueue(Array.from({ length: 6 }, () => image()))
      await jobs.enqueue(Array.from({ length: 4 }, () => copy()))
      await jobs.work(
        handling(
          {
            concurrency: 2,
            run: async () => {
              images += 1
              mostImages = Math.max(mostImages, images)
              if (images === 2) two.resolve()
              await two.promise
              await turn()
              images -= 1
            },
          },
          {
            run: async () => {
              copies += 1
              mostCopies = Math.max(mostCopies, copies)
              await turn()
              copies -= 1
            },
          },
        ),
      )
      await untilIdle(jobs)
      expect([mostImages, mostCopies]).toEqual([2, 1])
      expect((await jobs.list()).every((job) => job.state === 'done')).toBe(true)
    })

    it('lists by state, no more than asked', async () => {
      const [bad, ...good] = [image('bad'), image(), image()]
      await jobs.work(
        handling({
          run: async (_, { id }) => {
            if (id === bad.id) throw new Unrecoverable('bad')
          },
        }),
      )
      await jobs.enqueue([bad, ...good])
      await untilIdle(jobs)
      expect((await jobs.list({ states: ['parked'] })).map((job) => job.id)).toEqual([bad.id])
      expect(await jobs.list({ states: ['done', 'parked'] })).toHaveLength(3)
      expect(await jobs.list({ states: ['done'], limit: 1 })).toHaveLength(1)
      expect(await jobs.list({ states: ['waiting', 'running'] })).toEqual([])
    })

    it('lists so many of each kind, so that none hides another', async () => {
      const fails = {
        run: async () => {
          throw new Unrecoverable('bad')
        },
      }
      await jobs.work(handling(fails, fails))
      const [first, ...images] = [copy(), image(), image(), image()]
      for (const job of [first, ...images]) await jobs.enqueue([job])
      await untilIdle(jobs)
      const listed = await jobs.list({ states: ['parked'], limit: 2, ofEachKind: true })
      expect(listed.map(({ name }) => name)).toEqual([
        'process-image',
        'process-image',
        'copy-artwork-picture',
      ])
      expect(await jobs.list({ states: ['parked'], limit: 2 })).toHaveLength(2)
    })

    it('shows how far a running job is, and calls back when anything changed', async () => {
      const job = image()
      const go = Promise.withResolvers<void>()
      let calls = 0
      const stop = jobs.onChange(() => {
        calls += 1
      })
      await jobs.work(
        handling({
          run: async (_, { progress }) => {
            progress(3, 12)
            await go.promise
          },
        }),
      )
      await jobs.enqueue([job])
      await vi.waitFor(
        async () => expect(await find(job.id)).toMatchObject({ state: 'running', done: 3, total: 12 }),
        10_000,
      )
      await vi.waitFor(() => expect(calls).toBeGreaterThan(0), 10_000)
      const before = calls
      go.resolve()
      await untilIdle(jobs)
      await vi.waitFor(() => expect(calls).toBeGreaterThan(before), 10_000)
      stop()
    })
  })

  jobTryRules(name, place)
  jobEndingRules(name, place)
}
