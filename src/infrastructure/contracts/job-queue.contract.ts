import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Unrecoverable } from '#application/ports/job-queue.ts'
import type { JobContext, JobHandlers, JobQueue, JobView, NewJob } from '#application/ports/job-queue.ts'

/** One process's end of a queue. */
export interface OpenQueue {
  readonly jobs: JobQueue
  /** ends this end as a killed process would: no word to the queue, what it runs is lost */
  readonly kill: () => Promise<void>
}

/** A queue nobody used before, that any number of processes in turn may open. */
export interface QueuePlace {
  readonly open: () => Promise<OpenQueue>
  readonly clear: () => Promise<void>
}

interface Handling {
  readonly run?: (data: unknown, context: JobContext) => Promise<void>
  readonly backoff?: (failedAttempts: number) => number | null
  readonly concurrency?: number
}

const nothing = { run: async () => undefined, backoff: () => null }

/** Handlers of every kind; pictures are handled as told. */
const handling = (told: Handling, rest: Handling = {}): JobHandlers =>
  ({
    'process-image': { ...nothing, ...told },
    'copy-artwork-picture': { ...nothing, ...rest },
    'copy-journal-pictures': nothing,
    'sync-blog': nothing,
  }) as unknown as JobHandlers // kinds that come later are not used here

const picture = (hash: string = randomUUID()): NewJob => ({
  id: `process-image-${hash}`,
  name: 'process-image',
  data: { hash },
})

const copy = (artworkId: string = randomUUID()): NewJob => ({
  id: `copy-artwork-picture-${artworkId}`,
  name: 'copy-artwork-picture',
  data: { artworkId, sourceUrl: 'https://example.com/a.jpg' },
})

