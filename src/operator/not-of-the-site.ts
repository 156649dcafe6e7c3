import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { constants, gunzipSync } from 'node:zlib'
import { Refusal } from '#domain/refusal.ts'
import type { Config } from '#infrastructure/config/config.ts'
import { headOf } from '#infrastructure/archive/whole-file.ts'
import { isOfSite } from '#infrastructure/embedded/data-folder.ts'

/** Where a path leads to; of one that is not there its folder. */
const realPlace = (path: string): Promise<string> =>
  realpath(path).catch(async () =>
    join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)),
  )

const isExport = (head: Buffer): boolean => {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, 2).equals(Buffer.from('{"'))
  } catch {
    return false
  }
}

/** Whether the site works on it, or empties it at each start. */
const isUsedBySite = (name: string): boolean => isOfSite(name) || name === 'scratch'

/** What a command writes, and how a file begins that is one. */
const kinds = {
  backup: (head: Buffer): boolean =>
    head.toString('latin1', 257, 262) === 'ustar' &&
    /^(?:files\/|accounts\.json\0|events\.ndjson\.gz\0|manifest\.json\0)/.test(
      head.toString('latin1', 0, 100),
    ),
  'keys file': (head: Buffer): boolean => head.includes('"format":"atelier keys '),
  export: isExport,
} as const satisfies Record<string, (head: Buffer) => boolean>

export interface WrittenFile {
  /** absolute */
  readonly path: string
  readonly kind: keyof typeof kinds
}

const headLength = 4_096

/** How a file begins; null where there is none, or an empty one. */
const beginningOf = async (path: string): Promise<Buffer | null> => {
  const found = await stat(path).catch(() => null)
  if (found === null || !found.isFile() || found.size === 0) return null
  return headOf(path, headLength)
}

/**
 * Refuses to write a file that takes the place of anything but one of its own kind: a backup over the database, or over
 * settings or the keys of another backup, would be the end of it.
 * @param files that are to be written together
 * @throws {Refusal}
 */
export const refuseOtherFiles = async (
  { dataDir }: Pick<Config, 'dataDir'>,
  files: readonly WrittenFile[],
): Promise<void> => {
  const folder = await realpath(dataDir).catch(() => dataDir)
  const places = await Promise.all(files.map(({ path }) => realPlace(path)))
  if (new Set(places).size < places.length)
    throw new Refusal('invalid', `${files[0]?.path} is named twice: give the keys a file of their own`)
  for (const [n, { path, kind }] of files.entries()) {
    const [first = ''] = relative(folder, places[n] ?? path).split(sep)
    if (isUsedBySite(first))
      throw new Refusal('invalid', `${path} is a file of the site itself: name another`)
    const head = await beginningOf(path)
    if (head !== null && !kinds[kind](head))
      throw new Refusal(
        'invalid',
        `${path} is there already, and is no ${kind}: name another, or move it away`,
      )
  }
}
