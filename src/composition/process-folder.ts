import { join } from 'node:path'
import { DataFolderInUse, lockDataFolder } from '#infrastructure/embedded/data-folder.ts'

/**
 * Takes a folder below `DATA_DIR` that no other process uses, for what is only kept for a while.
 * The first that is free, so that what a killed process left is taken over and not gathered.
 */
export const takeProcessFolder = (
  dataDir: string,
): { readonly path: string; readonly release: () => void } => {
  for (let n = 1; ; n += 1) {
    const path = join(dataDir, 'processes', String(n))
    try {
      return { path, release: lockDataFolder(path) }
    } catch (error) {
      if (!(error instanceof DataFolderInUse)) throw error
    }
  }
}
