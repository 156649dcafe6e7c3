import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, isMissing } from '#application/kernel/reason.ts'
import { ofCode } from '../disk-words.ts'

const { R_OK, W_OK, X_OK } = constants

type Kind = 'file' | 'folder'

/** What a process that holds a data folder works on; what is not there yet it makes. */
const known: Readonly<Record<string, Kind>> = {
  'lock.db': 'file',
  'atelier.db': 'file',
  'atelier.db-wal': 'file',
  'atelier.db-shm': 'file',
  'log.mark': 'file',
  reserve: 'file',
  files: 'folder',
  scratch: 'folder',
}

const complaint = (path: string, kind: Kind): string | null => {
  try {
    const found = statSync(path)
    if (kind === 'folder' ? !found.isDirectory() : !found.isFile())
      return ofCode(kind === 'folder' ? 'ENOTDIR' : 'EISDIR', path)
    // SQLite opens a file that may only be read without a word, and refuses every write.
    accessSync(path, kind === 'folder' ? R_OK | W_OK | X_OK : R_OK | W_OK)
    return null
  } catch (error) {
    if (isMissing(error)) return null
    const words = ofCode(codeOf(error), path)
    if (words === null) throw error
    return words
  }
}

const foldersIn = (path: string): readonly string[] => {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => join(path, name))
  } catch (error) {
    // One that may not be read, or is no folder, was complained of.
    if (codeOf(error) !== null) return []
    throw error
  }
}

/**
 * What of a data folder this process could not work on, the first of it in words; null when it can, or when there is none
 * yet. A server that starts all the same would take no order, or lose its high-water mark.
 */
export const unusableIn = (dataDir: string): string | null => {
  const looks: readonly (() => string | null)[] = [
    () => complaint(dataDir, 'folder'),
    ...Object.entries(known).map(
      ([name, kind]) =>
        () =>
          complaint(join(dataDir, name), kind),
    ),
    ...foldersIn(join(dataDir, 'files')).map((path) => () => complaint(path, 'folder')),
  ]
  for (const look of looks) {
    const words = look()
    if (words !== null) return words
  }
  return null
}
