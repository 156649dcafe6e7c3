import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createExecutor } from '#application/kernel/execute.ts'
import { type Checkpoints, reactorCheckpoint } from '#application/kernel/ports/checkpoints.ts'
import { ownerCommand } from '#application/testing/application.ts'
import { type Embedded, openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { imageAggregate } from '#domain/images/image.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { reactions } from '../reactions.ts'
import { placeReactor, startReactor } from './reactor.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const opened: Embedded[] = []
afterEach(async () => {
  for (const engines of opened.splice(0)) await engines.close()
})

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'atelier-reactor-'))
const open = async (dataDir: string, reactor: 'placed' | 'unplaced' = 'placed'): Promise<Embedded> => {
  const engines = await openEmbedded({ dataDir, secret: null, clock: systemClock, log: quiet })
  opened.push(engines)
  if (reactor === 'placed') await placeReactor(engines)
  return engines
}
const close = async (engines: Embedded): Promise<void> => {
  opened.splice(opened.indexOf(engines), 1)
  await engines.close()
}

/** Writes the event that asks for variants. */
const upload = async (engines: Embedded, hash: string): Promise<void> => {
  await createExecutor(engines.eventStore).execute({
    ...imageAggregate(hash),
    command: {
      type: 'RecordUpload',
      upload: { hash, format: 'jpeg', bytes: 1, width: 1, height: 1, placeholder: 'data:', color: '#000000' },
    },
    context: ownerCommand(),
    expectedVersion: null,
  })
}

/** Resolves when so many jobs are there. */
const jobs = (engines: Embedded, count: number): Promise<readonly string[]> =>
  expect
    .poll(async () => (await engines.jobs.list()).map((job) => job.subjectId))
    .toHaveLength(count)
    .then(async () => (await engines.jobs.list()).map((job) => job.subjectId).toSorted())

