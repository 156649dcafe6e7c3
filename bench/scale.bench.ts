import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { request } from 'undici'
import { openDatabase } from '#infrastructure/embedded/database.ts'
import { openEventStore } from '#infrastructure/embedded/event-store.ts'
import type { StreamAppend } from '#application/kernel/ports/event-store.ts'
import { type Site, signIn, startSite } from '../test/support/site.ts'
import { upsertRate, withFolder } from './floors.ts'
import { eventOf } from './history.ts'
import { median, timesOf } from './measure.ts'
import { type Bench, type Row, row } from './row.ts'

const events = Number(process.env['SCALE_EVENTS'] ?? 1_000_000)
const artworks = Number(process.env['SCALE_ARTWORKS'] ?? 10_000)
const perArtwork = Math.max(1, Math.round(events / artworks))
const all = artworks * perArtwork
const within = 1_800_000
const appendsAtOnce = 1_000
const rounds = 5

/** Everybody's history side by side: whoever replays it finds another artwork with every event. */
const writeHistory = async (dataDir: string, ids: readonly string[]): Promise<number> => {
  const database = openDatabase(join(dataDir, 'atelier.db'))
  const log = openEventStore(database)
  const begin = performance.now()
  for (let number = 0; number < perArtwork; number += 1)
    for (let from = 0; from < artworks; from += appendsAtOnce) {
      const appends = ids.slice(from, from + appendsAtOnce).map(
        (id, n): StreamAppend => ({
          stream: `artwork-${id}`,
          expected: number === 0 ? 'no-stream' : number - 1,
          events: [eventOf(from + n, number)],
        }),
      )
      await log.appendInOrder(appends)
    }
  const rate = (all / (performance.now() - begin)) * 1000
  await log.close()
  database.close()
  return rate
}

/** Resident memory of a process in MiB: now, and the most that it ever was (Linux's /proc). */
const memoryOf = async ({ process: { pid } }: Site): Promise<{ now: number; most: number }> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const mib = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024
  return { now: mib('VmRSS'), most: mib('VmHWM') }
}

/** Starts the site. @returns with the seconds until it was ready */
const started = async (dataDir: string): Promise<{ readonly site: Site; readonly seconds: number }> => {
  const begin = performance.now()
  const site = await startSite({ dataDir, within })
  return { site, seconds: (performance.now() - begin) / 1000 }
}

/** An answer from the first byte asked to the last one read: the first time, then the middle of some more. */
const answers = async (site: Site, what: string, path: string, cookie = ''): Promise<Row[]> => {
  let bytes = 0
  const get = async (): Promise<void> => {
    const answer = await request(site.url + path, {
      headers: { 'accept-encoding': 'br', ...(cookie === '' ? {} : { cookie }) },
      headersTimeout: within,
    })
    bytes = (await answer.body.arrayBuffer()).byteLength
    if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.statusCode}`)
  }
  const [first = Number.NaN] = await timesOf(1, get)
  const later = await timesOf(rounds, get)
  const size = `${Math.round(bytes / 1024)} kB`
  return [row(`${what}, first (${size})`, first, 'ms'), row(`${what}, again`, median(later), 'ms')]
}

/** `atelier projections rebuild --all` beside the running site. @returns seconds */
const rebuildTime = async ({ dataDir, url }: Site): Promise<number> => {
  const cli = join(import.meta.dirname, '..', 'src', 'cli.ts')
  const begin = performance.now()
  const child = spawn(process.execPath, [cli, 'projections', 'rebuild', '--all'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATA_DIR: dataDir, PUBLIC_URL: url },
  })
  await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`The rebuild ended with ${child.exitCode}`)
  return (performance.now() - begin) / 1000
}

/** What a gallery of many artworks and a long history costs, on the embedded engines. */
const bench: Bench = {
  name: `A log of ${all.toLocaleString('en-GB')} events about ${artworks.toLocaleString('en-GB')} artworks`,
  run: () =>
    withFolder(async (folder) => {
      const dataDir = join(folder, 'data')
      await mkdir(dataDir)
      const empty = await started(dataDir)
      await empty.site.stop()
      const ids = Array.from({ length: artworks }, () => randomUUID())
      const written = await writeHistory(dataDir, ids)
      const floor = {
        what: 'a bare upsert of 1 kB per event',
        value: upsertRate(folder, Math.min(all, 200_000), { documents: artworks, text: 'x'.repeat(1_000) }),
      }
      const building = await started(dataDir)
      const built = await memoryOf(building.site)
      await building.site.stop()
      const { site, seconds } = await started(dataDir)
      try {
        const rows = [
          row('events written, 1,000 to a flush', written, '/s'),
          row('start with every view to be built', building.seconds, 's'),
          row('replay of all views by it', all / (building.seconds - seconds), '/s', { floor }),
          row('the most memory it took meanwhile', built.most, 'MiB'),
          row('start with views that stand', seconds, 's', {
            floor: { what: 'on an empty folder', value: empty.seconds },
          }),
        ]
        const cookie = await signIn(site)
        rows.push(
          ...(await answers(site, 'the page /', '/')),
          ...(await answers(site, 'the public list', '/api/artworks')),
          ...(await answers(site, "the owner's list", '/api/artworks', cookie)),
          ...(await answers(site, 'the activity', '/api/activity', cookie)),
          ...(await answers(
            site,
            'the activity of one artwork',
            `/api/activity?artworkId=${ids[0]}`,
            cookie,
          )),
        )
        const prices = await timesOf(rounds, async (n) => {
          const answer = await request(`${site.url}/api/artworks/${ids[n]}`, {
            method: 'PUT',
            headers: { cookie, 'content-type': 'application/json' },
            body: JSON.stringify({ price: 1_000 + n }),
          })
          const text = await answer.body.text()
          if (answer.statusCode !== 200) throw new Error(`PUT: ${answer.statusCode} ${text}`)
        })
        rows.push(row('a price put and visible', median(prices), 'ms'))
        const after = await memoryOf(site)
        rows.push(row('memory behind all that', after.now, 'MiB'), row('the most of it', after.most, 'MiB'))
        if (process.env['SCALE_REBUILD'] !== '0')
          rows.push(row('projections rebuild --all beside it', await rebuildTime(site), 's'))
        return rows
      } finally {
        await site.stop()
      }
    }),
}
export default bench
