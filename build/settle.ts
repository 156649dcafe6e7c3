import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '#infrastructure/sync-folder.ts'

const syncFile = async (path: string): Promise<void> => {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Brings all that a folder holds to the disk. A file system may bring a small file that is written anew there long before what
 * was written earlier: behind a power cut the stamp of a build would stand beside empty files.
 */
export const settle = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await Promise.all(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return entry.isDirectory() ? syncFolder(path) : syncFile(path)
    }),
  )
  await syncFolder(folder)
}
