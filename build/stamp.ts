import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stamp } from './former-files.ts'

/**
 * What the built client and the pages made with it depend on: rules of the domain, queries, the sanitiser and the headers of a
 * page count as well. The hash names the build, and the build is part of the page cache's key, so a page that an earlier
 * version kept is not shown by this one.
 */
const SOURCES = ['src']
const FILES = [
  'vite.config.ts',
  'build/client.ts',
  'build/former-files.ts',
  'build/stamp.ts',
  'package-lock.json',
]

export const STAMP_FILE = 'dist/stamp.json'

const filesUnder = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))

/** Hash over names and contents of everything that the client is built from. `root` is the project folder. */
export function sourceHash(root: string): string {
  const hash = createHash('sha256')
  const files = [...SOURCES.flatMap((folder) => filesUnder(root, folder)), ...FILES].sort()
  for (const file of files) {
    hash.update(`${file}\0`)
    hash.update(readFileSync(join(root, file)))
    hash.update('\0')
  }
  return hash.digest('hex').slice(0, 32)
}

const isStamp = (found: unknown): found is Stamp =>
  typeof found === 'object' &&
  found !== null &&
  'build' in found &&
  typeof found.build === 'string' &&
  (!('files' in found) || Array.isArray(found.files))

/** What the last finished build left; null when there is none. */
export function lastBuild(root: string): Stamp | null {
  try {
    const found: unknown = JSON.parse(readFileSync(join(root, STAMP_FILE), 'utf8'))
    return isStamp(found) ? found : null
  } catch {
    // No stamp, or one cut short by a kill: both mean that there is no finished build.
    return null
  }
}

/** The hash that the last finished build was made from; null when there is none. */
export const builtHash = (root: string): string | null => lastBuild(root)?.build ?? null
