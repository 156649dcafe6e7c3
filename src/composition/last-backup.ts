import { type Config, isShared } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import type { WebDeps } from '#web/server/deps.ts'

/** The last nightly backup, wherever it was made; null where none is to be made. */
export const lastBackup = async ({ effects }: Engines, config: Config): ReturnType<WebDeps['backup']> => {
  // On shared engines another process may be the one that has the folder.
  if (config.backupDir === null && !isShared(config)) return null
  const { readBackupCheck, readBackupStatus } = await import('#jobs/backup-schedule.ts')
  const [made, check] = await Promise.all([readBackupStatus(effects), readBackupCheck(effects)])
  if (made === null && config.backupDir === null) return null
  return { ...(made ?? { finishedAt: null, error: null }), check }
}
