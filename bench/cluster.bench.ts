import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client, Pool } from 'undici'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { EventStore } from '#application/kernel/ports/event-store.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { openEventStore as openServerLog } from '#infrastructure/cluster/eventstore/event-store.ts'
import { openMongo } from '#infrastructure/cluster/mongodb/open.ts'
import { openDatabase } from '#infrastructure/embedded/database.ts'
import { openDocuments } from '#infrastructure/embedded/documents.ts'
import { openEventStore } from '#infrastructure/embedded/event-store.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { allProjections } from '#projections/all-projections.ts'
import { artworksProjection } from '#projections/artworks/artworks-view.ts'
import { chainRows } from './chain.ts'
import { priceChanged } from './envelope.ts'
import { withFolder } from './floors.ts'
import { type Gallery, startGallery } from './gallery.ts'
import { eventOf, replayRate, untilCleared } from './history.ts'
import { getsPerSecond } from './load.ts'
import { median, perSecond, quantile, timesOf } from './measure.ts'
import { pricesOf, artworks } from './prices.ts'
import { type Bench, type Row, row } from './row.ts'
import { missingServers, servers } from './servers.ts'

const rounds = 3
const log = createLog('silent')
const secret = 'a secret that is only used by the benches'

/** The engines that are measured, beside the embedded ones in a folder. */
interface Pair {
  readonly log: EventStore
  readonly documents: Documents
  readonly embeddedLog: EventStore
  readonly embeddedDocuments: Documents
  readonly cleared: () => Promise<void>
}

const address = (name: keyof typeof servers): string => servers[name] ?? ''

const appends = async ({ log: serverLog, embeddedLog }: Pair): Promise<Row[]> => {
  const append = (to: EventStore): Promise<unknown> =>
    to.append(`artwork-${randomUUID()}`, 'no-stream', [priceChanged(1, 2)])
  const times = { server: [] as number[], embedded: [] as number[] }
  const rates = { server: [] as number[], embedded: [] as number[] }
  const atOnce = 64
  await timesOf(100, () => append(serverLog))
  await timesOf(100, () => append(embeddedLog))
  // In turns, so that what else the machine does falls on both alike.
  for (let round = 0; round < rounds; round += 1) {
    times.server.push(...(await timesOf(200, () => append(serverLog))))
    times.embedded.push(...(await timesOf(200, () => append(embeddedLog))))
    rates.server.push(await perSecond(1_000, atOnce, () => append(serverLog)))
    rates.embedded.push(await perSecond(1_000, atOnce, () => append(embeddedLog)))
  }
  return [
    row('append, one by one, p50', median(times.server), 'ms', {
      floor: { what: 'embedded', value: median(times.embedded) },
    }),
    row(`appends, ${atOnce} at once`, median(rates.server), '/s', {
      floor: { what: 'embedded', value: median(rates.embedded) },
    }),
  ]
}

const streams = 1_000
const perStream = 100
const events = streams * perStream

const replays = async ({
  log: serverLog,
  documents,
  embeddedLog,
  embeddedDocuments,
  cleared,
}: Pair): Promise<Row[]> => {
  const ids = Array.from({ length: streams }, () => randomUUID())
  for (const to of [serverLog, embeddedLog]) {
    const before = await to.head()
    if (before !== null) throw new Error('The log is not empty')
    await perSecond(streams, 16, (stream) => {
      const history = Array.from({ length: perStream }, (_, number) => eventOf(stream, number))
      return to.append(`artwork-${ids[stream]}`, 'no-stream', history)
    })
  }
  const only = allProjections.filter(({ view }) => view.name === artworksProjection.view.name)
  const server = { log: serverLog, documents, events }
  const embedded = { log: embeddedLog, documents: embeddedDocuments, events, cleared }
  const rate = await replayRate(server, only)
  const floor = { what: 'embedded', value: await replayRate(embedded, only) }
  const together = await replayRate(server, allProjections)
  const embeddedTogether = await replayRate(embedded, allProjections)
  const rows = [
    row('replay into the artworks view', rate, '/s', { aim: { atLeast: 20_000 } }),
    row('the same, beside the embedded engines', rate, '/s', { floor }),
    row(`replay into all ${allProjections.length} views`, together, '/s', {
      floor: { what: 'embedded', value: embeddedTogether },
    }),
    row('the same, by the second', together, '/s', { aim: { atLeast: 20_000 } }),
  ]
  const shown = await documents.count(artworksProjection.view, { state: 'present' })
  if (shown !== streams) throw new Error(`${shown} works are shown after the replay, not ${streams}`)
  return rows
}

/** Seconds in which processes replay the log, each into its own views. */
const secondsOf = async (
  spaces: readonly [log: string, views: string],
  shares: readonly (readonly string[])[],
): Promise<number> => {
  const processes = shares.map((names) =>
    fork(join(import.meta.dirname, 'replaying-process.ts'), [
      address('EVENTSTORE_URL'),
      address('MONGODB_URL'),
      ...spaces,
      ...names,
    ]),
  )
  try {
    await Promise.all(processes.map((each) => once(each, 'message')))
    const begun = performance.now()
    const done = processes.map((each) => once(each, 'message'))
    for (const each of processes) each.send('begin')
    await Promise.all(done)
    return (performance.now() - begun) / 1000
  } finally {
    for (const each of processes) each.kill()
  }
}

