import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eachOf } from '#application/kernel/turns.ts'
import { syncFile, syncFolder } from '#infrastructure/sync-folder.ts'

/** Files that are open at once: a machine may have few handles. */
const mostOpen = 16

/**
 * Brings all that a folder holds to the disk. A file system may bring a small file that is written anew there long before what
 * was written earlier: behind a power cut the stamp of a build would stand beside empty files.
 */
export const settle = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await eachOf(entries, mostOpen, (entry) => {
    const path = join(entry.parentPath, entry.name)
    return entry.isDirectory() ? syncFolder(path) : syncFile(path)
  })
  await syncFolder(folder)
}