describe('the reactor', () => {
  it('makes a job of an event that was there before it and of one that comes', async () => {
    const engines = await open(newFolder())
    const reactor = startReactor({ reactions, ...engines, log: quiet })
    await upload(engines, 'a')
    expect(await jobs(engines, 1)).toEqual(['a'])
    await reactor.stop()
    await upload(engines, 'b')
    const again = startReactor({ reactions, ...engines, log: quiet })
    expect(await jobs(engines, 2)).toEqual(['a', 'b'])
    await again.stop()
  })

  it('killed between a job and its own mark makes the job once', async () => {
    const dataDir = newFolder()
    const engines = await open(dataDir)
    const reached = Promise.withResolvers<void>()
    const broken: Checkpoints = {
      ...engines.checkpoints,
      save: async () => {
        reached.resolve()
        throw new Error('killed here')
      },
    }
    const reactor = startReactor({ reactions, ...engines, checkpoints: broken, log: quiet })
    await upload(engines, 'a')
    await reached.promise
    await reactor.stop()
    await close(engines)

    const restarted = await open(dataDir)
    const next = startReactor({ reactions, ...restarted, log: quiet })
    await upload(restarted, 'b')
    expect(await jobs(restarted, 2)).toEqual(['a', 'b'])
    await next.stop()
  })

  it('queues again what an older copy of the queue lost that was put back before it was noted', async () => {
    const engines = await open(newFolder())
    const kept = new Set<string>()
    let isPutBack = false
    const noted = Promise.withResolvers<void>()
    const queue: Parameters<typeof startReactor>[0]['jobs'] = {
      enqueue: async (added) => {
        for (const { data } of added) kept.add(Object.values(data)[0] ?? '')
      },
      open: async () => ({}),
      reached: async () => {
        if (!isPutBack) kept.clear()
        isPutBack = true
        return true
      },
    }
    const save: Checkpoints['save'] = async (...given) => {
      noted.resolve()
      return engines.checkpoints.save(...given)
    }
    const checkpoints = { ...engines.checkpoints, save }
    const reactor = startReactor({ reactions, ...engines, checkpoints, jobs: queue, log: quiet })
    await upload(engines, 'a')
    await noted.promise
    expect([...kept]).toEqual(['a'])
    await reactor.stop()
  })

  it('killed before a job is made makes it at the next start', async () => {
    const dataDir = newFolder()
    const engines = await open(dataDir)
    const reached = Promise.withResolvers<void>()
    const enqueue = async (): Promise<never> => {
      reached.resolve()
      throw new Error('killed here')
    }
    const reactor = startReactor({
      reactions,
      ...engines,
      jobs: { ...engines.jobs, enqueue },
      log: quiet,
    })
    await upload(engines, 'a')
    await reached.promise
    await reactor.stop()
    await close(engines)

    const restarted = await open(dataDir)
    const next = startReactor({ reactions, ...restarted, log: quiet })
    expect(await jobs(restarted, 1)).toEqual(['a'])
    await next.stop()
  })

  it('waits no longer than at first when an engine that answered in between fails anew', async () => {
    const engines = await open(newFolder())
    // A batch is queued twice: before its note and behind it.
    const failing = ['first', 'second', 'fine', 'fine', 'third']
    const enqueue: typeof engines.jobs.enqueue = async (added) => {
      const now = failing.shift() ?? 'fine'
      if (now !== 'fine') throw new Error(now)
      await engines.jobs.enqueue(added)
    }
    const waits: unknown[] = []
    const warn = (context: object): void => void waits.push(Reflect.get(context, 'retryInMs'))
    const reactor = startReactor({
      reactions,
      ...engines,
      jobs: { ...engines.jobs, enqueue },
      log: { warn },
    })
    await upload(engines, 'a')
    expect(await jobs(engines, 1)).toEqual(['a'])
    await upload(engines, 'b')
    expect(await jobs(engines, 2)).toEqual(['a', 'b'])
    await reactor.stop()
    expect(waits).toEqual([100, 200, 100])
  })

  it('gives itself no place where its own is gone, does nothing anew, and goes on when it is back', async () => {
    const engines = await open(newFolder())
    let gone = false
    const warned: unknown[] = []
    const checkpoints: Checkpoints = {
      ...engines.checkpoints,
      load: async (name) => (gone ? null : engines.checkpoints.load(name)),
      save: async (name, position) => !gone && engines.checkpoints.save(name, position),
    }
    const enqueued: string[] = []
    const enqueue: typeof engines.jobs.enqueue = async (added) => {
      enqueued.push(...added.flatMap(({ data }) => ('hash' in data ? [data.hash] : [])))
      await engines.jobs.enqueue(added)
    }
    const warn = (context: object): void => void warned.push(Reflect.get(context, 'err'))
    const reactor = startReactor({
      reactions,
      ...engines,
      checkpoints,
      jobs: { ...engines.jobs, enqueue },
      log: { warn },
    })
    await upload(engines, 'a')
    expect(await jobs(engines, 1)).toEqual(['a'])
    const placed = async () => engines.checkpoints.load(reactorCheckpoint)
    await expect.poll(placed).not.toEqual({ position: null })
    const place = await placed()
    gone = true
    await upload(engines, 'b')
    await expect.poll(() => warned.length).toBeGreaterThan(1)
    expect(await engines.checkpoints.load(reactorCheckpoint)).toEqual(place)
    // Each before its note and behind it.
    expect(enqueued).toEqual(['a', 'a', 'b', 'b'])
    expect(warned).toContainEqual(expect.objectContaining({ message: expect.stringContaining('is gone') }))
    gone = false
    await upload(engines, 'c')
    expect(await jobs(engines, 3)).toEqual(['a', 'b', 'c'])
    await reactor.stop()
  })

  it('begins again by itself when an engine fails', async () => {
    const engines = await open(newFolder())
    let failures = 2
    const enqueue: typeof engines.jobs.enqueue = async (added) => {
      if (failures-- > 0) throw new Error('away')
      await engines.jobs.enqueue(added)
    }
    const reactor = startReactor({
      reactions,
      ...engines,
      jobs: { ...engines.jobs, enqueue },
      log: quiet,
    })
    await upload(engines, 'a')
    expect(await jobs(engines, 1)).toEqual(['a'])
    await reactor.stop()
  })

  it('does nothing about events of a log that was moved here: their jobs were done elsewhere', async () => {
    const engines = await open(newFolder(), 'unplaced')
    await upload(engines, 'old')
    await placeReactor(engines)
    const reactor = startReactor({ reactions, ...engines, log: quiet })
    await upload(engines, 'new')
    expect(await jobs(engines, 1)).toEqual(['new'])
    await reactor.stop()
  })
})
