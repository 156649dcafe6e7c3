import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, isMissing } from '#application/kernel/reason.ts'
import { whereSecretIsLost } from '../key-vault/sealing.ts'
import { mustBeFile, withPlace } from '../disk-words.ts'
import { syncFolderAtOnce } from '../sync-folder.ts'

/** The shortest secret that is accepted. */
const shortest = 32

const read = (path: string): string | null => {
  try {
    mustBeFile(path)
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (isMissing(error)) return null
    throw withPlace(error, path)
  }
}

/** Writes a file whole and on the disk, readable for its owner alone; leaves one that is there as it is. */
const writeOnce = (folder: string, path: string, text: string): void => {
  const part = join(folder, `secret.${randomUUID()}.part`)
  const file = openSync(part, 'wx', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
    linkSync(part, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    closeSync(file)
    rmSync(part)
  }
  syncFolderAtOnce(folder)
}

/**
 * The site's secret: the setting, else the one kept in the data folder, made there on the very first start
 * (`secret`, mode 0600).
 * @param hasBegun whether there is a site already: another secret would open none of its keys and sessions
 * @throws Error in words when the kept one is gone, was cut short or cannot be read
 */
export const siteSecret = (dataDir: string, setting: string | null, hasBegun: boolean): string => {
  if (setting !== null) return setting
  const path = join(dataDir, 'secret')
  const isThere = read(path) !== null
  if (!isThere && hasBegun)
    throw new Error(
      `${path} is missing, although there is a site: put the file back from your copy, or set SECRET to its text. Nothing was ` +
        `changed. ${whereSecretIsLost}`,
    )
  if (!isThere) writeOnce(dataDir, path, `${randomBytes(48).toString('base64url')}\n`)
  const kept = read(path)
  if (kept === null || kept.length < shortest)
    throw new Error(
      `${path} holds no whole secret: put the file back from your copy, or set SECRET to its text. ` +
        whereSecretIsLost,
    )
  return kept
}
