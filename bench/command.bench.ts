import { join } from 'node:path'
import { Client, type Dispatcher, Pool } from 'undici'
import {
  bareServer,
  eventText,
  groupCommitRate,
  httpRoundTripTimes,
  sqliteAppendTimes,
  withFolder,
} from './floors.ts'
import { type Gallery, startGallery } from './gallery.ts'
import { median, perSecond, quantile, timesOf } from './measure.ts'
import { type Bench, type Row, row } from './row.ts'

const works = 200
const rounds = 5
const oneByOne = 400
const together = 1_600
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

/** Sends price after price; the number of the run makes each price a new one. */
const pricesOf = (gallery: Gallery) => {
  let sentSoFar = 0
  return {
    next: (dispatcher: Dispatcher): Promise<string> => {
      sentSoFar += 1
      return setPrice(gallery, dispatcher, sentSoFar)
    },
    check: (): Promise<void> => checkVisible(gallery, sentSoFar),
  }
}

const measure = async (gallery: Gallery, folder: string): Promise<Row[]> => {
  const echo = await bareServer('echo')
  const committing = await bareServer('commit', join(folder, 'bare.db'))
  const client = new Client(gallery.site.url)
  const pool = new Pool(gallery.site.url, { connections: atOnce })
  const barePool = new Pool(committing.url, { connections: atOnce })
  const prices = pricesOf(gallery)
  const bareCommit = (): Promise<string> => sent(barePool, '/', {}, eventText)
  const durable: number[] = []
  const roundTrip: number[] = []
  const times: number[] = []
  const rates: number[] = []
  const bareRates: number[] = []
  const grouped: number[] = []
  try {
    await timesOf(oneByOne, () => prices.next(client))
    await perSecond(together, atOnce, () => prices.next(pool))
    await perSecond(together, atOnce, bareCommit)
    // In turns, so that what else the disk and the machine do falls on all alike.
    for (let round = 0; round < rounds; round += 1) {
      durable.push(...(await sqliteAppendTimes(folder, oneByOne)))
      roundTrip.push(...(await httpRoundTripTimes(echo, eventText, oneByOne)))
      times.push(...(await timesOf(oneByOne, () => prices.next(client))))
      await prices.check()
      rates.push(await perSecond(together, atOnce, () => prices.next(pool)))
      await prices.check()
      bareRates.push(await perSecond(together, atOnce, bareCommit))
      grouped.push(await groupCommitRate(folder, atOnce, together))
    }
  } finally {
    await Promise.all([client.close(), pool.close(), barePool.close()])
    await Promise.all([echo.stop(), committing.stop()])
  }
  return [
    row('price put and visible, one by one, p50', median(times), 'ms', {
      floor: { what: 'bare append + bare round trip', value: median(durable) + median(roundTrip) },
      aim: { atMost: 2.5 },
    }),
    row('price put and visible, one by one, p99', quantile(times, 0.99), 'ms'),
    row(`prices put and visible, ${atOnce} at once`, median(rates), '/s', {
      floor: { what: 'group commit behind bare HTTP', value: median(bareRates) },
      aim: { atLeast: 0.5 },
    }),
    row('the same beside group commit without HTTP', median(rates), '/s', {
      floor: { what: 'group commit in process', value: median(grouped) },
    }),
  ]
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
