import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { reactorCheckpoint } from '#application/kernel/ports/checkpoints.ts'
import { createExecutor } from '#application/kernel/execute.ts'
import { ownerCommand } from '#application/testing/application.ts'
import { untilIdle } from '#application/testing/until-idle.ts'
import { imageAggregate } from '#domain/images/image.ts'
import { messageAggregate } from '#domain/messages/message.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { type Embedded, openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { reactions } from '#jobs/reactions.ts'
import type { Reactions } from '#jobs/runtime/reaction.ts'
import { lostJobs, startQueueWatch } from '#jobs/lost-jobs.ts'
import { leftWork, takeUpLeft } from '#jobs/runtime/left-work.ts'
import { anewUpTo, queueAnew, readBegun } from '#jobs/runtime/queue-anew.ts'
import { moveReactorToHead, placeReactor, startReactor } from '#jobs/runtime/reactor.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const never = new AbortController().signal
const opened: Embedded[] = []
afterEach(async () => {
  for (const engines of opened.splice(0)) await engines.close()
})
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'atelier-lost-jobs-'))
const open = async (dataDir = newFolder()): Promise<Embedded> => {
  const engines = await openEmbedded({ dataDir, secret: null, clock: systemClock, log: quiet })
  opened.push(engines)
  await placeReactor(engines)
  return engines
}

const upload = async ({ eventStore }: Embedded, hash: string): Promise<void> => {
  await createExecutor(eventStore).execute({
    ...imageAggregate(hash),
    command: {
      type: 'RecordUpload',
      upload: { hash, format: 'jpeg', bytes: 1, width: 1, height: 1, placeholder: 'data:', color: '#000000' },
    },
    context: ownerCommand(),
    expectedVersion: null,
  })
}
const write = async ({ eventStore }: Embedded, id: string): Promise<void> => {
  await createExecutor(eventStore).execute({
    ...messageAggregate(id),
    command: { type: 'ReceiveMessage', subject: 'general', artworkId: null, sealed: 'v1.x' },
    context: ownerCommand(),
    expectedVersion: null,
  })
}

/** A site with an image and a message in its queue; the reactor stands behind both. */
const siteWithWork = async (): Promise<Embedded> => {
  const engines = await open()
  const reactor = startReactor({ ...engines, reactions, log: quiet })
  await upload(engines, 'a')
  await write(engines, 'm')
  await expect.poll(async () => (await engines.jobs.list()).length).toBe(2)
  await reactor.stop()
  return engines
}
const subjectsIn = async ({ jobs }: Pick<Embedded, 'jobs'>): Promise<readonly string[]> =>
  (await jobs.list()).map(({ subjectId }) => subjectId).toSorted()

const unfinishedIn = async ({ eventStore }: Embedded) =>
  (await readBegun({ eventStore, reactions }, never)).begun.flatMap(({ jobs }) => jobs)

/** The id of the job that an image's upload asks for. */
const jobOf = async (site: Embedded, hash: string): Promise<string> => {
  const [job] = (await unfinishedIn(site)).filter(({ data }) => 'hash' in data && data.hash === hash)
  if (job === undefined) throw new Error(`Nobody asked for the picture ${hash}`)
  return job.id
}

/** Watches until the queue was looked at so often. */
const watched = async (
  site: Embedded,
  jobs: Pick<Embedded['jobs'], 'memory' | 'begin' | 'reached' | 'enqueue' | 'open'>,
  looks: number,
  mostOpen?: number,
): Promise<readonly object[]> => {
  const told: object[] = []
  let looked = 0
  const watch = await startQueueWatch({
    ...site,
    jobs: {
      enqueue: jobs.enqueue,
      open: jobs.open,
      begin: jobs.begin,
      reached: jobs.reached,
      memory: () => {
        looked += 1
        return jobs.memory()
      },
    },
    log: { warn: (context) => told.push(context) },
    everyMs: 5,
    ...(mostOpen === undefined ? {} : { mostOpen }),
  })
  // The last one has ended when the next has begun.
  await expect.poll(() => looked).toBeGreaterThan(looks)
  await watch.stop()
  return told
}

