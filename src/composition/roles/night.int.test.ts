import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#infrastructure/clock.ts'
import { readConfig } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { backUpOfNight } from './night.ts'

describe('the backup of a night', () => {
  let folder: string
  let backupDir: string
  let engines: Engines
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-night-'))
    backupDir = join(folder, 'backups')
    engines = await openEngines(
      readConfig({ DATA_DIR: join(folder, 'data') }),
      systemClock,
      createLog('silent'),
    )
  })
  afterEach(async () => {
    await engines.close()
    await rm(folder, { recursive: true })
  })

  const backUp = () =>
    backUpOfNight({ engines, clock: systemClock, backupDir, version: '0.0.0-test' })(
      new AbortController().signal,
    )
  const archives = async () => (await readdir(backupDir)).filter((name) => name.endsWith('.tar'))

  // What a night counts for is the schedule's (src/jobs/backup-schedule.ts): here it resolves, and does not fail.
  it('counts once its archive is whole, also where a keys file of before cannot be looked into', async () => {
    const damaged = join(backupDir, 'moved', 'atelier-20250101T030000Z.tar.keys')
    await mkdir(join(backupDir, 'moved'), { recursive: true })
    await writeFile(damaged, 'not a keys file')
    expect(await backUp()).toContain(`${damaged} is damaged`)
    expect(await archives()).toHaveLength(1)

    await rm(damaged)
    expect(await backUp()).toBeNull()
  })
})
