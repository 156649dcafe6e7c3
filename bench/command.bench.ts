import { join } from 'node:path'
import { Client, type Dispatcher, Pool } from 'undici'
import {
  bareServer,
  eventText,
  groupCommitRate,
  httpRoundTripTime,
  sqliteAppendTime,
  withFolder,
} from './floors.ts'
import { type Gallery, startGallery } from './gallery.ts'
import { median, perSecond, quantile, timesOf } from './measure.ts'
import { type Bench, type Row, row } from './row.ts'

const works = 200
const oneByOne = 2_000
const together = 6_000
const atOnce = 32

const sent = async (
  dispatcher: Dispatcher,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<string> => {
  const answer = await dispatcher.request({ origin: '', path, method: 'PUT', headers, body })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`PUT ${path}: ${answer.statusCode} ${text}`)
  return text
}

/** A new price for one of the works: answered means that the read model shows it. */
const setPrice = (gallery: Gallery, dispatcher: Dispatcher, run: number): Promise<string> => {
  const headers = { cookie: gallery.cookie, 'content-type': 'application/json' }
  const id = gallery.ids[run % works] ?? ''
  return sent(dispatcher, `/api/artworks/${id}`, headers, JSON.stringify({ price: 20_000 + run }))
}

/** Proves, outside the measured time, that the last prices are what a visitor gets. @throws when one is not */
const checkVisible = async (gallery: Gallery, lastRun: number): Promise<void> => {
  const answer = await fetch(`${gallery.site.url}/api/artworks`)
  // The public list of the site under test; a price that differs is the error this looks for.
  const list = (await answer.json()) as { id: string; price: number }[]
  const prices = new Map(list.map((work) => [work.id, work.price]))
  for (let run = lastRun - works + 1; run <= lastRun; run += 1) {
    const shown = prices.get(gallery.ids[run % works] ?? '')
    if (shown !== 20_000 + run)
      throw new Error(`A changed price is not visible: ${shown} instead of ${20_000 + run}`)
  }
}

/** The same number of bodies put at once to a bare server that commits what waits together. */
const bareTogether = async (folder: string): Promise<number> => {
  const server = await bareServer('commit', join(folder, 'bare.db'))
  const pool = new Pool(server.url, { connections: atOnce })
  try {
    const put = (): Promise<string> => sent(pool, '/', {}, eventText)
    await perSecond(together / 4, atOnce, put)
    return await perSecond(together, atOnce, put)
  } finally {
    await pool.close()
    await server.stop()
  }
}

const measure = async (gallery: Gallery, folder: string): Promise<Row[]> => {
  const client = new Client(gallery.site.url)
  const pool = new Pool(gallery.site.url, { connections: atOnce })
  try {
    await timesOf(oneByOne / 4, (run) => setPrice(gallery, client, run))
    const durable = await sqliteAppendTime(folder)
    const roundTrip = await httpRoundTripTime(eventText)
    const start = oneByOne
    const times = await timesOf(oneByOne, (run) => setPrice(gallery, client, start + run))
    await checkVisible(gallery, start + oneByOne - 1)

    const grouped = await groupCommitRate(folder, atOnce)
    const bare = await bareTogether(folder)
    const next = start + oneByOne
    await perSecond(together / 4, atOnce, (run) => setPrice(gallery, pool, next + run))
    const later = next + together / 4
    const rate = await perSecond(together, atOnce, (run) => setPrice(gallery, pool, later + run))
    await checkVisible(gallery, later + together - 1)

    return [
      row('price put and visible, one by one, p50', median(times), 'ms', {
        floor: { what: 'bare append + bare round trip', value: durable + roundTrip },
        aim: { atMost: 2.5 },
      }),
      row('price put and visible, one by one, p99', quantile(times, 0.99), 'ms'),
      row(`prices put and visible, ${atOnce} at once`, rate, '/s', {
        floor: { what: 'group commit behind bare HTTP', value: bare },
        aim: { atLeast: 0.5 },
      }),
      row('the same beside group commit without HTTP', rate, '/s', {
        floor: { what: 'group commit in process', value: grouped },
      }),
    ]
  } finally {
    await client.close()
    await pool.close()
  }
}

const bench: Bench = {
  name: `A command through HTTP to the visible read model (${works} works)`,
  run: () =>
    withFolder(async (folder) => {
      const gallery = await startGallery(works)
      try {
        return await measure(gallery, folder)
      } finally {
        await gallery.site.stop()
      }
    }),
}
export default bench
