import {
  eventText,
  fdatasyncTime,
  groupCommitRate,
  httpRoundTripTime,
  sqliteAppendTime,
  upsertRate,
  withFolder,
} from './floors.ts'
import { type Bench, row } from './row.ts'

/** What this machine gives when nothing of ours is in the way. */
const bench: Bench = {
  name: 'Floors of this machine',
  run: () =>
    withFolder(async (folder) => [
      row('bare fdatasync of one event, p50', await fdatasyncTime(folder), 'ms'),
      row('bare durable insert into SQLite, p50', await sqliteAppendTime(folder), 'ms'),
      row('bare group commit, 32 at once', await groupCommitRate(folder, 32), '/s'),
      row('bare HTTP round trip, p50', await httpRoundTripTime(eventText), 'ms'),
      row(
        'bare prepared upsert per event',
        upsertRate(folder, { events: 100_000, documents: 1_000, text: 'x'.repeat(1_000) }),
        '/s',
      ),
    ]),
}
export default bench
