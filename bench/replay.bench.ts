import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Document } from '#application/kernel/ports/documents.ts'
import type { ExpectedRevision } from '#application/kernel/ports/event-store.ts'
import { openDatabase } from '#infrastructure/embedded/database.ts'
import { openDocuments } from '#infrastructure/embedded/documents.ts'
import { openEventStore } from '#infrastructure/embedded/event-store.ts'
import { viewTable } from '#infrastructure/embedded/view-tables.ts'
import { allProjections } from '#projections/all-projections.ts'
import { artworksProjection } from '#projections/artworks/artworks-view.ts'
import { upsertRate, withFolder } from './floors.ts'
import { eventOf, replayRate, untilCleared } from './history.ts'
import { type Bench, row } from './row.ts'

const streams = 1_000
const perStream = 100
const events = streams * perStream

/** What a projector without folding would do: one upsert per event into the view's own table with its indexes. */
const indexedUpsertRate = async (folder: string, document: Document): Promise<number> => {
  const { view } = artworksProjection
  const database = openDatabase(join(folder, 'indexed.db'))
  await openDocuments(database).prepare([view])
  const table = viewTable(view)
  const upsert = database.sql(table.upsert)
  const text = JSON.stringify(document)
  const columns = table.columns(document)
  const ids = Array.from({ length: streams }, () => randomUUID())
  const start = performance.now()
  for (let number = 0; number < perStream; number += 1)
    database.transaction('relaxed', () => ids.forEach((id) => upsert.run(text, id, ...columns)))
  const rate = (events / (performance.now() - start)) * 1000
  database.close()
  return rate
}

const bench: Bench = {
  name: `Replay of ${events.toLocaleString('en-GB')} events on ${streams.toLocaleString('en-GB')} streams`,
  run: () =>
    withFolder(async (folder) => {
      const database = openDatabase(join(folder, 'atelier.db'))
      const log = openEventStore(database)
      const documents = openDocuments(database)
      const ids = Array.from({ length: streams }, () => randomUUID())
      for (let number = 0; number < perStream; number += 1) {
        const expected: ExpectedRevision = number === 0 ? 'no-stream' : number - 1
        await Promise.all(
          ids.map((id, stream) => log.append(`artwork-${id}`, expected, [eventOf(stream, number)])),
        )
      }
      const artworks = allProjections.filter(({ view }) => view.name === artworksProjection.view.name)
      const replayed = { log, documents, events, cleared: () => untilCleared(database) }
      const rate = await replayRate(replayed, artworks)
      const shown = await documents.count(artworksProjection.view, { state: 'present' })
      if (shown !== streams) throw new Error(`${shown} works are shown after the replay, not ${streams}`)
      const [document] = await documents.find(artworksProjection.view, { limit: 1 })
      if (document === undefined) throw new Error('No work is shown after the replay')
      const text = JSON.stringify(document)
      const together = await replayRate(replayed, allProjections)
      const floor = upsertRate(folder, events, { documents: streams, text })
      const indexed = await indexedUpsertRate(folder, document)
      await log.close()
      database.close()
      return [
        row('artworks view', rate, '/s', {
          floor: { what: 'one bare upsert of the document per event', value: floor },
          aim: { atLeast: 0.6 },
        }),
        row('artworks view, beside its own table', rate, '/s', {
          floor: { what: 'one upsert per event, indexes kept', value: indexed },
        }),
        row(`all ${allProjections.length} views together`, together, '/s', { aim: { atLeast: 100_000 } }),
      ]
    }),
}
export default bench
