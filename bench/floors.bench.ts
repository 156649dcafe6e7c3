import {
  bareServer,
  eventText,
  fdatasyncTimes,
  groupCommitRate,
  httpRoundTripTimes,
  sqliteAppendTimes,
  upsertRate,
  withFolder,
} from './floors.ts'
import { median } from './measure.ts'
import { type Bench, row } from './row.ts'

/** What this machine gives when nothing of ours is in the way. */
const bench: Bench = {
  name: 'Floors of this machine',
  run: () =>
    withFolder(async (folder) => {
      const server = await bareServer('echo')
      try {
        const upserts = { documents: 1_000, text: 'x'.repeat(1_000) }
        return [
          row('bare fdatasync of one event, p50', median(await fdatasyncTimes(folder, 1_000)), 'ms'),
          row('bare durable insert into SQLite, p50', median(await sqliteAppendTimes(folder, 1_000)), 'ms'),
          row('bare group commit, 32 at once', await groupCommitRate(folder, 32), '/s'),
          row('bare HTTP round trip, p50', median(await httpRoundTripTimes(server, eventText, 2_000)), 'ms'),
          row('bare prepared upsert per event', upsertRate(folder, 100_000, upserts), '/s'),
        ]
      } finally {
        await server.stop()
      }
    }),
}
export default bench
