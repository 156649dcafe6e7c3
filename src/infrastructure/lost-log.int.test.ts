import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reactorCheckpoint } from '#application/kernel/ports/checkpoints.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { systemClock } from './clock.ts'
import { readConfig } from './config/config.ts'
import { freshStream, someEvent } from './testing/contracts/some-events.ts'
import { openEngines } from './engines.ts'
import { createLog } from './log/log.ts'
import { lostFolder, lostLog } from './lost-log.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-lost-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('whether a log has been lost', () => {
  it('is said also where the folder of the backups cannot be looked at', async () => {
    const dataDir = join(folder, 'older')
    const config = readConfig({ DATA_DIR: dataDir, BACKUP_DIR: join(folder, 'loop') })
    await symlink('loop', join(folder, 'loop'))
    const engines = await openEngines(config, systemClock, createLog('silent'))
    try {
      await engines.eventStore.append(freshStream(), 'no-stream', [someEvent(1)])
      await engines.logMark.place('9999999999999999' as Position)
      expect(await lostLog(engines, config)).toContain('its newest events are gone')
    } finally {
      await engines.close()
    }
  })

  it('a backup that cannot be read may be of a site: no first start goes over it', async () => {
    const backupDir = join(folder, 'nights')
    await mkdir(backupDir)
    const unread = join(backupDir, 'atelier-20261119T020000Z.tar')
    await symlink('/not-mounted/site.tar', unread)
    const config = readConfig({ DATA_DIR: join(folder, 'fresh'), BACKUP_DIR: backupDir })
    expect(await lostFolder(config)).toContain(`a backup that cannot be read (${unread})`)
    // Where nothing else tells of one, it may live in another folder.
    expect(await lostFolder(config)).toContain('Set DATA_DIR to the folder that the site lives in, or mount')
    await rm(unread)
    expect(await lostFolder(config)).toBeNull()
  })

  it('says of what a killed server left beside its data file that it would damage a copy', async () => {
    const dataDir = join(folder, 'killed')
    const config = readConfig({ DATA_DIR: dataDir })
    await (await openEngines(config, systemClock, createLog('silent'))).close()
    await writeFile(join(dataDir, 'secret'), 'x')
    await rm(join(dataDir, 'atelier.db'))
    expect(await lostFolder(config)).toContain('. Put the file back from your copy, or run')
    await writeFile(join(dataDir, 'atelier.db-wal'), 'what came last')
    expect(await lostFolder(config)).toMatch(
      /Put the file back from your copy, after you have moved .*-wal and .*-shm away from beside it.*, or run/,
    )
  })

  it('is not said of one that grows, with its mark, while it is looked at', async () => {
    const config = readConfig({ DATA_DIR: join(folder, 'growing') })
    const engines = await openEngines(config, systemClock, createLog('silent'))
    try {
      const { eventStore, logMark } = engines
      let events = 0
      const grow = async (): Promise<void> => {
        const { position } = await eventStore.append(freshStream(), 'no-stream', [someEvent((events += 1))])
        await logMark.place(position)
      }
      /** Another process writes as soon as one of the two has been read, whichever that is. */
      const thenGrow =
        <T>(read: () => Promise<T>) =>
        async (): Promise<T> => {
          const found = await read()
          await grow()
          return found
        }
      await grow()
      const beside = {
        ...engines,
        eventStore: { ...eventStore, head: thenGrow(() => eventStore.head()) },
        logMark: { ...logMark, read: thenGrow(() => logMark.read()) },
      }
      expect(await lostLog(beside, config)).toBeNull()
      expect(events).toBe(3)
    } finally {
      await engines.close()
    }
  })

  it('is said of an older folder that was put back, mark and all, by what stands on MongoDB', async () => {
    const config = readConfig({ DATA_DIR: join(folder, 'put-back') })
    const engines = await openEngines(config, systemClock, createLog('silent'))
    const besideMongo = { ...config, mongodbUrl: 'mongodb://127.0.0.1' }
    try {
      const { position } = await engines.eventStore.append(freshStream(), 'no-stream', [someEvent(1)])
      await engines.logMark.place(position)
      await engines.checkpoints.place(reactorCheckpoint, position)
      expect(await lostLog(engines, besideMongo)).toBeNull()
      await engines.checkpoints.place(reactorCheckpoint, '9999999999999999' as Position)
      expect(await lostLog(engines, besideMongo)).toContain('its newest events are gone')
    } finally {
      await engines.close()
    }
  })

  it('is whole beside a lost data file: that is told, whatever the mark in its folder says', async () => {
    const config = readConfig({ DATA_DIR: join(folder, 'bare') })
    const engines = await openEngines(config, systemClock, createLog('silent'))
    const onEventStore = { ...config, eventStoreUrl: 'esdb://127.0.0.1' }
    try {
      const { position } = await engines.eventStore.append(freshStream(), 'no-stream', [someEvent(1)])
      await engines.logMark.place(position)
      expect(await lostLog(engines, onEventStore)).toContain(
        'atelier.db is empty, although the log has events',
      )
      await engines.checkpoints.place(reactorCheckpoint, position)
      expect(await lostLog(engines, onEventStore)).toBeNull()
    } finally {
      await engines.close()
    }
  })
})
