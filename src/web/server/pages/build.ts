import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { StyleFile } from '#web/contract/pages.ts'
import { type ClientBuild, devClientBuild } from './dev-build.ts'

const entryFile = 'src/web/client/entry-client.tsx'
const artworkChunk = 'src/web/client/app/artwork-page.tsx'
const adminChunks = ['app/admin-page.tsx', 'admin/admin-app.tsx'].map((file) => `src/web/client/${file}`)
const fontFiles = 'src/web/client/styles/fonts.css'
/** `vite.config.ts` names it. */
const belowFile = '_below-'
const inlineFile = 'inline/main.js'

const chunk = z.object({
  file: z.string(),
  css: z.array(z.string()).default([]),
  imports: z.array(z.string()).default([]),
})
const manifestSchema = z.record(z.string(), chunk)
type Chunk = z.output<typeof chunk>
type Manifest = z.output<typeof manifestSchema>
const stampSchema = z.object({ build: z.string() })
/** Read once, at a start: code made for checking fast would cost more than it saves. */
const once = { jitless: true }

/**
 * Reads what the last build left in `dist`.
 * @param dist the folder
 * @param devRenderer address of the dev server where one is at work; nothing is read then
 * @throws with the remedy in words when there is no finished build
 */
export const readClientBuild = (dist: string, devRenderer?: string): ClientBuild => {
  if (devRenderer) return devClientBuild(devRenderer, join(dist, '../src/web/client/public'))
  const { build } = stampSchema.parse(readJson(join(dist, 'stamp.json')), once)
  const manifest = manifestSchema.parse(readJson(join(dist, 'client/.vite/manifest.json')), once)
  for (const name of [entryFile, artworkChunk, ...adminChunks, fontFiles]) {
    if (!manifest[name]) throw new Error(`The built client has no ${name}. Run \`npm run build\`.`)
  }
  const styleFile = (file: string): StyleFile => ({
    href: `/${file}`,
    text: readFileSync(join(dist, 'client', file), 'utf8'),
  })
  const always = withImports(manifest, entryFile)
  const besides = (names: readonly string[]): string[] => [
    ...new Set(names.flatMap((name) => [...withImports(manifest, name)])).difference(always),
  ]
  const forArtwork = besides([artworkChunk])
  const chunks = (names: Iterable<string>): Chunk[] => [...names].flatMap((name) => manifest[name] ?? [])
  const filesOf = (names: Iterable<string>): string[] => chunks(names).map(({ file }) => `/${file}`)
  const stylesOf = (names: Iterable<string>): StyleFile[] =>
    chunks(names).flatMap(({ css }) => css.map(styleFile))
  const below = [...always].filter((name) => name.startsWith(belowFile))
  if (below.length === 0) throw new Error('The built client has no styles for below the first view.')
  return {
    clientFolder: join(dist, 'client'),
    assets: {
      build,
      scripts: filesOf(always),
      styles: stylesOf([...always].filter((name) => !below.includes(name))),
      below: stylesOf(below),
      artwork: {
        modules: filesOf(forArtwork),
        styles: stylesOf(forArtwork),
      },
      admin: filesOf(besides(adminChunks)),
      fonts: chunks([fontFiles]).map(({ file }) => styleFile(file))[0] ?? { href: '', text: '' },
      inline: readFileSync(join(dist, inlineFile), 'utf8').trim(),
    },
    loadRenderer: () => import(pathToFileURL(join(dist, 'server/entry-server.js')).href),
  }
}

/** A chunk and everything it imports at once, itself last, as style sheets must stand. */
const withImports = (manifest: Manifest, name: string, seen: Set<string> = new Set()): Set<string> => {
  for (const imported of manifest[name]?.imports ?? []) {
    if (!seen.has(imported)) withImports(manifest, imported, seen)
  }
  return seen.add(name)
}

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`The client is not built (${file} cannot be read). Run \`npm run build\`.`, { cause })
  }
}
