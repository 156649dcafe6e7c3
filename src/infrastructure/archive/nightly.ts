import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackedUp, type BackedUpStores, backUp } from './backup.ts'

/** Nights that are kept (decisions 113). */
const keptNights = 7
/** A part that nobody has written to for so long was left by a process that was killed. */
const leftAfterMs = 60 * 60_000

const archiveName = /^atelier-\d{8}T\d{6}Z\.tar$/
const keysName = /^atelier-\d{8}T\d{6}Z\.tar\.keys$/
const partName = /^\.atelier-\d{8}T\d{6}Z\.tar.*\.part$/

const nameOf = (createdAt: string): string =>
  `atelier-${createdAt.replaceAll(/[-:]/g, '').replace(/\.\d+/, '')}.tar`

/** Removes what is kept no longer: older nights, all keys but the newest, what killed processes left. */
const tidy = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).toSorted().toReversed()
  const old = [
    ...names.filter((name) => archiveName.test(name)).slice(keptNights),
    ...names.filter((name) => keysName.test(name)).slice(1),
  ]
  for (const name of names.filter((each) => partName.test(each))) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found !== null && Date.now() - found.mtimeMs > leftAfterMs) old.push(name)
  }
  for (const name of old) await rm(join(folder, name), { force: true })
}

/**
 * Makes the backup of a night in a folder, and only then lets older ones go: seven are kept, of the keys only
 * the newest, so that what was erased is gone from all of them (decisions 75, 113).
 * @param folder made when it is not there
 * @throws {Refusal} {DiskFull} in words
 */
export const backUpNightly = async (
  site: BackedUpStores,
  folder: string,
  options: { readonly version: string; readonly createdAt: string; readonly signal: AbortSignal },
): Promise<BackedUp> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, nameOf(options.createdAt))
  const done = await backUp(site, { file, keys: `${file}.keys` }, options)
  await tidy(folder)
  return done
}
