import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, isMissing } from '#application/kernel/reason.ts'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import type { Scratch } from '#application/kernel/ports/scratch.ts'
import { isFailing, mayNotBeUsed, unusable } from '../disk-words.ts'

/** Names of other files and folders never lead out of the scratch folder. */
const safeName = /^[A-Za-z0-9._-]{1,200}$/

/** Whether the disk takes no change here, whatever is tried. */
const takesNoChange = (error: unknown): boolean => mayNotBeUsed(error) || isFailing(error)

/**
 * A folder for files that are being worked on. What an earlier process left there is removed first, not the folder
 * itself: on a full disk it could not be made again. A folder elsewhere that a link leads to may hold what is not ours.
 * @param isShort whether the disk has no room for such work now
 */
export const openScratch = async (folder: string, isShort: () => boolean): Promise<Scratch> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const left = (await lstat(folder)).isSymbolicLink() ? [] : await readdir(folder)
  for (const name of left) await rm(join(folder, name), { recursive: true, force: true })
  const path = async (name: string): Promise<string> => {
    if (!safeName.test(name) || name.startsWith('.'))
      throw new Error(`Not a name for a scratch file: ${name}`)
    // Somebody may have tidied it away. Where the folder around it is gone too, that is another trouble.
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) === 'EEXIST') return
      throw isMissing(error) || takesNoChange(error) ? unusable(error) : error
    })
    return join(folder, name)
  }
  return {
    path,
    folder: async (name) => {
      if (isShort()) throw new DiskFull()
      const made = await path(name)
      try {
        await rm(made, { recursive: true, force: true })
        await mkdir(made, { mode: 0o700 })
      } catch (error) {
        throw takesNoChange(error) ? unusable(error) : error
      }
      return made
    },
    // What was made of it counts, and why nothing was: what stays, also where a disk of the network keeps it until nobody has it
    // open, goes at the next start.
    remove: (file) =>
      rm(file, { recursive: true, force: true }).catch((error: unknown) => {
        if (codeOf(error) === null) throw error
      }),
  }
}
