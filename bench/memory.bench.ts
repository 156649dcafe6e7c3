import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Site, startSite } from '../test/support/site.ts'
import { withFolder } from './floors.ts'
import { untilImagesReady } from './gallery.ts'
import { hangSome, hourOfWork, mixedRequests } from './mixed-load.ts'
import { childrenOf, heapOf, residentOf } from './resident.ts'
import { type Bench, type Row, row } from './row.ts'
import { missingServers, servers } from './servers.ts'

const idleSeconds = 60
const requests = 130_000

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)

/** Resident memory of the server and of the processes that it started, in MiB. */
const residentNow = async (site: Site) => {
  const pid = site.process.pid ?? 0
  const own = await residentOf(pid)
  const children = await Promise.all((await childrenOf(pid)).map(residentOf))
  return { ...own, children: sum(children.map(({ anonymous, files }) => anonymous + files)) }
}

/** A line of the course: what grows for ever shows by its column. */
const courseLine = async (site: Site, what: string): Promise<void> => {
  const { anonymous, files, children } = await residentNow(site)
  const { used, heap, external } = await heapOf(site.url)
  const native = anonymous - heap - external
  const columns = { anonymous, files, 'heap used': used, heap, external, native, children }
  const cells = Object.entries(columns).map(([name, mib]) => `${name} ${mib.toFixed(0).padStart(3)}`)
  console.log(`${what.padEnd(18)} ${cells.join('   ')}`)
}

/** A second start with the samples: a minute in which nobody comes, then a rush, then an hour of work. */
const measure = async (on: string, env: Record<string, string>, dataDir: string): Promise<Row[]> => {
  const first = await startSite({ dataDir, env, within: 60_000 })
  await hangSome(first)
  await untilImagesReady(first, 600_000)
  await first.stop()
  const site = await startSite({ dataDir, env, within: 60_000 })
  try {
    await delay(idleSeconds * 1000)
    const idle = await residentNow(site)
    console.log(`Course ${on}, in MiB`)
    await courseLine(site, 'idle')
    await mixedRequests(site, requests, requests / 10, (sent) => courseLine(site, `${sent} requests`))
    await hourOfWork(site, async (minute) => {
      if (minute % 10 === 0) await courseLine(site, `${minute} minutes`)
    })
    const worked = await residentNow(site)
    await delay(idleSeconds * 1000)
    await courseLine(site, 'a minute later')
    return [
      row(
        `${on}: server and its children, ${idleSeconds} s idle`,
        idle.anonymous + idle.files + idle.children,
        'MiB',
        {
          aim: { atMost: 110 },
        },
      ),
      row('of it not mapped from files', idle.anonymous, 'MiB'),
      row('of it the children', idle.children, 'MiB'),
      row(
        `${on}: server after ${requests} requests and an hour of work`,
        worked.anonymous + worked.files,
        'MiB',
        {
          aim: { atMost: 220 },
        },
      ),
      row('of it not mapped from files', worked.anonymous, 'MiB'),
    ]
  } finally {
    await site.stop()
  }
}

const bench: Bench = {
  name: `Resident memory: idle, after ${requests} requests, after an hour of work`,
  run: () =>
    withFolder(async (folder) => {
      if (process.platform !== 'linux') {
        console.log('Left out: resident memory is read from /proc, which only Linux has.')
        return []
      }
      const dataDir = join(folder, 'data')
      await mkdir(dataDir)
      const rows = await measure('embedded', { SAMPLES: 'auto' }, dataDir)
      const missing = missingServers()
      if (missing !== null) {
        console.log(`Left out on three servers: ${missing}`)
        return rows
      }
      const shared = {
        ...servers,
        NAMESPACE: `memory${Date.now()}`,
        SECRET: 'a secret that only this bench uses',
      }
      return [
        ...rows,
        ...(await measure('on three servers', { ...shared, SAMPLES: 'auto' }, join(folder, 'shared'))),
      ]
    }),
}
export default bench
