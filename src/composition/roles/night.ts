import type { Clock } from '#application/kernel/ports/clock.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import { diskInWords } from '#infrastructure/disk-words.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'

/**
 * Makes the backup of a night, and takes from all keys files what was erased meanwhile; what that needs is loaded only
 * then.
 * @param of.backupDir where it goes
 * @param of.version of this program
 * @returns what is wrong with the site, in words; null when nothing is
 */
export const backUpOfNight =
  (of: {
    readonly engines: Engines
    readonly clock: Clock
    readonly backupDir: string
    readonly version: string
  }) =>
  async (signal: AbortSignal): Promise<string | null> => {
    const { engines, clock, backupDir, version } = of
    const [
      { backUpNightly },
      { neededOriginals },
      { neededMessageKeys },
      { forgetKeys },
      { readBackupStatus },
    ] = await Promise.all([
      import('#infrastructure/archive/nightly.ts'),
      import('#application/images/lacking.ts'),
      import('#application/messages/needed-keys.ts'),
      import('#infrastructure/archive/forget-keys.ts'),
      import('#jobs/backup-schedule.ts'),
    ])
    const createdAt = clock.now().toISOString()
    const { complaint } = await backUpNightly(engines, backupDir, {
      version,
      createdAt,
      now: clock.now,
      signal,
      needed: neededOriginals,
      neededKeys: neededMessageKeys,
      eraseAgain: engines.keyVault.erase,
      last: (await readBackupStatus(engines.effects))?.finishedAt ?? null,
    }).catch((error: unknown) => {
      throw diskInWords(error)
    })
    try {
      // What was erased while the archive was read again.
      await forgetKeys(backupDir, await engines.keyVault.erasedIds(), signal)
      return complaint
    } catch (error) {
      // The archive is whole all the same: another one an hour later would help nobody.
      return complaint ?? reasonOf(diskInWords(error))
    }
  }
