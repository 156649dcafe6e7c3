import { neededOriginals } from '#application/images/lacking.ts'
import { neededMessageKeys } from '#application/messages/needed-keys.ts'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { StreamAppend } from '#application/kernel/ports/event-store.ts'
import { importEvents } from '#application/kernel/archive/import-events.ts'
import { backUp } from '#infrastructure/archive/backup.ts'
import { joinedKeys, readKeys } from '#infrastructure/archive/keys-file.ts'
import { readLines } from '#infrastructure/archive/lines.ts'
import { restore } from '#infrastructure/archive/restore.ts'
import { fillFile, openToRead } from '#infrastructure/archive/whole-file.ts'
import { writeEvents } from '#infrastructure/archive/write-archive.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { type Embedded, openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { priceChanged } from './envelope.ts'
import { withFolder } from './floors.ts'
import { type Bench, row } from './row.ts'

const events = 100_000
const streams = 1_000
const batch = 5_000
/** Variants and originals of about forty works. */
const files = 1_000
const fileBytes = 100_000

const signal = new AbortController().signal
const secret = 'a secret for a bench that nobody keeps'

const open = (dataDir: string): Promise<Embedded> =>
  openEmbedded({ dataDir, secret, clock: systemClock, log: createLog('silent') })

const appendOf = (at: number): StreamAppend => {
  const revision = Math.floor(at / streams)
  return {
    stream: `artwork-${at % streams}`,
    expected: revision === 0 ? 'no-stream' : revision - 1,
    events: [priceChanged(at, at + 1)],
  }
}

const fill = async (site: Embedded): Promise<void> => {
  for (let from = 0; from < events; from += batch)
    await site.eventStore.appendInOrder(Array.from({ length: batch }, (_, n) => appendOf(from + n)))
  for (let n = 0; n < files; n += 1)
    await site.files.put(`images/${String(n).padStart(64, '0')}/640.avif`, randomBytes(fileBytes))
}

/** @returns how long it took, in seconds */
const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1_000
}

/** The whole log and the whole site into files and back, on embedded engines. */
const bench: Bench = {
  name: `Export, import, backup and restore of ${events} events and ${files} picture files of ${fileBytes} bytes`,
  run: () =>
    withFolder(async (folder) => {
      const site = await open(join(folder, 'site'))
      await fill(site)
      const log = join(folder, 'events.ndjson.gz')
      const exporting = await seconds(() =>
        fillFile(log, (out) => writeEvents(site.eventStore, out, { signal })),
      )
      const empty = await open(join(folder, 'imported'))
      const importing = await seconds(async () =>
        importEvents(empty.eventStore, readLines(await openToRead(log))),
      )
      await empty.close()

      const file = join(folder, 'site.tar')
      const backing = await seconds(() =>
        backUp(
          site,
          { file, keys: `${file}.keys` },
          {
            version: '',
            createdAt: new Date().toISOString(),
            signal,
            needed: neededOriginals,
            neededKeys: neededMessageKeys,
            eraseAgain: null,
          },
        ),
      )
      const place = await open(join(folder, 'restored'))
      const restoring = await seconds(async () =>
        restore(place, file, joinedKeys([await readKeys(`${file}.keys`)]), {
          signal,
          needed: neededOriginals,
          neededKeys: neededMessageKeys,
          onBegin: async () => undefined,
          onEnd: async () => undefined,
        }),
      )
      await place.close()
      await site.close()
      const megabytes = statSync(file).size / 1e6
      return [
        row('export of the log, events', events / exporting, '/s'),
        row('the export, compressed', statSync(log).size / events, 'bytes an event'),
        row('import into an empty log, events', events / importing, '/s'),
        row('backup, written and read again', backing, 's'),
        row('backup', megabytes / backing, 'MB/s'),
        row('restore, read, brought and compared', restoring, 's'),
        row('restore', megabytes / restoring, 'MB/s'),
      ]
    }),
}
export default bench
