import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Clock } from '#application/kernel/ports/clock.ts'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import {
  interruptedWords,
  type JobContext,
  type JobHandlers,
  type NewJob,
} from '#application/kernel/ports/job-queue.ts'
import { untilIdle } from '#application/testing/until-idle.ts'
import { jobQueueContract } from '../testing/contracts/job-queue.contract.ts'
import { openDatabase, type Database } from './database.ts'
import { openJobQueue } from './job-queue.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const realClock: Clock = { now: () => new Date(), newId: () => crypto.randomUUID() }

jobQueueContract('embedded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-jobs-'))
  const opened: Database[] = []
  return {
    open: async () => {
      const database = openDatabase(join(folder, 'atelier.db'))
      opened.push(database)
      const jobs = openJobQueue(database, realClock, silent)
      return {
        jobs,
        // nothing the killed process still runs reaches its rows any more
        kill: async () => database.close(),
      }
    },
    clear: async () => {
      for (const database of opened) database.close()
      await rm(folder, { recursive: true })
    },
  }
})

describe('the embedded job queue', () => {
  let folder: string
  let database: Database
  let time: number
  const clock: Clock = { now: () => new Date(time), newId: () => crypto.randomUUID() }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-jobs-'))
    database = openDatabase(join(folder, 'atelier.db'))
    time = Date.parse('2026-03-01T00:00:00.000Z')
  })
  afterEach(async () => {
    database.close()
    await rm(folder, { recursive: true })
  })

  const handlers = (run: () => Promise<void>): JobHandlers =>
    ({ 'process-image': { run, backoff: () => null } }) as unknown as JobHandlers // the only kind used here
  const job: NewJob = { id: 'process-image-e1', name: 'process-image', data: { hash: 'h1' } }

  it('writes the end of a job again that a full disk did not take', async () => {
    let isFull = false
    const onFullDisk: Database['transaction'] = (...given) => {
      if (isFull) throw new DiskFull()
      return database.transaction(...given)
    }
    let lacked = 0
    const warn = (_: object, words: string): void => {
      if (words.startsWith('The end of a job cannot be written')) lacked += 1
    }
    const jobs = openJobQueue({ ...database, transaction: onFullDisk }, clock, { ...silent, warn })
    await jobs.work(
      handlers(async () => {
        isFull = true
      }),
    )
    await jobs.enqueue([job])
    await vi.waitFor(() => expect(lacked).toBe(1), { timeout: 60_000 })
    isFull = false
    await vi.waitFor(async () => expect(await jobs.find(job.id)).toMatchObject({ state: 'done' }), {
      timeout: 60_000,
    })
    await jobs.close(0)
  })

  it('tells once of many jobs that wait for room, however often each is tried', async () => {
    const told: string[] = []
    const warn = (_: object, words: string): void => void told.push(words)
    const jobs = openJobQueue(database, clock, { ...silent, warn })
    let tries = 0
    const run = async (): Promise<void> => {
      tries += 1
      // Each wait is over by the time of the next look.
      time += 10 * 60_000
      if (tries <= 12) throw new DiskFull()
    }
    await jobs.work(handlers(run))
    const more = Array.from({ length: 4 }, (_, index) => ({ ...job, id: `process-image-e${index}` }))
    await jobs.enqueue(more)
    for (const { id } of more)
      await vi.waitFor(async () => expect(await jobs.find(id)).toMatchObject({ state: 'done' }), {
        timeout: 60_000,
      })
    expect([tries, told]).toEqual([16, ['A job waits until the site can work again']])
    await jobs.close(0)
  })

  it('tells once of many jobs whose failure for good cannot be noted, however often that is tried', async () => {
    const told: string[] = []
    const tell = (_: object, words: string): void => void told.push(words)
    const jobs = openJobQueue(database, clock, { ...silent, warn: tell, error: tell })
    let notes = 0
    const parked = async (): Promise<void> => {
      notes += 1
      time += 10 * 60_000
      if (notes <= 8) throw new Error(`The log at port ${5_000 + notes} gave no answer`)
    }
    const run = async (): Promise<void> => {
      throw new Error('It fails for good')
    }
    await jobs.work({ 'process-image': { run, backoff: () => null, parked } } as unknown as JobHandlers) // the only kind used here
    const more = Array.from({ length: 4 }, (_, index) => ({ ...job, id: `process-image-e${index}` }))
    await jobs.enqueue(more)
    for (const { id } of more)
      await vi.waitFor(async () => expect(await jobs.find(id)).toMatchObject({ state: 'parked' }), {
        timeout: 60_000,
      })
    expect(notes).toBe(12)
    const words = ['What a job has to end could not be ended; it is tried again']
    expect(told).toEqual([...words, ...more.map(() => 'A job failed for good and is parked')])
    await jobs.close(0)
  })

  it('goes on with a job whose progress the disk does not take', async () => {
    let isFull = false
    const onFullDisk: Database['transaction'] = (...given) => {
      if (isFull) throw new DiskFull()
      return database.transaction(...given)
    }
    const jobs = openJobQueue({ ...database, transaction: onFullDisk }, clock, silent)
    const run = async (_: unknown, { progress }: JobContext): Promise<void> => {
      isFull = true
      progress(1, 3)
      isFull = false
    }
    await jobs.work({ 'process-image': { run, backoff: () => null } } as unknown as JobHandlers) // the only kind used here
    await jobs.enqueue([job])
    await vi.waitFor(async () => expect(await jobs.find(job.id)).toMatchObject({ state: 'done' }))
    await jobs.close(0)
  })

  it('remembers a done job for seven days', async () => {
    const day = 24 * 60 * 60 * 1_000
    let runs = 0
    const session = async () => {
      const jobs = openJobQueue(database, clock, silent)
      await jobs.work(
        handlers(async () => {
          runs += 1
        }),
      )
      await jobs.enqueue([job])
      await untilIdle(jobs, () => time)
      await jobs.close(0)
    }
    await session()
    time += 7 * day
    await session()
    expect(runs).toBe(1)
    time += 1
    await session()
    expect(runs).toBe(2)
  })

  it.each(['done', 'parked'])(
    'remembers of the %s jobs of a kind only the newest, however many there were',
    async (state) => {
      const jobs = openJobQueue(database, clock, silent, 2)
      await jobs.work(
        handlers(async () => {
          if (state === 'parked') throw new Error('It fails for good')
        }),
      )
      const ids = ['a', 'b', 'c', 'd']
      for (const id of ids) {
        await jobs.enqueue([{ ...job, id }])
        await untilIdle(jobs, () => time)
        time += 1
      }
      const found = await Promise.all(ids.map((id) => jobs.find(id)))
      expect(found.map((each) => each?.state ?? null)).toEqual([null, null, state, state])
      await jobs.close(0)
    },
  )

  it('brings back what an earlier version parked because its process had ended', async () => {
    const before = openJobQueue(database, clock, silent)
    await before.enqueue([job])
    database
      .sql(
        `UPDATE jobs SET state = 'parked', interrupted = 3, reason = 'The server ended 3 times while this job was running'`,
      )
      .run()
    const jobs = openJobQueue(database, clock, silent)
    await jobs.work(handlers(async () => expect.unreachable('it waits first')))
    await untilIdle(jobs, () => time)
    expect(await jobs.find(job.id)).toMatchObject({
      state: 'waiting',
      reason: interruptedWords,
      runAt: '2026-03-01T00:01:00.000Z',
    })
  })

  it('parks a job of a kind that this version does not know', async () => {
    const jobs = openJobQueue(database, clock, silent)
    await jobs.enqueue([{ ...job, name: 'from-the-future' } as unknown as NewJob]) // as a newer version wrote it
    await jobs.work(handlers(async () => undefined))
    await untilIdle(jobs, () => time)
    expect(await jobs.list()).toMatchObject([
      { state: 'parked', reason: 'This version of Atelier knows no such job' },
    ])
  })

  it('goes on with what an older version did not know, once one that does is back', async () => {
    const older = openJobQueue(database, clock, silent)
    await older.enqueue([{ id: 'j1', name: 'process-journal-image', data: { hash: 'h1' } }])
    await older.work(handlers(async () => undefined))
    await untilIdle(older, () => time)
    expect(await older.find('j1')).toMatchObject({ state: 'parked' })
    await older.close(0)
    const newer = openJobQueue(database, clock, silent)
    const known = { run: async () => undefined, backoff: () => null }
    await newer.work({ 'process-journal-image': known } as unknown as JobHandlers) // the only kind used here
    await untilIdle(newer, () => time)
    expect(await newer.find('j1')).toMatchObject({ state: 'done', reason: null })
  })
})