const nothing = { run: async () => undefined, backoff: () => null }
/** Ends whatever waits, as a worker would. */
const work = async ({ jobs }: Embedded): Promise<void> => {
  await jobs.work({
    'process-image': nothing,
    'process-journal-image': nothing,
    'copy-artwork-picture': nothing,
    'copy-journal-pictures': nothing,
    'sync-blog': nothing,
    'mail-enquiry': nothing,
  })
  await untilIdle(jobs)
}
const done = async ({ jobs }: Embedded): Promise<readonly string[]> =>
  (await jobs.list({ states: ['done'] })).map(({ subjectId }) => subjectId).toSorted()

describe('what only a newer version knows', () => {
  /** As an older version has it: of letters it knows nothing yet. */
  const older: Reactions = {
    ...reactions,
    knows: (form) => form.type !== 'MessageReceived' && reactions.knows(form),
    to: (event) => (event.type === 'MessageReceived' ? [] : reactions.to(event)),
  }

  it('is queued by that one once it leads, though an older one has led meanwhile', async () => {
    const site = await open()
    await watched(site, site.jobs, 1)
    const reactor = startReactor({ ...site, reactions: older, log: quiet })
    await write(site, 'm')
    await upload(site, 'a')
    await expect.poll(() => subjectsIn(site)).toEqual(['a'])
    const place = async () => (await site.checkpoints.load(reactorCheckpoint))?.position
    await expect.poll(place).toBe(await site.eventStore.head())
    await reactor.stop()

    await watched(site, site.jobs, 2)
    expect(await subjectsIn(site)).toEqual(['a', 'm'])
  })

  it('is queued by that one also where an older one has taken up what there was no room for', async () => {
    const site = await open()
    await watched(site, site.jobs, 1)
    const reactor = startReactor({ ...site, reactions, log: quiet, mostOpen: 0 })
    await write(site, 'm')
    await expect.poll(() => leftWork(site.effects)).not.toBeNull()
    await reactor.stop()
    await takeUpLeft({ ...site, reactions: older, log: quiet }, never)
    expect([await leftWork(site.effects), await subjectsIn(site)]).toEqual([null, []])
    await watched(site, site.jobs, 2)
    expect(await subjectsIn(site)).toEqual(['m'])
  })

  it('is queued by that one also where an older one has brought the log from elsewhere', async () => {
    const site = await open()
    await write(site, 'm')
    await moveReactorToHead(site)
    await queueAnew({ ...site, reactions: older }, never)
    expect(await subjectsIn(site)).toEqual([])
    await watched(site, site.jobs, 2)
    expect(await subjectsIn(site)).toEqual(['m'])
  })

  it('is nothing any more where the log was brought from elsewhere', async () => {
    const site = await open()
    await watched(site, site.jobs, 1)
    const reactor = startReactor({ ...site, reactions: older, log: quiet })
    await write(site, 'm')
    await upload(site, 'a')
    await expect.poll(() => subjectsIn(site)).toEqual(['a'])
    await reactor.stop()
    await moveReactorToHead(site)
    await watched(site, site.jobs, 2)
    expect(await subjectsIn(site)).toEqual(['a'])
  })

  it('is queued as there is room', async () => {
    const site = await open()
    await watched(site, site.jobs, 1)
    const reactor = startReactor({ ...site, reactions: older, log: quiet })
    const ids = ['m1', 'm2', 'm3']
    for (const id of ids) await write(site, id)
    await upload(site, 'a')
    await expect.poll(() => subjectsIn(site)).toEqual(['a'])
    await reactor.stop()
    await watched(site, site.jobs, 2, 4)
    expect(await subjectsIn(site)).toEqual(['a', 'm1', 'm2'])
    await work(site)
    await watched(site, site.jobs, 2, 4)
    await untilIdle(site.jobs)
    expect(await done(site)).toEqual(['a', ...ids])
  })

  it('is not looked for again once it was queued', async () => {
    const site = await open()
    const reactor = startReactor({ ...site, reactions: older, log: quiet })
    await write(site, 'm')
    await upload(site, 'a')
    await expect.poll(() => subjectsIn(site)).toEqual(['a'])
    await reactor.stop()
    await watched(site, site.jobs, 2)
    let reads = 0
    const readAll: typeof site.eventStore.readAll = (...asked) => {
      reads += 1
      return site.eventStore.readAll(...asked)
    }
    await watched({ ...site, eventStore: { ...site.eventStore, readAll } }, site.jobs, 2)
    expect([reads, await subjectsIn(site)]).toEqual([0, ['a', 'm']])
  })
})

