import { join } from 'node:path'
import { openDatabase } from '#infrastructure/embedded/database.ts'
import { openEventStore } from '#infrastructure/embedded/event-store.ts'
import { priceChanged } from './envelope.ts'
import { fdatasyncTimes, groupCommitRate, sqliteAppendTimes, withFolder } from './floors.ts'
import { median, perSecond, timesOf } from './measure.ts'
import { type Bench, row } from './row.ts'

const rounds = 10
const perRound = 200
const atOnce = 64

/** Acknowledged appends to the embedded log, one after the other and many at once. */
const bench: Bench = {
  name: 'Durable appends to the embedded log',
  run: () =>
    withFolder(async (folder) => {
      const database = openDatabase(join(folder, 'atelier.db'))
      const log = openEventStore(database)
      let stream = 0
      const append = (): Promise<unknown> => {
        stream += 1
        return log.append(`artwork-${stream}`, 'no-stream', [priceChanged(1, 2)])
      }
      // Warm: the first runs compile statements and code.
      await timesOf(perRound, append)

      const fresh: number[] = []
      const further: number[] = []
      const fdatasync: number[] = []
      const insert: number[] = []
      const together: number[] = []
      const grouped: number[] = []
      // In turns, so that what else the disk and the machine do falls on all alike.
      for (let round = 0; round < rounds; round += 1) {
        fdatasync.push(...(await fdatasyncTimes(folder, perRound)))
        fresh.push(...(await timesOf(perRound, append)))
        insert.push(...(await sqliteAppendTimes(folder, perRound)))
        const revision = (run: number): number => round * perRound + run
        const next = (run: number): Promise<unknown> =>
          log.append('artwork-again', revision(run) === 0 ? 'no-stream' : revision(run) - 1, [
            priceChanged(2, 3),
          ])
        further.push(...(await timesOf(perRound, next)))
        together.push(await perSecond(perRound * 5, atOnce, append))
        grouped.push(await groupCommitRate(folder, atOnce, perRound * 5))
      }
      await log.close()
      database.close()

      const floor = { what: 'bare fdatasync', value: median(fdatasync) }
      const aim = { atMost: 1.5 }
      return [
        row('append, p50', median(fresh), 'ms', { floor, aim }),
        row('append to a stream that is there, p50', median(further), 'ms', { floor, aim }),
        row('append beside a bare insert, p50', median(fresh), 'ms', {
          floor: { what: 'SQLite', value: median(insert) },
        }),
        row('appends one after the other', 1000 / median(fresh), '/s'),
        row(`appends, ${atOnce} at once`, median(together), '/s', {
          floor: { what: 'bare group commit', value: median(grouped) },
        }),
      ]
    }),
}
export default bench
