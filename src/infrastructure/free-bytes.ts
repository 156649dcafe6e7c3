import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** @returns bytes that may still be written on the disk of a folder, or of where it would be made */
export const freeBytesAt = async (folder: string): Promise<number> => {
  if (!existsSync(folder) && dirname(folder) !== folder) return freeBytesAt(dirname(folder))
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
