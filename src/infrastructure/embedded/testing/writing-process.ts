/**
 * A process for the crash test: many writers append to few streams at once, a projection follows, until
 * somebody kills it. Every acknowledged append is told on standard output at once.
 * Arguments: the data folder.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import type { ViewDefinition } from '#application/kernel/ports/documents.ts'
import { RevisionConflict, type NewEvent, type Position } from '#application/kernel/ports/event-store.ts'
import { openEmbedded, type Embedded } from './open-embedded.ts'

/** Counts the events of each stream. */
export const countsView: ViewDefinition = { name: 'counts', version: 1, indexes: [] }

/** What stands in every event, so that a batch can be told whole from half. */
export interface BatchMark {
  readonly batch: string
  readonly of: number
}

const writers = 64
const streams = 16

const batchOf = (size: number): readonly NewEvent[] => {
  const mark = { batch: randomUUID(), of: size }
  return Array.from({ length: size }, () => ({
    id: randomUUID(),
    type: 'ArtworkPriceChanged',
    schemaVersion: 1,
    occurredAt: new Date().toISOString(),
    meta: {
      correlationId: mark.batch,
      causationId: mark.batch,
      commandId: mark.batch,
      actor: { kind: 'system', name: 'test' },
    },
    data: { ...mark },
  }))
}

/** The newest revision that anybody here saw of each stream; the next look begins there. */
const seen = new Map<string, number>()

const write = async ({ eventStore }: Embedded): Promise<never> => {
  for (;;) {
    const stream = `artwork-${randomInt(streams)}`
    const revision =
      (await eventStore.readStream(stream, seen.get(stream) ?? 0)).at(-1)?.revision ?? 'no-stream'
    if (revision !== 'no-stream') seen.set(stream, revision)
    const events = batchOf(randomInt(1, 4))
    try {
      await eventStore.append(stream, revision, events)
      // at once, not through a buffer that would die with the process
      writeSync(1, `${JSON.stringify(events.map((event) => event.id))}\n`)
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error
    }
  }
}

const project = async ({ eventStore, documents }: Embedded): Promise<void> => {
  await documents.prepare([countsView])
  let [from = null]: readonly (Position | null)[] = await documents.checkpoints([countsView])
  const { signal } = new AbortController()
  for await (const events of eventStore.subscribe(from, { limit: 100, signal })) {
    const counts = new Map<string, number>()
    for (const { stream } of events) {
      const stored = await documents.get<{ id: string; count: number }>(countsView, stream)
      counts.set(stream, (counts.get(stream) ?? stored?.count ?? 0) + 1)
    }
    const to = events.at(-1)?.position ?? from
    if (to === null) continue
    const put = [...counts].map(([id, count]) => ({ id, count }))
    await documents.write([{ view: countsView, put, remove: [], from, to }])
    from = to
  }
}

const [, , dataDir] = process.argv
if (import.meta.main && dataDir !== undefined) {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const clock = { now: () => new Date(), newId: randomUUID }
  const embedded = await openEmbedded({ dataDir, secret: null, clock, log: silent })
  await Promise.all([project(embedded), ...Array.from({ length: writers }, () => write(embedded))])
}