describe('the work of a queue that lost what it held', () => {
  it('is queued again, and said once', async () => {
    const site = await siteWithWork()
    expect(await watched(site, site.jobs, 2)).toEqual([])
    const emptied = await open()
    expect(await watched(site, emptied.jobs, 3)).toEqual([{ jobs: 2 }])
    expect(await subjectsIn(emptied)).toEqual(['a', 'm'])
    expect(await lostJobs({ ...site, jobs: emptied.jobs }, never)).toEqual([])
    // The next start finds the queue that it knows.
    expect(await watched(site, emptied.jobs, 2)).toEqual([])
  })

  it('is queued again where another site has begun the queue, and that is said', async () => {
    const site = await siteWithWork()
    await watched(site, site.jobs, 1)
    const words: string[] = []
    const log = { warn: (_: object, message: string): void => void words.push(message) }
    const watch = await startQueueWatch({ ...site, log, everyMs: 5 })
    await site.jobs.begin(null)
    await expect.poll(() => words).toEqual([expect.stringMatching(/another site works on it .*NAMESPACE/)])
    await watch.stop()
  })

  it('is queued again after a failure in between', async () => {
    const site = await siteWithWork()
    await watched(site, site.jobs, 1)
    const emptied = await open()
    let failures = 2
    const shaky = {
      ...emptied.jobs,
      enqueue: async (jobs: Parameters<typeof emptied.jobs.enqueue>[0]) => {
        failures -= 1
        if (failures >= 0) throw new Error('away')
        await emptied.jobs.enqueue(jobs)
      },
    }
    const words: string[] = []
    const log = { warn: (_: object, message: string): void => void words.push(message) }
    const watch = await startQueueWatch({ ...site, jobs: shaky, log, everyMs: 5 })
    await expect
      .poll(() => words)
      .toEqual([expect.stringContaining('cannot be looked at'), expect.stringContaining('lost what it held')])
    await watch.stop()
    expect(await subjectsIn(emptied)).toEqual(['a', 'm'])
  })

  it('is queued again where a job is lost while the others are queued', async () => {
    const site = await siteWithWork()
    await watched(site, site.jobs, 1)
    const emptied = await open()
    let isLost = false
    const losing = {
      ...emptied.jobs,
      enqueue: async (jobs: Parameters<typeof emptied.jobs.enqueue>[0]) => {
        await emptied.jobs.enqueue(jobs)
        // As a worker does that meets one.
        if (!isLost) await emptied.effects.replace('queue-life', 'done', 'gone')
        isLost = true
      },
    }
    expect(await watched(site, losing, 3)).toEqual([{ jobs: 2 }, { jobs: 2 }])
  })

  it('is queued again where the queue is put back from an older copy, also when more was queued on that', async () => {
    const site = await open()
    const folder = newFolder()
    const queue = await open(folder)
    const work = async ({ jobs }: Embedded, hash: string): Promise<void> => {
      const reactor = startReactor({ ...site, jobs, reactions, log: quiet })
      await upload(site, hash)
      await expect.poll(async () => (await jobs.find(await jobOf(site, hash))) !== null).toBe(true)
      await reactor.stop()
    }
    expect(await watched(site, queue.jobs, 1)).toEqual([])
    await work(queue, 'a')
    const copied = newFolder()
    await queue.close()
    cpSync(folder, copied, { recursive: true })
    const later = await open(folder)
    await work(later, 'b')
    expect(await watched(site, later.jobs, 2)).toEqual([])

    const older = await open(copied)
    expect(await subjectsIn(older)).toEqual(['a'])
    // Whoever queues on it before it was looked at leaves the gap to be seen.
    await work(older, 'c')
    expect(await watched(site, older.jobs, 2)).toEqual([{ jobs: 3 }])
    expect(await subjectsIn(older)).toEqual(['a', 'b', 'c'])
    await work(older, 'd')
    expect(await watched(site, older.jobs, 2)).toEqual([])
  })

  it('is not taken for lost where an earlier version noted no place, which is noted now', async () => {
    const site = await siteWithWork()
    await site.effects.replace('queue-life', 'done', 'a word')
    await site.effects.replace('queue-life-seen', 'done', 'a word')
    expect(await site.jobs.memory()).toEqual({ life: 'a word', queued: null })
    expect(await watched(site, site.jobs, 2)).toEqual([])
    const place = await site.checkpoints.load(reactorCheckpoint)
    expect(await site.jobs.memory()).toMatchObject({ queued: place })
  })

  it('is not taken for lost where the log was brought from elsewhere and the reactor set behind it', async () => {
    const site = await siteWithWork()
    expect(await watched(site, site.jobs, 1)).toEqual([])
    await write(site, 'n')
    await moveReactorToHead(site)
    expect(await watched(site, site.jobs, 2)).toEqual([])
  })

  it('is nothing where a queue is looked at for the first time', async () => {
    const site = await siteWithWork()
    const other = await open()
    expect(await watched(site, other.jobs, 2)).toEqual([])
    expect(await subjectsIn(other)).toEqual([])
  })
})

