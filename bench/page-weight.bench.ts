import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { readClientBuild } from '#web/server/pages/build.ts'
import { dashboardFiles, isLibrary, sentBytes } from '../test/support/client-weight.ts'
import { startGallery } from './gallery.ts'
import { type Bench, type Row, row } from './row.ts'

const artworks = 24
/** Twelve megapixels, as a camera gives them. */
const size = { width: 4_000, height: 3_000 }
const kilo = 1_000

const build = readClientBuild(join(import.meta.dirname, '..', 'dist'))
const sum = (files: readonly string[]): number => sentBytes(build, files) / kilo

const dashboardRows = (): Row[] => {
  const { first, editor } = dashboardFiles(build)
  return [
    row('dashboard, first screen without the editor, styles included', sum(first), 'kB', {
      aim: { atMost: 190 },
    }),
    row('its editor', sum(editor), 'kB'),
  ]
}

/** What goes over the wire, each part counted apart; scripts as they are built, brotli. */
const bench: Bench = {
  name: `Weight of the public page, ${artworks} artworks of 12 megapixels, and of the scripts`,
  run: async () => {
    const gallery = await startGallery(artworks, {}, size)
    try {
      const answer = await fetch(gallery.site.url, { headers: { 'accept-encoding': 'identity' } })
      const html = Buffer.from(await answer.arrayBuffer())
      const { scripts, artwork, inline, below } = build.assets
      return [
        row('HTML', html.length / kilo, 'kB', { aim: { atMost: 120 } }),
        row('HTML, brotli', brotliCompressSync(html).length / kilo, 'kB', { aim: { atMost: 14 } }),
        row('inline module, brotli', brotliCompressSync(inline).length / kilo, 'kB'),
        row('styles below the first view', sum(below.map(({ href }) => href)), 'kB'),
        row('React, router and Query', sum(scripts.filter(isLibrary)), 'kB'),
        row("the visitor's program beyond them", sum(scripts.filter((file) => !isLibrary(file))), 'kB', {
          aim: { atMost: 15 },
        }),
        row('an opened artwork on top', sum(artwork.modules), 'kB', { aim: { atMost: 10 } }),
        ...dashboardRows(),
      ]
    } finally {
      await gallery.site.stop()
    }
  },
}
export default bench
