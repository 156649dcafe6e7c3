import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '#application/kernel/reason.ts'
import { isPartOfKey } from '#application/kernel/ports/files.ts'

/**
 * The files below a folder that a site can have put there. What others leave in it is passed over, by its name, and folders
 * of such names with all that they hold: `.DS_Store`, `lost+found`, "Copy of …", what a network's disk keeps of removed files.
 * @returns paths
 * @throws what the system says of a folder that cannot be read
 */
export const ownFiles = async (folder: string): Promise<readonly string[]> => {
  const found: string[] = []
  for (const each of await readdir(folder, { withFileTypes: true })) {
    if (!isPartOfKey(each.name)) continue
    const path = join(folder, each.name)
    if (each.isDirectory())
      // Taken away since it was listed.
      found.push(...((await ownFiles(path).catch(unlessMissing)) ?? []))
    else if (each.isFile()) found.push(path)
  }
  return found
}
