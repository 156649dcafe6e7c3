import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemClock } from '#infrastructure/clock.ts'
import { type Embedded, openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { allProjections } from '#projections/all-projections.ts'
import { viewLease } from '#projections/view-leases.ts'
import { type ProjectorRole, projectByViews } from './projector.ts'

const names = allProjections.map(({ view }) => view.name)
const log = createLog('silent')

let dataDir: string
let engines: Embedded
let role: ProjectorRole
/** loses the lease of a view, as a process does that stood still */
let lose: (view: string) => void
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atelier-led-'))
  engines = await openEmbedded({ dataDir, secret: null, clock: systemClock, log })
  const losing = new Map<string, AbortController>()
  const { tryAcquire } = engines.leases
  const leases: Embedded['leases'] = {
    ...engines.leases,
    tryAcquire: async (name, holder) => {
      const lease = await tryAcquire(name, holder)
      if (lease === null) return null
      const lost = new AbortController()
      losing.set(name, lost)
      return { ...lease, lost: AbortSignal.any([lease.lost, lost.signal]) }
    },
  }
  lose = (view) => {
    const projection = allProjections.find((each) => each.view.name === view)
    if (projection !== undefined) losing.get(viewLease(projection))?.abort(new Error('The lease is lost'))
  }
  role = projectByViews({ ...engines, leases }, log, () => undefined)
  await vi.waitUntil(() => role.leads().length === names.length, { timeout: 60_000, interval: 10 })
})
afterEach(async () => {
  await role.stop()
  await engines.close()
  await rm(dataDir, { recursive: true })
})

it('reports of the views that it still leads, when it loses one that it was asked for', async () => {
  const { signal } = new AbortController()
  const [first = ''] = names
  const verified = role.builder()?.('verify', { views: [], fresh: true, signal, onProgress: () => undefined })
  lose(first)
  const views = (await verified)?.views.map(({ view }) => view) ?? []
  expect(views).not.toContain(first)
  expect(views).toEqual(names.slice(1))
})

it('does not hide that who asked has left', async () => {
  const asking = new AbortController()
  const options = { views: [], fresh: true, signal: asking.signal, onProgress: () => undefined }
  asking.abort()
  await expect(role.builder()?.('verify', options)).rejects.toThrow('Stopped')
})
