import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const isAlive = (pid: number): boolean => {
  try {
    // signal 0 only asks
    process.kill(pid, 0)
    return true
  } catch (error) {
    // somebody else's process lives as well
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Those of this process: it may open engines more than once. */
const own = new Set<string>()

/**
 * Makes a folder for what this process keeps for a while: a process on servers alone shares `DATA_DIR` with
 * others (decisions 95). Removes those of processes of this machine that were killed.
 * @returns its path
 */
export const makeOwnFolder = (dataDir: string): string => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const mine = `process-${hostname()}-`
  for (const name of readdirSync(dataDir)) {
    const pid = Number(name.startsWith(mine) ? /^(\d+)-/.exec(name.slice(mine.length))?.[1] : undefined)
    const folder = join(dataDir, name)
    // In a container each new process has the number of the one before it.
    const isLeftOver = !own.has(folder) && (pid === process.pid || !isAlive(pid))
    if (!Number.isNaN(pid) && isLeftOver) rmSync(folder, { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(dataDir, `${mine}${process.pid}-`))
  own.add(folder)
  return folder
}

export const removeOwnFolder = async (folder: string): Promise<void> => {
  own.delete(folder)
  await rm(folder, { recursive: true, force: true })
}