/** The rules of every job queue. */
export const jobQueueContract = (name: string, place: () => Promise<QueuePlace>): void => {
  describe(`job queue: ${name}`, () => {
    let here: QueuePlace
    let queue: OpenQueue
    let jobs: JobQueue
    beforeEach(async () => {
      here = await place()
      queue = await here.open()
      ;({ jobs } = queue)
    })
    afterEach(async () => {
      await jobs.close(0)
      await here.clear()
    })

    const find = async (id: string): Promise<JobView | undefined> =>
      (await jobs.list()).find((job) => job.id === id)

    it('does a job with its data, and shows it done', async () => {
      const job = picture('abc')
      const seen: unknown[] = []
      await jobs.work(
        handling({
          run: async (data, context) => {
            seen.push(data, context.id, context.attempt, context.signal.aborted)
          },
        }),
      )
      await jobs.enqueue([job])
      await jobs.idle()
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
      const list = [picture(), picture(), picture()]
      await jobs.enqueue(list)
      const waiting = await find(list[0]!.id)
      expect(waiting).toMatchObject({ state: 'waiting', attempts: 0 })
      const order: string[] = []
      await jobs.work(handling({ run: async (_, { id }) => void order.push(id) }))
      await jobs.idle()
      expect(order).toEqual(list.map((job) => job.id))
    })

    it('is idle with nothing to do', async () => {
      await jobs.work(handling({}))
      await jobs.idle()
      await jobs.enqueue([])
      await jobs.idle()
      expect(await jobs.list()).toEqual([])
    })

    it('does a job of a known id once, whether it waits, runs or is done', async () => {
      const job = picture()
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
      await jobs.idle()
      await jobs.enqueue([job])
      await jobs.idle()
      expect(runs).toBe(1)
      expect(await jobs.list()).toHaveLength(1)
    })

    it('tries again as the handler says, and tells why', async () => {
      const job = picture()
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
      const job = picture()
      await jobs.work(
        handling({
          run: async () => {
            throw new Error('the disk is full')
          },
          backoff: () => 3_600_000,
        }),
      )
      await jobs.enqueue([job])
      await jobs.idle()
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
      const [bad, good] = [picture(), copy()]
      await jobs.work(handling(told))
      await jobs.enqueue([bad, good])
      await vi.waitFor(async () => expect(await find(bad.id)).toMatchObject({ state: 'parked' }), 10_000)
      await jobs.idle()
      expect(await find(bad.id)).toMatchObject({ state: 'parked', reason: 'broken picture', runAt: null })
      expect(await find(good.id)).toMatchObject({ state: 'done' })
    })

    it('leaves a parked job of a known id alone, and runs it again only when asked', async () => {
      const job = picture()
      let works = false
      const attempts: number[] = []
      await jobs.work(
        handling({
          run: async (_, { attempt }) => {
            attempts.push(attempt)
            if (!works) throw new Unrecoverable('not yet')
          },
        }),
      )
      await jobs.enqueue([job])
      await jobs.idle()
      await jobs.enqueue([job])
      await jobs.idle()
      expect(await find(job.id)).toMatchObject({ state: 'parked' })
      works = true
      expect(await jobs.retry(job.id)).toBe(true)
      await jobs.idle()
      expect(await find(job.id)).toMatchObject({ state: 'done', reason: null })
      expect(attempts).toEqual([1, 1])
      expect(await jobs.retry(job.id)).toBe(false)
      expect(await jobs.retry('process-image-unknown')).toBe(false)
    })

    it('runs as many of a kind at once as its handler allows, each kind by itself', async () => {
      let [pictures, mostPictures, copies, mostCopies] = [0, 0, 0, 0]
      const turn = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))
      await jobs.enqueue(Array.from({ length: 6 }, () => picture()))
      await jobs.enqueue(Array.from({ length: 4 }, () => copy()))
      await jobs.work(
        handling(
          {
            concurrency: 2,
            run: async () => {
              pictures += 1
              mostPictures = Math.max(mostPictures, pictures)
              await turn()
              pictures -= 1
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
      await jobs.idle()
      expect([mostPictures, mostCopies]).toEqual([2, 1])
      expect((await jobs.list()).every((job) => job.state === 'done')).toBe(true)
    })

    it('lists by state, no more than asked', async () => {
      const [bad, ...good] = [picture('bad'), picture(), picture()]
      await jobs.work(
        handling({
          run: async (data) => {
            if (JSON.stringify(data).includes('bad')) throw new Unrecoverable('bad')
          },
        }),
      )
      await jobs.enqueue([bad, ...good])
      await jobs.idle()
      expect((await jobs.list({ states: ['parked'] })).map((job) => job.id)).toEqual([bad.id])
      expect(await jobs.list({ states: ['done', 'parked'] })).toHaveLength(3)
      expect(await jobs.list({ states: ['done'], limit: 1 })).toHaveLength(1)
      expect(await jobs.list({ states: ['waiting', 'running'] })).toEqual([])
    })

    it('shows how far a running job is, and calls back when anything changed', async () => {
      const job = picture()
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
      await jobs.idle()
      await vi.waitFor(() => expect(calls).toBeGreaterThan(before), 10_000)
      stop()
    })

    it('lets a running job end within the grace, and takes no other', async () => {
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
      queue = await here.open()
      ;({ jobs } = queue)
      expect(await find(first.id)).toMatchObject({ state: 'done' })
      expect(await find(second.id)).toMatchObject({ state: 'waiting', attempts: 0 })
    })

    it('aborts a job that outlives the grace; the next process runs it again', async () => {
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
      queue = await here.open()
      ;({ jobs } = queue)
      const attempts: number[] = []
      await jobs.work(handling({ run: async (_, { attempt }) => void attempts.push(attempt) }))
      await vi.waitFor(async () => expect(await find(job.id)).toMatchObject({ state: 'done' }), 60_000)
      expect(attempts).toHaveLength(1)
    }, 90_000)

    it('runs a job again that a killed process had begun, and what it had not', async () => {
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
      await queue.kill()
      queue = await here.open()
      ;({ jobs } = queue)
      const ran: string[] = []
      await jobs.work(handling({ run: async (_, { id }) => void ran.push(id) }))
      await vi.waitFor(
        async () => expect((await jobs.list({ states: ['done'] })).length).toBe(2),
        // a server notices a lost worker after its lock has run out
        { timeout: 60_000 },
      )
      expect(ran.toSorted()).toEqual([begunJob.id, waitingJob.id].toSorted())
    }, 90_000)
  })
}
