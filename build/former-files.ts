import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '#application/kernel/reason.ts'

/** What a finished build leaves for the next one. */
export interface Stamp {
  /** hash of what it was made from */
  readonly build: string
  /** names of its own files that carry a hash; not there in a stamp of an earlier version */
  readonly files?: readonly string[]
}

/**
 * Lays the files of the former build beside those of the new one. A server that was started with them runs until it is
 * started anew, and its pages go on naming them. Those that the former build had taken over itself go, unless it is the same build
 * once more.
 * @param from folder of the files whose names carry a hash, of the former build; it may be missing
 * @param to the same of the new one
 * @returns the names of the new build's own
 */
export const carryOver = async (
  from: string,
  to: string,
  former: Stamp | null,
  build: string,
): Promise<readonly string[]> => {
  await mkdir(to, { recursive: true })
  const own = await readdir(to)
  const there = (await readdir(from).catch(unlessMissing)) ?? []
  const stays = new Set(former?.files === undefined || former.build === build ? there : former.files)
  // Another build that ends at the same time may have moved them away.
  for (const file of there)
    if (stays.has(file) && !own.includes(file))
      await copyFile(join(from, file), join(to, file)).catch(unlessMissing)
  return own
}
