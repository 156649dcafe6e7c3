import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach } from 'vitest'
import type {
  JobContext,
  JobHandlers,
  JobQueue,
  JobView,
  NewJob,
} from '#application/kernel/ports/job-queue.ts'

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

/** What a handler does in a test; nothing unless told. */
export interface Handling {
  readonly run?: (data: unknown, context: JobContext) => Promise<void>
  readonly backoff?: (failedAttempts: number) => number | null
  readonly afterInterruption?: (times: number) => number | null
  readonly parked?: (data: unknown, reason: string) => Promise<void>
  readonly concurrency?: number
}

const nothing = { run: async () => undefined, backoff: () => null }

/** Handlers of every kind; images are handled as told. */
export const handling = (image: Handling, rest: Handling = {}): JobHandlers =>
  ({
    'process-image': { ...nothing, ...image },
    'process-journal-image': nothing,
    'copy-artwork-picture': { ...nothing, ...rest },
    'copy-journal-pictures': nothing,
    'sync-blog': nothing,
  }) as unknown as JobHandlers // kinds that come later are not used here

/** A job nobody asked for before. */
export const image = (hash: string = randomUUID()): NewJob => ({
  id: `process-image-${hash}`,
  name: 'process-image',
  data: { hash },
})

/** One of another kind. */
export const copy = (artworkId: string = randomUUID()): NewJob => ({
  id: `copy-artwork-picture-${artworkId}`,
  name: 'copy-artwork-picture',
  data: { artworkId, sourceUrl: 'https://example.com/a.jpg' },
})

/** A job as the queue shows it. */
export const viewOf = async (jobs: JobQueue, id: string): Promise<JobView | undefined> =>
  (await jobs.find(id)) ?? undefined

/**
 * Opens a queue before each test of the suite that calls this, and clears it away afterwards.
 * @returns the end that is open now, and what opens another in its place as the next process would
 */
export const queueForEachTest = (
  place: () => Promise<QueuePlace>,
): { readonly queue: () => OpenQueue; readonly reopened: () => Promise<OpenQueue> } => {
  let here: QueuePlace
  let queue: OpenQueue
  const reopened = async (): Promise<OpenQueue> => {
    queue = await here.open()
    return queue
  }
  beforeEach(async () => {
    here = await place()
    await reopened()
  })
  afterEach(async () => {
    await queue.jobs.close(0)
    await here.clear()
  })
  return { queue: () => queue, reopened }
}
