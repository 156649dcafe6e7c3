import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { openEmbedded } from './testing/open-embedded.ts'
import { seeded } from '../testing/seeded.ts'
import { countsView, type BatchMark } from './testing/writing-process.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const clock = { now: () => new Date(), newId: () => crypto.randomUUID() }

/** Set CRASH_SEED to repeat a run; the seed stands in the name of each round. */
const crashSeed = Number(process.env['CRASH_SEED'] ?? 20_260_321)
const rounds = 4

describe('kill -9 in the middle of concurrent appends', () => {
  let dataDir: string
  const acknowledged: string[] = []
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'atelier-crash-'))
  })
  afterAll(async () => rm(dataDir, { recursive: true }))

  /** Lets the process write until so many appends are acknowledged, then kills it in mid-flight. */
  const writeAndKill = async (acknowledgements: number): Promise<void> => {
    const program = join(import.meta.dirname, 'testing', 'writing-process.ts')
    const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    let seen = 0
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.push(...(JSON.parse(line) as string[])) // a list of ids, as the process writes it
      seen += 1
      if (seen === acknowledgements) child.kill('SIGKILL')
    }
    const [, signal] = await ended
    expect(signal).toBe('SIGKILL')
    expect(seen).toBeGreaterThanOrEqual(acknowledgements)
  }

  const markOf = (event: RecordedEvent): BatchMark => event.data as unknown as BatchMark // as the process writes it

  it.each(
    Array.from({ length: rounds }, (_, round) => [
      round,
      1 + Math.floor(seeded(crashSeed + round)() * 1_500),
    ]),
  )(`loses nothing and leaves no half (seed ${crashSeed}, round %i, killed after %i)`, async (_, moment) => {
    await writeAndKill(moment)
    const { eventStore, documents, close } = await openEmbedded({ dataDir, secret: null, clock, log: silent })
    const events = await eventStore.readAll(null, 1_000_000)

    const there = new Set(events.map((event) => event.id))
    expect(acknowledged.filter((id) => !there.has(id))).toEqual([])

    const batches = Map.groupBy(events, (event) => markOf(event).batch)
    expect(
      [...batches.values()].filter(([first, ...rest]) => !first || rest.length + 1 !== markOf(first).of),
    ).toEqual([])

    const streams = Map.groupBy(events, (event) => event.stream)
    for (const list of streams.values())
      expect(list.map((event) => event.revision)).toEqual(list.map((_event, at) => at))

    // documents and checkpoint stand at the same place, wherever that is
    const [checkpoint] = await documents.checkpoints([countsView])
    const counts = await documents.find<{ id: string; count: number }>(countsView, {})
    const expected = [...streams].flatMap(([id, list]) => {
      const count = list.filter((event) => checkpoint && event.position <= checkpoint).length
      return count === 0 ? [] : [{ id, count }]
    })
    expect(counts).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    await close()
  })

  it('was killed while much was on its way', () => {
    expect(acknowledged.length).toBeGreaterThan(100)
  })
})
