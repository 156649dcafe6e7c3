import { isShared } from '#infrastructure/config/config.ts'
import type { ServerPorts } from '#operator/command/carry-out.ts'
import { processName } from './process-name.ts'

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
