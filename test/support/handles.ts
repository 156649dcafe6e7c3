import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What a running process may open, told and changed from outside. @param pid of the process */
export const handlesOf = (pid: string) => ({
  /** The lowest handle that is not taken: the next file that it opens gets it. */
  free: async (): Promise<number> => {
    const taken = new Set((await readdir(`/proc/${pid}/fd`)).map(Number))
    let free = 0
    while (taken.has(free)) free += 1
    return free
  },
  /** How many it may have. */
  most: async (): Promise<number> =>
    Number(
      (await run('prlimit', ['--pid', pid, '--nofile', '--noheadings', '--raw', '--output=SOFT'])).stdout,
    ),
  allow: async (most: number): Promise<void> => {
    await run('prlimit', ['--pid', pid, `--nofile=${most}:`])
  },
})
