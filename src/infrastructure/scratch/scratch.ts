import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import type { Scratch } from '#application/kernel/ports/scratch.ts'

/** Names of other files and folders never lead out of the scratch folder. */
const safeName = /^[A-Za-z0-9._-]{1,200}$/

/**
 * A folder for files that are being worked on. What an earlier process left there is removed first, not the folder
 * itself: on a full disk it could not be made again.
 * @param isShort whether the disk has no room for such work now
 */
export const openScratch = async (folder: string, isShort: () => boolean): Promise<Scratch> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const left of await readdir(folder)) await rm(join(folder, left), { recursive: true, force: true })
  const path = (name: string): string => {
    if (!safeName.test(name) || name.startsWith('.'))
      throw new Error(`Not a name for a scratch file: ${name}`)
    return join(folder, name)
  }
  return {
    path,
    folder: async (name) => {
      const made = path(name)
      if (isShort()) throw new DiskFull()
      await rm(made, { recursive: true, force: true })
      await mkdir(made, { mode: 0o700 })
      return made
    },
    remove: (file) => rm(file, { recursive: true, force: true }),
  }
}
