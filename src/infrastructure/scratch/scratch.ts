import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scratch } from '#application/ports/scratch.ts'

/** Names of other files and folders never lead out of the scratch folder. */
const safeName = /^[A-Za-z0-9._-]{1,200}$/

/** A folder for files that are being worked on. What an earlier process left there is removed first. */
export const openScratch = async (folder: string): Promise<Scratch> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = (name: string): string => {
    if (!safeName.test(name) || name.startsWith('.'))
      throw new Error(`Not a name for a scratch file: ${name}`)
    return join(folder, name)
  }
  return {
    path,
    folder: async (name) => {
      const made = path(name)
      await rm(made, { recursive: true, force: true })
      await mkdir(made, { mode: 0o700 })
      return made
    },
    remove: (file) => rm(file, { recursive: true, force: true }),
  }
}