/** All views by one process and by two, divided as they divide them (`projections/runtime/division.ts`). */
const dividedReplays = async (spaces: readonly [log: string, views: string]): Promise<Row[]> => {
  const names = allProjections.map(({ view }) => view.name)
  const half = Math.ceil(names.length / 2)
  const one = events / (await secondsOf(spaces, [names]))
  const two = events / (await secondsOf(spaces, [names.slice(0, half), names.slice(half)]))
  return [
    row('replay into all views by two processes', two, '/s', {
      floor: { what: 'by one process', value: one },
      aim: { atLeast: 1.6 },
    }),
  ]
}

const commands = async (server: Gallery, embedded: Gallery): Promise<Row[]> => {
  const atOnce = 32
  const oneByOne = 100
  const sides = [server, embedded].map((gallery) => ({
    prices: pricesOf(gallery),
    client: new Client(gallery.site.url),
    pool: new Pool(gallery.site.url, { connections: atOnce }),
    times: [] as number[],
    rates: [] as number[],
  }))
  for (let round = 0; round < rounds; round += 1) {
    for (const { prices, client, pool, times, rates } of sides) {
      const taken = await timesOf(oneByOne, () => prices.next(client))
      const rate = await perSecond(3 * oneByOne, atOnce, () => prices.next(pool))
      await prices.check()
      // the first round warms
      if (round === 0) continue
      times.push(...taken)
      rates.push(rate)
    }
  }
  await Promise.all(sides.flatMap(({ client, pool }) => [client.close(), pool.close()]))
  const [ours, theirs] = sides
  if (ours === undefined || theirs === undefined) throw new Error('Two sites are compared')
  const beside = (value: number) => ({ floor: { what: 'embedded', value } })
  return [
    row('price put and visible, one by one, p50', median(ours.times), 'ms', beside(median(theirs.times))),
    row(
      'price put and visible, one by one, p99',
      quantile(ours.times, 0.99),
      'ms',
      beside(quantile(theirs.times, 0.99)),
    ),
    row(`prices put and visible, ${atOnce} at once`, median(ours.rates), '/s', beside(median(theirs.rates))),
  ]
}

const lists = async (server: Gallery, embedded: Gallery): Promise<Row[]> => {
  const load = { connections: 50, seconds: 1 }
  const rows: Row[] = []
  for (const path of ['/api/artworks', '/']) {
    const rates = { server: [] as number[], embedded: [] as number[] }
    const get = ({ site }: Gallery): Promise<number> =>
      getsPerSecond(site.url, path, { 'accept-encoding': 'br' }, load)
    for (let round = 0; round < rounds; round += 1) {
      rates.server.push(await get(server))
      rates.embedded.push(await get(embedded))
    }
    const floor = { what: 'embedded', value: median(rates.embedded) }
    rows.push(row(`GET ${path} (br)`, median(rates.server), '/s', { floor }))
  }
  return rows
}

/**
 * Appends, replays, commands and lists on EventStoreDB, MongoDB and Redis, in turns with the embedded engines.
 * What it writes stays on the servers, under a namespace of its own: point it at servers for tests.
 */
const bench: Bench = {
  name: 'On EventStoreDB, MongoDB and Redis, beside the embedded engines',
  missing: missingServers,
  run: () =>
    withFolder(async (folder) => {
      const namespace = `bench-${randomUUID().slice(0, 8)}`
      const database = openDatabase(join(folder, 'atelier.db'))
      const pair = (part: string): Omit<Pair, 'documents'> => ({
        log: openServerLog({
          address: address('EVENTSTORE_URL'),
          namespace: `${namespace}-${part}`,
          log,
        }),
        embeddedLog: openEventStore(database),
        embeddedDocuments: openDocuments(database),
        cleared: () => untilCleared(database),
      })
      const mongo = await openMongo({
        url: address('MONGODB_URL'),
        namespace: `${namespace}-replay`,
        secret,
        clock: systemClock,
        log,
      })
      const rows: Row[] = []
      try {
        const replayed = { ...pair('replay'), documents: mongo.documents }
        rows.push(...(await replays(replayed)))
        await replayed.log.close()
        rows.push(...(await dividedReplays([`${namespace}-replay`, `${namespace}-replay`])))
        const appended = { ...pair('append'), documents: mongo.documents }
        rows.unshift(...(await appends(appended)))
        await appended.log.close()
      } finally {
        await mongo.close()
        database.close()
      }
      const env = { ...servers, SECRET: secret, NAMESPACE: `${namespace}-site` }
      const server = await startGallery(artworks, env)
      try {
        const embedded = await startGallery(artworks)
        try {
          const chained = await chainRows(
            { log: address('EVENTSTORE_URL'), mongo: address('MONGODB_URL') },
            server,
            { ...servers, SECRET: secret },
          )
          return [
            ...rows,
            ...chained,
            ...(await commands(server, embedded)),
            ...(await lists(server, embedded)),
          ]
        } finally {
          await embedded.site.stop()
        }
      } finally {
        await server.site.stop()
      }
    }),
}
export default bench
