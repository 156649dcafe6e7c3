import { codeOf } from '#application/kernel/reason.ts'
import { access, constants, stat } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import { isFromFuture, isUnchecked, readBackupCheck, readBackupStatus } from '#jobs/backup-schedule.ts'
import type { Config } from '#infrastructure/config/config.ts'
import { isLink, leadsNowhereInWords, ofCode } from '#infrastructure/disk-words.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { keptArchives } from '#infrastructure/archive/kept-archives.ts'
import { goneInWords } from '#infrastructure/archive/nightly.ts'
import { inWords } from './doctor-checks.ts'
import { type Finding, hint, ok, problem } from './finding.ts'

const oldBackupMs = 36 * 60 * 60_000

/** Why nothing can be put into a folder, or it cannot be made where it lacks, in words; null when it can. */
const unwritableInWords = async (folder: string): Promise<string | null> => {
  try {
    if (!(await stat(folder)).isDirectory()) return ofCode('ENOTDIR', folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    const above = dirname(folder)
    if (codeOf(error) !== 'ENOENT' || above === folder) return inWords(error)
    return (await isLink(folder)) ? leadsNowhereInWords(folder) : unwritableInWords(above)
  }
}

/** Whether the last backup lies where it was put, in words; null when it does, or may be what cannot be read. */
const goneSince = async (folder: string, last: string): Promise<string | null> => {
  const { archives, unread } = await keptArchives(folder)
  if (unread.length > 0) return null
  const newest = archives
    .map(({ manifest }) => manifest.createdAt)
    .toSorted()
    .at(-1)
  if (newest === undefined) return goneInWords(last, folder)
  // It is named after the moment it was begun.
  return Date.parse(last) - Date.parse(newest) > oldBackupMs
    ? `The last backup was finished at ${last}, and the newest in ${folder} is from ${newest}: the others lie elsewhere, or are lost`
    : null
}

/** Whoever loses the data folder loses what is in it. */
const checkPlace = ({ backupDir, dataDir }: Config): readonly Finding[] =>
  backupDir === null || relative(dataDir, backupDir).split(sep)[0] === '..'
    ? []
    : hint(
        'backup',
        `Backups lie in the folder of the site itself (${backupDir}), and are lost with it. Set BACKUP_DIR to a folder on ` +
          'another disk, and move those that are there into it',
      )

/** When the last backup was made, whether the next can be, and where it goes. */
export const checkBackups = async (
  engines: Engines,
  config: Config,
  now: Date,
): Promise<readonly Finding[]> => [...(await checkLastBackup(engines, config, now)), ...checkPlace(config)]

const checkLastBackup = async (
  { effects }: Engines,
  { backupDir, backupCheck }: Config,
  now: Date,
): Promise<readonly Finding[]> => {
  const status = await readBackupStatus(effects)
  if (backupDir === null && status === null) {
    return hint('backup', 'No backup is made at night. Set BACKUP_DIR to a folder on another disk')
  }
  const unwritable = backupDir === null ? null : await unwritableInWords(backupDir)
  if (unwritable !== null) return problem('backup', `No backup can be made: ${unwritable}`)
  const last = status?.finishedAt ?? null
  if (status !== null && status.error !== null) {
    const since = last === null ? 'None was finished yet' : `The last one was finished at ${last}`
    return problem('backup', `${since}, and the last time something was wrong: ${status.error}`)
  }
  if (last === null) return hint('backup', 'No backup was made yet; the worker makes one within the day')
  if (isFromFuture(last, now)) {
    return problem('backup', `The last backup is from ${last}, which is still to come. Set the clock (NTP)`)
  }
  if (now.getTime() - Date.parse(last) > oldBackupMs) {
    return problem(
      'backup',
      `The last backup is from ${last}. Let the worker run at night, or run "atelier backup FILE"`,
    )
  }
  const gone = backupDir === null ? null : await goneSince(backupDir, last)
  if (gone !== null) return problem('backup', gone)
  const check = await readBackupCheck(effects)
  const made = `The last backup is from ${last}`
  if (check === null || isUnchecked({ finishedAt: last }, check, now))
    return backupCheck
      ? hint('backup', `${made}; the worker restores it for a look within the hour`)
      : ok('backup', made)
  return check.error === null
    ? ok('backup', `${made}; it was restored at ${check.at} for a look, and nothing lacked`)
    : problem('backup', `${made}; it was restored at ${check.at} for a look: ${check.error}`)
}
