import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startSite } from '../test/support/site.ts'
import { withFolder } from './floors.ts'
import { untilImagesReady } from './gallery.ts'
import { type Bench, row } from './row.ts'

const idleSeconds = 60

/** Resident memory of a process, and of all that it started, in MiB (Linux's /proc). */
const residentMiB = async (root: number): Promise<{ own: number; anonymous: number; children: number }> => {
  const statuses = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      // A process may end between the listing and the reading; it then holds nothing.
      .map((name) => readFile(`/proc/${name}/status`, 'utf8').catch(() => '')),
  )
  const number = (status: string, field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  const processes = statuses.map((status) => ({
    pid: number(status, 'Pid'),
    parent: number(status, 'PPid'),
    mib: number(status, 'VmRSS') / 1024,
    anonymous: number(status, 'RssAnon') / 1024,
  }))
  const started = (pid: number): number =>
    processes
      .filter(({ parent }) => parent === pid)
      .reduce((sum, child) => sum + child.mib + started(child.pid), 0)
  const { mib = 0, anonymous = 0 } = processes.find(({ pid }) => pid === root) ?? {}
  return { own: mib, anonymous, children: started(root) }
}

/** A second start with the samples, after a minute in which nobody comes. */
const bench: Bench = {
  name: `Resident memory, ${idleSeconds} s idle`,
  run: () =>
    withFolder(async (folder) => {
      if (process.platform !== 'linux') {
        console.log('Left out: resident memory is read from /proc, which only Linux has.')
        return []
      }
      const dataDir = join(folder, 'data')
      await mkdir(dataDir)
      const env = { SAMPLES: 'auto' }
      const first = await startSite({ dataDir, env, within: 60_000 })
      await untilImagesReady(first)
      await first.stop()
      const site = await startSite({ dataDir, env })
      try {
        await delay(idleSeconds * 1000)
        const { own, anonymous, children } = await residentMiB(site.process.pid ?? 0)
        return [
          row('server and its children', own + children, 'MiB', { aim: { atMost: 110 } }),
          // The rest is Node's own program, of which the kernel keeps as much in memory as it likes.
          row('of it not mapped from files', anonymous, 'MiB'),
          row('of it the children', children, 'MiB'),
        ]
      } finally {
        await site.stop()
      }
    }),
}
export default bench
