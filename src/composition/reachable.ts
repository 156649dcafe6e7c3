import { type Config, isShared } from '#infrastructure/config/config.ts'
import { DataFolderInUse } from '#infrastructure/embedded/data-folder.ts'
import type { ServerPorts } from '#operator/command/carry-out.ts'
import { processName } from './process-name.ts'

/** A server that stands still is waited for so long, in ms: it may hold the folder all the same. */
const answersWithinMs = 1_000

/**
 * Keeps a second server from the folder of one that runs, also where somebody took `lock.db` for what a crash had left and
 * removed it: the kernel's lock went with the file, and each would fold the log into the same views.
 * @throws {DataFolderInUse}
 */
export const refuseServedFolder = async (config: Config): Promise<void> => {
  if (isShared(config)) return
  const { doesServerAnswer } = await import('#operator/command/control.ts')
  if ((await doesServerAnswer(config.dataDir, answersWithinMs)) !== null)
    throw new DataFolderInUse(config.dataDir)
}

/** How operators' commands reach this process: by its folder's socket, or by a record that all processes share. */
export const reachable = async (ports: ServerPorts): Promise<{ readonly stop: () => Promise<void> }> => {
  if (!isShared(ports.config)) {
    const { startControl } = await import('#operator/command/control.ts')
    const control = await startControl(ports)
    return { stop: async () => void control?.close() }
  }
  if (!ports.config.roles.includes('projector')) return { stop: async () => undefined }
  const [{ takeRequests }, { carryOut }] = await Promise.all([
    import('#operator/command/request-box.ts'),
    import('#operator/command/carry-out.ts'),
  ])
  return takeRequests(
    { ...ports.engines, of: processName },
    {
      isMine: () => ports.builder() !== null,
      carryOut: (asked, task) => carryOut(ports, asked, task),
      log: ports.log,
    },
  )
}
