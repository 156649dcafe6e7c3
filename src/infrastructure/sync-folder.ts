import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { codeOf } from '#application/kernel/reason.ts'

/**
 * What is said where a folder cannot be synced at all, as on some disks of a network or of a virtual machine. No more can be done
 * there, and what was written is as durable as it gets.
 */
const cannotSync = ['EINVAL', 'ENOTSUP', 'ENOSYS']

const unlessImpossible = (error: unknown): void => {
  if (!cannotSync.includes(codeOf(error) ?? '')) throw error
}

/** Makes the names in a folder durable: a rename is on the disk only when its folder is. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync().catch(unlessImpossible)
  } finally {
    await folder.close()
  }
}

/** Makes what a file holds durable. */
export const syncFile = async (path: string): Promise<void> => {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A folder, while everybody else waits. */
export const syncFolderAtOnce = (path: string): void => {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } catch (error) {
    unlessImpossible(error)
  } finally {
    closeSync(folder)
  }
}