describe('the work that a full queue has no room for', () => {
  it('stays in the log, holds up no other kind, and is queued when there is room', async () => {
    const site = await open()
    expect(await watched(site, site.jobs, 1)).toEqual([])
    const hashes = Array.from({ length: 7 }, (_, n) => `image ${n}`)
    for (const hash of hashes.slice(0, 4)) await upload(site, hash)
    const first = startReactor({ ...site, reactions, log: quiet, mostOpen: 4 })
    await expect.poll(() => site.jobs.open()).toEqual({ 'process-image': 4 })
    for (const hash of hashes.slice(4)) {
      await upload(site, hash)
      // Each by itself: what was left before is not forgotten for what is left now.
      await expect.poll(async () => (await leftWork(site.effects))?.to).toBe(await site.eventStore.head())
    }
    await write(site, 'm')
    await expect.poll(() => site.jobs.open()).toEqual({ 'process-image': 4, 'mail-enquiry': 1 })
    await first.stop()
    // A full queue takes nothing up, and nothing of it is lost.
    expect(await watched(site, site.jobs, 2, 4)).toEqual([])
    expect(await site.jobs.open()).toEqual({ 'process-image': 4, 'mail-enquiry': 1 })
    expect(await lostJobs(site, never)).toEqual([])
    await work(site)
    expect(await watched(site, site.jobs, 2, 4)).toEqual([])
    await untilIdle(site.jobs)
    expect(await done(site)).toEqual([...hashes, 'm'])
    expect(await leftWork(site.effects)).toBeNull()
  })

  it('is taken up where it stopped when that is interrupted', async () => {
    const site = await open()
    expect(await watched(site, site.jobs, 1)).toEqual([])
    const reactor = startReactor({ ...site, reactions, log: quiet, mostOpen: 1 })
    for (const hash of ['a', 'b', 'c']) await upload(site, hash)
    await expect.poll(async () => (await leftWork(site.effects))?.to).toBe(await site.eventStore.head())
    await reactor.stop()
    await work(site)
    let failures = 2
    const shaky = {
      ...site.jobs,
      enqueue: async (jobs: Parameters<typeof site.jobs.enqueue>[0]) => {
        failures -= 1
        if (failures >= 0) throw new Error('away')
        await site.jobs.enqueue(jobs)
      },
    }
    expect(await watched(site, shaky, 4)).toEqual([{ err: new Error('away') }])
    await untilIdle(site.jobs)
    expect(await done(site)).toEqual(['a', 'b', 'c'])
  })

  it('is not forgotten when it is left while what was left before is taken up', async () => {
    const site = await open()
    expect(await watched(site, site.jobs, 1)).toEqual([])
    const reactor = startReactor({ ...site, reactions, log: quiet, mostOpen: 0 })
    await upload(site, 'a')
    await expect.poll(async () => (await leftWork(site.effects))?.to).toBe(await site.eventStore.head())
    const eventStore = {
      ...site.eventStore,
      readAll: async (...asked: Parameters<typeof site.eventStore.readAll>) => {
        await upload(site, 'b')
        await expect.poll(async () => (await leftWork(site.effects))?.to).toBe(await site.eventStore.head())
        return site.eventStore.readAll(...asked)
      },
    }
    await takeUpLeft({ ...site, eventStore, reactions, log: quiet }, never)
    await reactor.stop()
    expect((await leftWork(site.effects))?.to).toBe(await site.eventStore.head())
  })

  it('is nothing any more where the log was brought from elsewhere', async () => {
    const site = await open()
    const reactor = startReactor({ ...site, reactions, log: quiet, mostOpen: 0 })
    await upload(site, 'a')
    await expect.poll(() => leftWork(site.effects)).not.toBeNull()
    await reactor.stop()
    await moveReactorToHead(site)
    expect(await leftWork(site.effects)).toBeNull()
  })

  it('is left anew in a shorter log that stands where what was left of a longer one was taken up', async () => {
    const [site, shorter] = [await open(), await open()]
    const first = startReactor({ ...site, reactions, log: quiet, mostOpen: 0 })
    for (const hash of ['a', 'b', 'c']) await upload(site, hash)
    await expect.poll(async () => (await leftWork(site.effects))?.to).toBe(await site.eventStore.head())
    await first.stop()
    await takeUpLeft({ ...site, reactions, log: quiet }, never)
    expect(await leftWork(site.effects)).toBeNull()
    const taken = { ...site, eventStore: shorter.eventStore, checkpoints: shorter.checkpoints }
    await moveReactorToHead(taken)
    const second = startReactor({ ...taken, reactions, log: quiet, mostOpen: 0 })
    await upload(shorter, 'd')
    await expect.poll(async () => (await leftWork(site.effects))?.to).toBe(await shorter.eventStore.head())
    await second.stop()
  })
})

