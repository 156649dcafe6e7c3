/** A command on three servers beside what it cannot do without, done barely, in turns in one run. */
import { randomUUID } from 'node:crypto'
import { Client, Pool } from 'undici'
import { startSite } from '../test/support/site.ts'
import { bareChain } from './bare-chain.ts'
import { type Gallery, startGallery } from './gallery.ts'
import { median, perSecond, timesOf } from './measure.ts'
import { artworks, pricesOf } from './prices.ts'
import { type Row, row } from './row.ts'

const rounds = 4
const turns = 4
const inTurn = 25
const atOnce = 32
const together = 300

interface Side {
  readonly what: string
  readonly gallery: Gallery
  readonly prices: ReturnType<typeof pricesOf>
  readonly client: Client
  readonly pool: Pool
  readonly times: number[]
  readonly rates: number[]
}

const sideOf = (what: string, gallery: Gallery): Side => ({
  what,
  gallery,
  prices: pricesOf(gallery),
  client: new Client(gallery.site.url),
  pool: new Pool(gallery.site.url, { connections: atOnce }),
  times: [],
  rates: [],
})

/** Web, projector and worker in a process each. */
const startThree = async (env: Record<string, string>) => {
  const others = await Promise.all(
    ['projector', 'worker'].map((ROLES) =>
      startSite({ env: { ...env, ROLES }, until: '/healthz', within: 60_000 }),
    ),
  )
  const gallery = await startGallery(artworks, { ...env, ROLES: 'web' })
  return {
    gallery,
    stop: async () => {
      await gallery.site.stop()
      await Promise.all(others.map((site) => site.stop()))
    },
  }
}

/**
 * @param one a site on the servers in one process
 * @param env settings of such a site, without its namespace
 */
export const chainRows = async (
  addresses: { readonly log: string; readonly mongo: string },
  one: Gallery,
  env: Record<string, string>,
): Promise<Row[]> => {
  const chain = await bareChain(addresses, atOnce)
  const three = await startThree({ ...env, NAMESPACE: `bench-${randomUUID().slice(0, 8)}-three` })
  const sides = [sideOf('one process', one), sideOf('three processes', three.gallery)]
  const bare = { times: [] as number[], rates: [] as number[], appends: [] as number[] }
  let number = 0
  const run = (): Promise<void> => {
    number += 1
    return chain.run(number)
  }
  try {
    await timesOf(4 * inTurn, run)
    for (const { prices, client } of sides) await timesOf(4 * inTurn, () => prices.next(client))
    for (let round = 0; round < rounds; round += 1) {
      // In short turns, so that what else the machine does falls on all alike.
      for (let turn = 0; turn < turns; turn += 1) {
        bare.times.push(...(await timesOf(inTurn, run)))
        for (const { prices, client, times } of sides)
          times.push(...(await timesOf(inTurn, () => prices.next(client))))
      }
      bare.appends.push(await perSecond(2 * together, atOnce, chain.append))
      bare.rates.push(await perSecond(together, atOnce, run))
      for (const { prices, pool, rates } of sides) {
        await prices.check()
        rates.push(await perSecond(together, atOnce, () => prices.next(pool)))
        await prices.check()
      }
    }
  } finally {
    await Promise.all(sides.flatMap(({ client, pool }) => [client.close(), pool.close()]))
    await three.stop()
    await chain.close()
  }
  const barely = { what: 'the chain done barely', value: median(bare.times) }
  const appended = { what: `bare appends, ${atOnce} at once`, value: median(bare.appends) }
  return [
    ...sides.flatMap(({ what, times, rates }) => [
      row(`price put and visible, one by one, p50, ${what}`, median(times), 'ms', {
        floor: barely,
        aim: { atMost: 1.5 },
      }),
      row(`prices put and visible, ${atOnce} at once, ${what}`, median(rates), '/s', {
        floor: appended,
        aim: { atLeast: 0.2 },
      }),
    ]),
    row(`the bare chain, ${atOnce} at once`, median(bare.rates), '/s', { floor: appended }),
  ]
}
