import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { syncFolder } from '#infrastructure/sync-folder.ts'
import { carryOver, type Stamp } from './former-files.ts'
import { settle } from './settle.ts'
import { lastBuild, STAMP_FILE, sourceHash } from './stamp.ts'

const br = promisify(brotliCompress)
const gz = promisify(gzip)

/** Smaller files gain nothing from compression; the others compress by themselves. */
const COMPRESSIBLE = /\.(?:js|css|svg|json|webmanifest|txt|ico)$/
const WORTH_COMPRESSING = 600

/**
 * Builds the browser's files into `dist/client` the server's renderer into `dist/server` and the
 * script that stands in every page into `dist/inline`, compresses
 * the former once for good, and stamps the result with the hash of its sources. Built beside the old one
 * and moved in place at the end, so that a killed or doubled build never leaves half of one.
 */
export async function buildClient(root: string): Promise<void> {
  // React chooses its development half by this, also where the shell has set something else.
  process.env['NODE_ENV'] = 'production'
  const { build } = await loadVite()
  const hash = sourceHash(root)
  const fresh = join(root, 'dist', `.building-${process.pid}`)
  const old = join(root, 'dist', `.replaced-${process.pid}`)
  try {
    await mkdir(old, { recursive: true })
    const common = { root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' } as const
    const into = (part: string) => ({
      outDir: join(fresh, part),
      emptyOutDir: true,
      // On a slow machine the bundler warns of the time that plugins take; what the first start prints is read by an artist.
      rolldownOptions: { checks: { pluginTimings: false } },
    })
    await build({ ...common, build: into('client') })
    await build({ ...common, build: { ssr: true, ...into('server') } })
    await build({ ...common, mode: 'inline', build: into('inline') })
    await compressFolder(join(fresh, 'client'))
    const assets = ['client', 'assets'] as const
    const [from, to] = [join(root, 'dist', ...assets), join(fresh, ...assets)]
    const stamp: Stamp = { build: hash, files: await carryOver(from, to, lastBuild(root), hash) }
    await settle(fresh)
    for (const part of ['client', 'server', 'inline'])
      await replace(join(root, 'dist', part), join(fresh, part), old)
    await syncFolder(join(root, 'dist'))
    await writeFile(join(root, STAMP_FILE), JSON.stringify(stamp))
  } finally {
    await rm(fresh, { recursive: true, force: true })
    await rm(old, { recursive: true, force: true })
  }
}

const ATTEMPTS = 5

/**
 * Moves `fresh` to `target`, and what stood there into the folder `old`. Another build may put its own there
 * in between; the one that moves last stays, and both were made from the same sources.
 */
async function replace(target: string, fresh: string, old: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await rename(target, join(old, `${basename(target)}-${attempt}`)).catch(unless('ENOENT'))
    try {
      await rename(fresh, target)
      return
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      unless('ENOTEMPTY', 'EEXIST')(error)
    }
  }
}

async function loadVite(): Promise<typeof import('vite')> {
  try {
    return await import('vite')
  } catch (cause) {
    throw new Error(
      'The client has to be built and Vite is not installed here. Run `npm install` with development dependencies, then `npm run build`.',
      { cause },
    )
  }
}

async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await Promise.all(
    entries
      .filter(
        (entry) => entry.isFile() && COMPRESSIBLE.test(entry.name) && !entry.parentPath.endsWith('.vite'),
      )
      .map(async (entry) => {
        const file = join(entry.parentPath, entry.name)
        const content = await readFile(file)
        if (content.length < WORTH_COMPRESSING) return
        const [brotli, gzipped] = await Promise.all([
          br(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
          gz(content, { level: 9 }),
        ])
        await writeFile(`${file}.br`, brotli)
        await writeFile(`${file}.gz`, gzipped)
      }),
  )
}

/** Lets errors with one of these codes pass and throws every other one. */
function unless(...codes: string[]): (error: unknown) => void {
  return (error) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!codes.includes(code)) throw error
  }
}

if (import.meta.main) {
  const started = performance.now()
  await buildClient(resolve(import.meta.dirname, '..'))
  console.log(`Client built in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}
