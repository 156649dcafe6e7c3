import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CheckpointMoved, type Documents } from '#application/kernel/ports/documents.ts'
import type { EventStore } from '#application/kernel/ports/event-store.ts'
import { doorTo } from '#infrastructure/cluster/testing/door.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { connectMongo, type Mongo } from '#infrastructure/cluster/mongodb/mongo.ts'
import { openDocuments } from '#infrastructure/cluster/mongodb/documents.ts'
import { ownDatabase } from '#infrastructure/cluster/mongodb/testing/site.ts'
import { type Database, openDatabase } from '#infrastructure/embedded/database.ts'
import { openEventStore } from '#infrastructure/embedded/event-store.ts'
import { allProjections } from './all-projections.ts'
import { catchUp } from './runtime/catch-up.ts'
import { openFolds } from './runtime/fold-group.ts'
import { startProjector } from './runtime/projector.ts'
import { recorded } from './testing/history.ts'
import { payment, toArtwork, artworkAdded } from './testing/artworks.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const artworks = Array.from({ length: 12 }, () => randomUUID())

await describeOnServers('the projector on MongoDB', ['mongodb'], ({ mongodb }) => {
  const { url } = ownDatabase(mongodb.url, 'projector')
  let folder: string
  let database: Database
  let eventStore: EventStore
  let appended = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'projector-'))
    database = openDatabase(join(folder, 'atelier.db'))
    eventStore = openEventStore(database)
    for (const id of artworks) await append(artworkAdded(id))
  })
  afterAll(async () => {
    await eventStore.close()
    database.close()
    await rm(folder, { recursive: true })
  })

  const append = async (happened: Parameters<typeof recorded>[0][number]): Promise<void> => {
    const revision = (await eventStore.readStream(happened.stream, 0)).at(-1)?.revision
    for (const event of recorded([happened])) {
      appended += 1
      await eventStore.append(event.stream, revision ?? 'no-stream', [{ ...event, id: randomUUID() }])
    }
  }
  /** One more change, now of this work, now of that, now of something that touches all. */
  const change = async (): Promise<void> => {
    const id = artworks[appended % artworks.length] ?? ''
    const amount = 1_000 + appended
    if (appended % 17 === 0) await append(payment(`owner${appended}@upi`))
    else await append(toArtwork(id, { type: 'ArtworkPriceChanged', data: { from: amount - 1, to: amount } }))
  }

  const connections: Mongo[] = []
  afterAll(async () => {
    for (const each of connections) await each.close()
  })
  const process = async (namespace: string, address = url): Promise<Documents> => {
    const mongo = await connectMongo({ url: address, namespace, log: quiet })
    connections.push(mongo)
    return openDocuments(mongo)
  }
  const project = (documents: Documents) =>
    startProjector({ eventStore, documents, projections: allProjections, log: quiet })

  /** Every document of every view, as it is stored and as the log says. */
  const asTheLogSays = async (documents: Documents): Promise<void> => {
    const beside = allProjections.map((projection) => ({
      ...projection,
      view: { ...projection.view, build: 'check' },
    }))
    const group = await openFolds(documents, beside)
    await catchUp({ eventStore, group, signal: new AbortController().signal })
    const head = await eventStore.head()
    for (const [n, { view }] of allProjections.entries()) {
      const built = beside[n]?.view ?? view
      expect(await documents.checkpoints([view, built])).toEqual([head, head])
      expect([view.name, await documents.find(view, {})]).toEqual([
        view.name,
        await documents.find(built, {}),
      ])
      await documents.drop(built)
    }
  }

  it('shows what the log says also when two project at once, and one that was overtaken ends', async () => {
    const namespace = randomUUID().slice(0, 8)
    const both = [await process(namespace), await process(namespace)].map(project)
    await Promise.allSettled(both.map(({ ready }) => ready))
    for (let n = 0; n < 40; n += 1) await change()
    const reader = await process(namespace)
    // Each ends when it sees that the other was faster; who is left goes on.
    const stopped = both.map(({ ended }) => ended)
    const head = await eventStore.head()
    await expect
      .poll(async () => {
        const places = await reader.checkpoints(allProjections.map(({ view }) => view))
        const over = await Promise.race([Promise.all(stopped).then(() => true), Promise.resolve(false)])
        return over || places.every((place) => place === head)
      })
      .toBe(true)
    for (const each of both) await each.stop()
    for (const end of await Promise.all(stopped))
      if (end !== null) expect(end).toBeInstanceOf(CheckpointMoved)
    // whoever takes over goes on from what the two left
    const next = project(reader)
    await next.ready
    await next.stop()
    await asTheLogSays(reader)
  })

  it('goes on by itself whenever MongoDB is back, and shows what the log says', async () => {
    const namespace = randomUUID().slice(0, 8)
    const door = await doorTo(url)
    const projector = project(await process(namespace, door.url))
    await projector.ready
    for (let round = 0; round < 3; round += 1) {
      const writing = (async () => {
        for (let n = 0; n < 15; n += 1) await change()
      })()
      await (round === 1 ? Promise.resolve(door.freeze()) : door.shut())
      await writing
      expect((await projector.lag().catch(() => null))?.events ?? 'away').not.toBe(0)
      if (round === 1) door.thaw()
      else await door.open()
      // The driver may need a client of its own to come back (revival.ts).
      await expect
        .poll(() =>
          projector.lag().then(
            ({ events }) => events,
            () => 'away',
          ),
        )
        .toBe(0)
    }
    await projector.stop()
    expect(await projector.ended).toBeNull()
    await asTheLogSays(await process(namespace))
    await door.close()
  })
})
