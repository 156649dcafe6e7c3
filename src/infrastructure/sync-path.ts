import { open } from 'node:fs/promises'

/** Brings what is written into a file, or the names in a folder, to the disk. @param flags to open it with */
export const syncPath = async (path: string, flags: 'r' | 'r+'): Promise<void> => {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the names in a folder durable: a rename is on the disk only when its folder is. */
export const syncFolder = (path: string): Promise<void> => syncPath(path, 'r')
