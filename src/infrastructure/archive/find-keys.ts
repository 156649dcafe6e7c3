import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '#domain/refusal.ts'
import { type KeysFile, readKeys } from './keys-file.ts'

/** The keys files that lie beside a backup and are whole, the newest first. */
const keysBeside = async (file: string): Promise<readonly KeysFile[]> => {
  const names = (await readdir(dirname(file))).filter(
    (name) => name.endsWith('.keys') && !name.startsWith('.'),
  )
  const read = await Promise.all(
    names.map((name) =>
      readKeys(join(dirname(file), name)).catch((error: unknown) => {
        if (error instanceof Refusal) return null
        throw error
      }),
    ),
  )
  return read
    .filter((each) => each !== null)
    .toSorted((a, b) => (a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1))
}

/** The keys files to restore with. */
export interface FoundKeys {
  readonly files: readonly KeysFile[]
  /** one that lies beside the backup, was not given and knows of more that was erased; null when none does */
  readonly newer: string | null
}

/**
 * Which keys files go with a backup: those given, else `FILE.keys`, else the newest beside it.
 * @throws {Refusal} when there is none, or one is damaged
 */
export const keysFor = async (file: string, given: readonly string[]): Promise<FoundKeys> => {
  const own = `${file}.keys`
  const beside = await keysBeside(file)
  const [newest = null] = beside
  let files: readonly KeysFile[]
  if (given.length > 0) files = await Promise.all(given.map(readKeys))
  else {
    const names = await readdir(dirname(file))
    const ownIsThere = names.some((name) => resolve(dirname(file), name) === resolve(own))
    // A damaged one is said to be so, not passed over.
    if (ownIsThere) files = [await readKeys(own)]
    else if (newest !== null) files = [newest]
    else {
      throw new Refusal(
        'missing',
        `There is no keys file beside ${file}, without which nobody can read the messages: name it with --keys, ` +
          'or say --without-keys',
      )
    }
  }
  const known = new Set(files.flatMap(({ erasedIds }) => erasedIds))
  const knowsMore = newest !== null && newest.erasedIds.some((id) => !known.has(id))
  return { files, newer: knowsMore ? newest.path : null }
}