describe('the work of a queue that lost more than it has room for', () => {
  const hashes = Array.from({ length: 7 }, (_, n) => `image ${n}`)
  const fail = async ({ eventStore }: Embedded, hash: string): Promise<void> => {
    await createExecutor(eventStore).execute({
      ...imageAggregate(hash),
      command: { type: 'RecordProcessingFailed', hash, reason: 'broken' },
      context: ownerCommand(),
      expectedVersion: null,
    })
  }
  /** Looks until nothing waits for room, while a worker works. */
  const allQueued = async (site: Embedded, { jobs }: Embedded): Promise<void> => {
    const look = async () => {
      expect(await watched(site, jobs, 1, 4)).toEqual([])
      return anewUpTo(site.effects)
    }
    await expect.poll(look).toBeNull()
    await untilIdle(jobs)
  }
  /** A site whose queue was emptied, with seven images and then a message to be gone on with. */
  const siteThatLost = async (): Promise<{ readonly site: Embedded; readonly emptied: Embedded }> => {
    const site = await open()
    expect(await watched(site, site.jobs, 1)).toEqual([])
    const reactor = startReactor({ ...site, reactions, log: quiet })
    for (const hash of hashes) await upload(site, hash)
    await write(site, 'm')
    await expect.poll(() => site.jobs.open()).toEqual({ 'process-image': 7, 'mail-enquiry': 1 })
    await reactor.stop()
    return { site, emptied: await open() }
  }

  it('comes as there is room, holds up no other kind, and none that ended meanwhile is done again', async () => {
    const { site, emptied } = await siteThatLost()
    expect(await watched(site, emptied.jobs, 3, 4)).toEqual([{ jobs: 8 }])
    expect(await subjectsIn(emptied)).toEqual(['image 0', 'image 1', 'm'])
    expect(await lostJobs({ ...site, jobs: emptied.jobs }, never)).toEqual([])
    await fail(site, 'image 3')
    await work(emptied)
    await allQueued(site, emptied)
    expect(await done(emptied)).toEqual([...hashes.filter((hash) => hash !== 'image 3'), 'm'])
  })

  it('comes again where that is lost, too', async () => {
    const { site, emptied } = await siteThatLost()
    await watched(site, emptied.jobs, 2, 4)
    const next = await open()
    expect(await watched(site, next.jobs, 2, 4)).toEqual([{ jobs: 8 }])
    expect(await subjectsIn(next)).toEqual(['image 0', 'image 1', 'm'])
  })

  it('goes on where it stopped when that is interrupted', async () => {
    const { site, emptied } = await siteThatLost()
    await watched(site, emptied.jobs, 1, 4)
    await work(emptied)
    let failures = 2
    const shaky: typeof emptied.jobs = {
      ...emptied.jobs,
      enqueue: async (jobs) => {
        failures -= 1
        if (failures >= 0) throw new Error('away')
        await emptied.jobs.enqueue(jobs)
      },
    }
    expect(await watched(site, shaky, 3, 4)).toEqual([{ err: new Error('away') }])
    await allQueued(site, emptied)
    expect(await done(emptied)).toEqual([...hashes, 'm'])
  })

  it('is nothing any more where the log was brought from elsewhere', async () => {
    const { site, emptied } = await siteThatLost()
    await watched(site, emptied.jobs, 1, 4)
    await moveReactorToHead({ ...site, jobs: emptied.jobs })
    await work(emptied)
    expect(await watched(site, emptied.jobs, 3, 4)).toEqual([])
    expect(await done(emptied)).toEqual(['image 0', 'image 1', 'm'])
  })
})

