import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { Refusal } from '#domain/refusal.ts'
import type { Config } from '#infrastructure/config/config.ts'

/** What the site keeps in its data folder, by the first name of its path there. */
const kept = /^(?:atelier\.db.*|lock\.db.*|secret|reserve|log\.mark|control\.sock|files|processes)$/

/** Where a path leads to; as it is where there is no such folder. */
const realPlace = async (path: string): Promise<string> =>
  join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path))

/**
 * Refuses to write a file that takes the place of one of the site's own: a backup over the database would be the end of it.
 * @param paths absolute, of the files that are to be written together
 * @throws {Refusal}
 */
export const refuseOwnFiles = async (
  { dataDir }: Pick<Config, 'dataDir'>,
  paths: readonly string[],
): Promise<void> => {
  const folder = await realpath(dataDir).catch(() => dataDir)
  const places = await Promise.all(paths.map(realPlace))
  if (new Set(places).size < places.length)
    throw new Refusal('invalid', `${paths[0]} is named twice: give the keys a file of their own`)
  for (const [n, place] of places.entries()) {
    const [first = ''] = relative(folder, place).split(sep)
    if (kept.test(first))
      throw new Refusal('invalid', `${paths[n]} is a file of the site itself: name another`)
  }
}
