import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A part that nobody has written to for so long was left by a process that was killed, in ms. */
const leftAfterMs = 60 * 60_000

/**
 * Whether a file that was in the making was left by a process that was killed. One of a time to come was left by a clock
 * that ran ahead.
 * @param file its last change in ms since 1970, as `stat` gives it
 * @param afterMs for how long nobody has written to it then
 */
export const isLeft = (file: { readonly mtimeMs: number }, afterMs = leftAfterMs): boolean =>
  Math.abs(Date.now() - file.mtimeMs) > afterMs

/** Removes from a folder what killed processes left. @param isPart whether a file of that name was in the making */
export const removeLeftParts = async (folder: string, isPart: (name: string) => boolean): Promise<void> => {
  for (const name of (await readdir(folder)).filter(isPart)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && isLeft(found)) await rm(path, { force: true })
  }
}
