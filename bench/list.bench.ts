import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { request } from 'undici'
import { bareServer, withFolder } from './floors.ts'
import { type Gallery, startGallery } from './gallery.ts'
import { getsPerSecond } from './load.ts'
import { median } from './measure.ts'
import { type Bench, type Row, row } from './row.ts'

const artworks = 200
const rounds = 3
const load = { connections: 50, seconds: 2 }

/** One path and encoding: the site beside a bare server that sends the same bytes with the same headers. */
const measure = async (
  gallery: Gallery,
  folder: string,
  path: string,
  encoding: string,
  atLeast: number,
): Promise<Row> => {
  const headers = { 'accept-encoding': encoding }
  const answer = await request(gallery.site.url + path, { headers })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  const given = Object.entries(answer.headers).filter(
    ([name]) => !['date', 'connection', 'keep-alive', 'transfer-encoding'].includes(name),
  )
  if (answer.statusCode !== 200)
    throw new Error(`GET ${path}: ${answer.statusCode} ${bytes.toString().slice(0, 300)}`)
  const file = join(folder, 'bytes')
  await writeFile(file, bytes)

  const same = JSON.stringify({ ...Object.fromEntries(given), 'content-length': bytes.length })
  const bare = await bareServer('reply', file, same)
  const ours: number[] = []
  const theirs: number[] = []
  try {
    // In turns, so that what else the machine does falls on both.
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await getsPerSecond(gallery.site.url, path, headers, load))
      theirs.push(await getsPerSecond(bare.url, path, headers, load))
    }
  } finally {
    await bare.stop()
  }
  const size = `${(bytes.length / 1024).toFixed(1)} kB`
  return row(`GET ${path} (${encoding}, ${size})`, median(ours), '/s', {
    floor: { what: 'bare server, same bytes', value: median(theirs) },
    aim: { atLeast },
  })
}

const bench: Bench = {
  name: `Public answers with ${artworks} works, ${load.connections} connections`,
  run: () =>
    withFolder(async (folder) => {
      const gallery = await startGallery(artworks)
      try {
        return [
          await measure(gallery, folder, '/api/artworks', 'br', 0.6),
          await measure(gallery, folder, '/api/artworks', 'identity', 0.6),
          await measure(gallery, folder, '/', 'br', 0.65),
        ]
      } finally {
        await gallery.site.stop()
      }
    }),
}
export default bench
