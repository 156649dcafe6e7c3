import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { readClientBuild } from '#web/server/pages/build.ts'
import { isLibrary } from '../test/support/libraries.ts'
import { startGallery } from './gallery.ts'
import { type Bench, type Row, row } from './row.ts'

const artworks = 24
/** Twelve megapixels, as a camera gives them. */
const size = { width: 4_000, height: 3_000 }
const kilo = 1_000

const build = readClientBuild(join(import.meta.dirname, '..', 'dist'))
/** Bytes on the wire; what is very small is not compressed. */
const brotli = (file: string): number => {
  const path = join(build.clientFolder, file)
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
}
const sum = (files: readonly string[]): number => files.reduce((all, file) => all + brotli(file), 0) / kilo

/** By the source of each chunk: its file and styles, and the names of what it imports at once (Vite's manifest). */
type Manifest = Readonly<
  Record<string, { file: string; css?: readonly string[]; imports?: readonly string[] }>
>

/** The files and styles of these chunks and of all that they import, without the styles that every page holds. */
const filesOf = (manifest: Manifest, names: readonly string[]): readonly string[] => {
  const seen = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    for (const imported of manifest[name]?.imports ?? []) visit(imported)
  }
  for (const name of names) visit(name)
  const held = [...build.assets.styles, ...build.assets.below].map(({ href }) => href)
  const files = [...seen].flatMap((name) => {
    const chunk = manifest[name]
    return chunk ? [chunk.file, ...(chunk.css ?? [])] : []
  })
  return [...new Set(files)].filter((file) => !held.includes(`/${file}`))
}

/** Everything that the dashboard needs until its first tab stands; its editor comes apart. */
const firstScreen = ['entry-client.tsx', 'admin/admin-app.tsx', 'admin/site-content/content-tab.tsx'].map(
  (file) => `src/web/client/${file}`,
)
const editor = ['src/web/client/admin/site-content/editor/editor.tsx']

const dashboardRows = (): Row[] => {
  // Written by Vite.
  const manifest = JSON.parse(
    readFileSync(join(build.clientFolder, '.vite/manifest.json'), 'utf8'),
  ) as Manifest
  for (const name of [...firstScreen, ...editor])
    if (!manifest[name]) throw new Error(`The built client has no ${name}`)
  const files = filesOf(manifest, firstScreen)
  const more = filesOf(manifest, editor).filter((file) => !files.includes(file))
  return [
    row('dashboard, first screen without the editor, styles included', sum(files), 'kB', {
      aim: { atMost: 190 },
    }),
    row('its editor', sum(more), 'kB'),
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
