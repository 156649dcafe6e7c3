import { setTimeout as pause } from 'node:timers/promises'
import type { Lease } from '#application/ports/leases.ts'
import type { ReadModels } from '#application/ports/read-models.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { createPasswords } from '#infrastructure/passwords/passwords.ts'
import { allProjections } from '#projections/all-projections.ts'
import { type Projector, startProjector } from '#projections/projector.ts'
import { composeApplication } from './compose-application.ts'
import type { EnginePorts, SettingsPorts, SitePorts, Task } from './operator/operation.ts'
import type { Asked, Outcome } from './operator/order.ts'
import { askByRequest } from './operator/request-box.ts'
import { workerRuns } from './operator/worker-runs.ts'
import { takeProcessFolder } from './process-folder.ts'
import { projectorLease } from './projector-role.ts'

/** The engines for as long as `work` takes. `read`: beside a server that runs. */
export const withEngines = async <T>(
  ports: SettingsPorts,
  access: 'hold' | 'read',
  work: (ports: EnginePorts) => Promise<T>,
): Promise<T> => {
  const engines = await openEngines(ports.config, ports.clock, ports.log, access)
  try {
    return await work({ ...ports, engines })
  } finally {
    await engines.close()
  }
}

/** A projector of one's own, up to date. To be used by whoever holds the folder's lock or the lease. */
export const withProjector = async <T>(
  { engines, log }: EnginePorts,
  work: (projector: Projector) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => {
  const { eventStore, documents } = engines
  const projections = allProjections
  const projector = startProjector({ eventStore, documents, projections, log, ...(signal && { signal }) })
  try {
    await projector.ready
    return await work(projector)
  } finally {
    await projector.stop()
  }
}

const withApplication = async <T>(
  ports: EnginePorts,
  {
    readModels,
    ...of
  }: { readonly folder: string; readonly readModels: ReadModels } & Pick<SitePorts, 'runsJobs'>,
  work: (ports: SitePorts) => Promise<T>,
): Promise<T> => {
  const { config, engines, clock } = ports
  const app = await composeApplication({ ...config, dataDir: of.folder }, engines, clock, readModels)
  try {
    return await work({ ...ports, app, passwords: createPasswords(), runsJobs: of.runsJobs })
  } finally {
    await app.pictures.close()
    await app.safeFetch.close()
  }
}

/** The site on engines that nobody else holds. */
export const withSite = <T>(ports: EnginePorts, work: (ports: SitePorts) => Promise<T>): Promise<T> =>
  withProjector(ports, (readModels) =>
    withApplication(ports, { folder: ports.config.dataDir, runsJobs: async () => false, readModels }, work),
  )

/** The site on servers, beside whatever processes are at work on them. */
export const withSharedSite = async <T>(
  ports: EnginePorts,
  work: (ports: SitePorts) => Promise<T>,
): Promise<T> => {
  const { followViews } = await import('#projections/followed-views.ts')
  const { eventStore, documents } = ports.engines
  const folder = takeProcessFolder(ports.config.dataDir)
  const views = followViews({ eventStore, documents, projections: allProjections, log: ports.log })
  try {
    const runsJobs = () => workerRuns(ports.engines.leases)
    return await withApplication(ports, { folder: folder.path, runsJobs, readModels: views }, work)
  } finally {
    await views.stop()
    folder.release()
  }
}

/** Operators ask one after the other. */
const askingLease = 'operator'
const lookMs = 500

/** The lease, or what the process that has it came to when it was asked. */
const leaseOrOutcome = async (
  { engines }: EnginePorts,
  asked: Asked,
  task: Task,
): Promise<Lease | Outcome> => {
  const mine = await engines.leases.acquire(askingLease, task.signal)
  try {
    for (;;) {
      const lease = await engines.leases.tryAcquire(projectorLease)
      if (lease !== null) return lease
      const outcome = await askByRequest(engines, asked, task)
      if (outcome !== null) return outcome
      // Killed a moment ago, perhaps: its lease ends soon.
      await pause(lookMs, undefined, { signal: task.signal })
    }
  } finally {
    await mine.release()
  }
}

/**
 * Has something done by whichever process projects; with none, by a projector of one's own, under its lease.
 * @param work what to do with one's own
 */
export const withSharedProjector = async (
  ports: EnginePorts,
  asked: Asked,
  task: Task,
  work: (projector: Projector) => Promise<Outcome>,
): Promise<Outcome> => {
  const got = await leaseOrOutcome(ports, asked, task)
  if (!('lost' in got)) return got
  try {
    return await withProjector(ports, work, got.lost)
  } finally {
    await got.release()
  }
}
