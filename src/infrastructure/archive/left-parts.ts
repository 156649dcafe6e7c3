import { randomUUID } from 'node:crypto'
import { lstat, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A part that nobody has written to for so long was left by a process that was killed, in ms. */
const leftAfterMs = 60 * 60_000

/**
 * What time it is by the clock that dates a folder's files, which on a disk of the network is another machine's, in ms since
 * 1970; by this machine's where nothing can be made there.
 */
export const timeIn = async (folder: string): Promise<number> => {
  // One that a kill leaves goes as half-written keys do.
  const path = join(folder, `.time.keys.${randomUUID()}.part`)
  try {
    const file = await open(path, 'wx', 0o600)
    const { mtimeMs } = await file.stat()
    await file.close()
    return mtimeMs
  } catch {
    return Date.now()
  } finally {
    await rm(path, { force: true }).catch(() => undefined)
  }
}

/**
 * Whether a file that was in the making was left by a process that was killed. One of a time to come was left by a clock
 * that ran ahead.
 * @param file its last change in ms since 1970, as `stat` gives it
 * @param now as {@link timeIn} its folder
 * @param afterMs for how long nobody has written to it then
 */
export const isLeft = (file: { readonly mtimeMs: number }, now: number, afterMs = leftAfterMs): boolean =>
  Math.abs(now - file.mtimeMs) > afterMs

/** Removes from a folder what killed processes left. @param isPart whether a file of that name was in the making */
export const removeLeftParts = async (folder: string, isPart: (name: string) => boolean): Promise<void> => {
  const parts = (await readdir(folder)).filter(isPart)
  if (parts.length === 0) return
  const now = await timeIn(folder)
  for (const name of parts) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && isLeft(found, now)) await rm(path, { force: true })
  }
}

/** So long may a program at the other end of standard output or input take, in ms. */
const takenAfterMs = 24 * 60 * 60_000

/**
 * Makes a folder for temporary files, whose maker removes it, and removes those of its kind that killed commands of this
 * user left: there are whole logs in them.
 */
export const temporaryFolder = async (kind: 'backup' | 'import', within = tmpdir()): Promise<string> => {
  // Hidden: somebody may keep backups there in a folder `atelier-backup-monday`.
  const start = `.atelier-${kind}-`
  const now = await timeIn(within)
  const mine = process.getuid?.()
  // That it cannot be listed, or a part not be removed, is no reason against a backup.
  for (const name of await readdir(within).catch(() => [])) {
    if (!name.startsWith(start)) continue
    const path = join(within, name)
    const found = await lstat(path).catch(() => null)
    if (found?.isDirectory() === true && found.uid === mine && isLeft(found, now, takenAfterMs))
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
  return mkdtemp(join(within, start))
}
