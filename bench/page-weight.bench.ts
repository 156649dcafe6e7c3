import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from 'playwright'
import { readClientBuild } from '#web/server/pages/build.ts'
import { chromiumArgs, findChromium } from '../test/support/chromium.ts'
import { isLibrary } from '../test/support/libraries.ts'
import { password } from '../test/support/site.ts'
import { type Gallery, startGallery } from './gallery.ts'
import { type Bench, type Row, row } from './row.ts'

const artworks = 24
/** Twelve megapixels, as a camera gives them. */
const size = { width: 4_000, height: 3_000 }
const kilo = 1_000
const timeoutMs = 30_000

const build = readClientBuild(join(import.meta.dirname, '..', 'dist'))
const brotli = (file: string): number => readFileSync(join(build.clientFolder, `${file}.br`)).length
const sum = (files: readonly string[]): number => files.reduce((all, file) => all + brotli(file), 0) / kilo

/** The scripts that the dashboard has fetched when its first screen stands. */
const dashboardScripts = async ({ site }: Gallery, executablePath: string): Promise<readonly string[]> => {
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(timeoutMs)
    await context.request.post(`${site.url}/api/login`, { data: { username: 'admin', password } })
    const page = await context.newPage()
    const asked = new Set<string>()
    page.on('request', (request) => {
      if (request.resourceType() === 'script') asked.add(new URL(request.url()).pathname)
    })
    await page.goto(`${site.url}/admin`)
    await page.getByRole('textbox', { name: 'Hero Description' }).waitFor()
    return [...asked]
  } finally {
    await browser.close()
  }
}

const dashboardRows = async (gallery: Gallery): Promise<Row[]> => {
  const executablePath = findChromium()
  if (executablePath === null) {
    console.log('No Chromium here (set CHROMIUM_PATH to name one): the dashboard was not counted.')
    return []
  }
  const asked = await dashboardScripts(gallery, executablePath)
  const [editor, others] = [true, false].map((is) => asked.filter((file) => file.includes('/editor-') === is))
  return [
    row('dashboard, first screen without the editor', sum(others ?? []), 'kB', { aim: { atMost: 190 } }),
    row('its editor', sum(editor ?? []), 'kB'),
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
        ...(await dashboardRows(gallery)),
      ]
    } finally {
      await gallery.site.stop()
    }
  },
}
export default bench