describe('jobs that nobody does', () => {
  it('are those of pictures and letters that the queue does not know', async () => {
    const site = await siteWithWork()
    expect(await lostJobs(site, never)).toEqual([])
    const { jobs } = await open()
    expect((await lostJobs({ ...site, jobs }, never)).map(({ name, data }) => [name, data])).toEqual([
      ['process-image', expect.objectContaining({ hash: 'a' })],
      ['mail-enquiry', expect.objectContaining({ messageId: 'm' })],
    ])
  })

  it('are not those that ended where the reactor has not noted to have been', async () => {
    const site = await siteWithWork()
    await createExecutor(site.eventStore).execute({
      ...messageAggregate('m'),
      command: { type: 'RecordMailSkipped' },
      context: ownerCommand(),
      expectedVersion: null,
    })
    const { jobs } = await open()
    expect((await lostJobs({ ...site, jobs }, never)).map(({ name }) => name)).toEqual(['process-image'])
  })

  it('are not those that end while they are looked for, and are forgotten at once', async () => {
    const site = await siteWithWork()
    const find: typeof site.jobs.find = async () => {
      await createExecutor(site.eventStore).execute({
        ...messageAggregate('m'),
        command: { type: 'RecordMailSkipped' },
        context: ownerCommand(),
        expectedVersion: null,
      })
      return null
    }
    expect((await lostJobs({ ...site, jobs: { find } }, never)).map(({ name }) => name)).toEqual([
      'process-image',
    ])
  })

  it('are not those that the reactor has yet to come to', async () => {
    const site = await siteWithWork()
    await upload(site, 'b')
    expect(await lostJobs(site, never)).toEqual([])
    expect(await unfinishedIn(site)).toHaveLength(3)
  })
})
