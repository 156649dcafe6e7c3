import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBuild } from '#web/server/pages/dev-build.ts'

/** Whether a built script holds nothing but React, router and Query, and what the bundler needs for them. */
export const isLibrary = (file: string): boolean => /\/(?:react|tanstack|rolldown-runtime)-/.test(file)

/** Bytes of built files on the wire; what is very small is not compressed. */
export const sentBytes = ({ clientFolder }: ClientBuild, files: readonly string[]): number =>
  files
    .map((file) => join(clientFolder, file))
    .reduce((all, path) => all + statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size, 0)

/** By the source of each chunk: its file and styles, and the names of what it imports at once (Vite's manifest). */
type Manifest = Readonly<
  Record<string, { file: string; css?: readonly string[]; imports?: readonly string[] }>
>

/**
 * The files and styles of chunks and of all that they import at once, without the styles that every page holds.
 * @param sources of the chunks, below `src/web/client`
 */
const filesOf = ({ clientFolder, assets }: ClientBuild, sources: readonly string[]): readonly string[] => {
  // Written by Vite.
  const manifest = JSON.parse(readFileSync(join(clientFolder, '.vite/manifest.json'), 'utf8')) as Manifest
  const seen = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    for (const imported of manifest[name]?.imports ?? []) visit(imported)
  }
  for (const source of sources) {
    const name = `src/web/client/${source}`
    if (!manifest[name]) throw new Error(`The built client has no ${name}`)
    visit(name)
  }
  const held = [...assets.styles, ...assets.below].map(({ href }) => href)
  const files = [...seen].flatMap((name) => {
    const chunk = manifest[name]
    return chunk ? [chunk.file, ...(chunk.css ?? [])] : []
  })
  return [...new Set(files)].filter((file) => !held.includes(`/${file}`))
}

/** All that the dashboard needs until its first tab stands, and what its editor needs on top, which comes apart. */
export const dashboardFiles = (
  build: ClientBuild,
): { readonly first: readonly string[]; readonly editor: readonly string[] } => {
  const first = filesOf(build, [
    'entry-client.tsx',
    'admin/admin-app.tsx',
    'admin/site-content/content-tab.tsx',
  ])
  const editor = filesOf(build, ['admin/site-content/editor/editor.tsx'])
  return { first, editor: editor.filter((file) => !first.includes(file)) }
}
