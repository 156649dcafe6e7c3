import { statfs } from 'node:fs/promises'

/** @returns bytes that may still be written on the disk of a folder (decisions 109) */
export const freeBytesAt = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
