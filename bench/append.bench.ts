import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { NewEvent } from '#application/ports/event-store.ts'
import { openDatabase } from '#infrastructure/embedded/database.ts'
import { openEventStore } from '#infrastructure/embedded/event-store.ts'
import { fdatasyncTime, groupCommitRate, sqliteAppendTime, withFolder } from './floors.ts'
import { median, perSecond, timesOf } from './measure.ts'
import { type Bench, row } from './row.ts'

/** @returns an event of usual size (about 350 bytes of data and meta) with an id of its own */
export const priceChanged = (from: number, to: number): NewEvent => {
  const commandId = randomUUID()
  return {
    id: randomUUID(),
    type: 'ArtworkPriceChanged',
    schemaVersion: 1,
    occurredAt: new Date().toISOString(),
    meta: {
      commandId,
      correlationId: randomUUID(),
      causationId: commandId,
      actor: { kind: 'owner', accountId: randomUUID() },
    },
    data: { from, to },
  }
}

const runs = 2_000
const atOnce = 64

/** Acknowledged appends to the embedded log, one after the other and many at once. */
const bench: Bench = {
  name: 'Durable appends to the embedded log',
  run: () =>
    withFolder(async (folder) => {
      const fdatasync = await fdatasyncTime(folder, runs)
      const insert = await sqliteAppendTime(folder, runs)
      const grouped = await groupCommitRate(folder, atOnce)
      const database = openDatabase(join(folder, 'atelier.db'))
      const log = openEventStore(database)
      const append = (run: number): Promise<unknown> =>
        log.append(`artwork-${run}`, 'no-stream', [priceChanged(1, 2)])
      // Warm: the first runs compile statements and code.
      await timesOf(200, (run) => append(-1 - run))
      const times = await timesOf(runs, append)
      const together = await perSecond(runs * 5, atOnce, (run) => append(runs + run))
      const tail = await timesOf(runs, (run) => log.append(`artwork-${run}`, 0, [priceChanged(2, 3)]))
      const againFdatasync = await fdatasyncTime(folder, runs)
      await log.close()
      database.close()

      // The disk's own pace drifts: the floor is what it gave before and after.
      const floor = { what: 'bare fdatasync', value: (fdatasync + againFdatasync) / 2 }
      return [
        row('append, p50', median(times), 'ms', { floor, aim: { atMost: 1.5 } }),
        row('append to a stream that is there, p50', median(tail), 'ms', { floor, aim: { atMost: 1.5 } }),
        row('append beside one bare insert, p50', median(times), 'ms', {
          floor: { what: 'SQLite', value: insert },
        }),
        row('appends one after the other', 1000 / median(times), '/s'),
        row(`appends, ${atOnce} at once`, together, '/s', {
          floor: { what: 'bare group commit', value: grouped },
        }),
      ]
    }),
}
export default bench
