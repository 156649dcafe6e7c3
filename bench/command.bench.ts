import { join } from 'node:path'
import { Client, Pool } from 'undici'
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
import { pricesOf, sent, artworks } from './prices.ts'
import { type Bench, type Row, row } from './row.ts'

const rounds = 5
const oneByOne = 400
const together = 1_600
const atOnce = 32

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
  name: `A command through HTTP to the visible read model (${artworks} works)`,
  run: () =>
    withFolder(async (folder) => {
      const gallery = await startGallery(artworks)
      try {
        return await measure(gallery, folder)
      } finally {
        await gallery.site.stop()
      }
    }),
}
export default bench
