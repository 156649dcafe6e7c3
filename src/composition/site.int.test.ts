import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { readConfig } from '#infrastructure/config/config.ts'
import { DataFolderInUse } from '#infrastructure/embedded/data-folder.ts'
import { createLog } from '#infrastructure/log/log.ts'
import type * as lossWatch from './loss-watch.ts'
import type * as operatorsDoor from './reachable.ts'
import { openSite } from './site.ts'

const watched = vi.hoisted(() => ({ begun: 0, ended: 0 }))
vi.mock('./loss-watch.ts', async (importOriginal) => {
  const original = await importOriginal<typeof lossWatch>()
  return {
    ...original,
    startLossWatch: (...given: Parameters<typeof original.startLossWatch>) => {
      watched.begun += 1
      const watch = original.startLossWatch(...given)
      return {
        ...watch,
        stop: () => {
          watched.ended += 1
          watch.stop()
        },
      }
    },
  }
})

/** What is begun last keeps the site from being opened. */
const kept = vi.hoisted((): { by: Error | null } => ({ by: null }))
vi.mock('./reachable.ts', async (importOriginal) => {
  const original = await importOriginal<typeof operatorsDoor>()
  return {
    ...original,
    reachable: async (...given: Parameters<typeof original.reachable>) => {
      if (kept.by !== null) throw kept.by
      return original.reachable(...given)
    },
  }
})

describe('a site that cannot be opened', () => {
  let dataDir: string
  const log = createLog('silent')
  beforeEach(async () => {
    kept.by = new Error('no door can be made')
    dataDir = await mkdtemp(join(tmpdir(), 'atelier-unopened-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  const open = (settings = {}) =>
    openSite({
      config: readConfig({ DATA_DIR: dataDir, SAMPLES: 'off', LOG_LEVEL: 'silent', ...settings }),
      clock: systemClock,
      log,
      version: '0.0.0-test',
    })

  it('leaves nothing running, and can be opened once what kept it from it is gone', async () => {
    await expect(open()).rejects.toThrow('no door can be made')
    expect(watched).toEqual({ begun: 1, ended: 1 })

    kept.by = null
    const site = await open()
    await site.ready
    await site.close()
    expect(watched).toEqual({ begun: 2, ended: 2 })
  })

  it('warns once of what the settings allow, however often it is tried again', async () => {
    kept.by = new EngineAway('log', 'The event log does not answer just now')
    const told: string[] = []
    vi.spyOn(log, 'warn').mockImplementation((_: unknown, words = '') => {
      told.push(words)
      if (words.startsWith('The start waits')) kept.by = null
    })
    const site = await open({ FETCH_ALLOW_PRIVATE: '1' })
    await site.ready
    await site.close()
    expect(told.filter((words) => words.startsWith('The start waits'))).toHaveLength(1)
    expect(told.filter((words) => words.startsWith('FETCH_ALLOW_PRIVATE'))).toHaveLength(1)
  })

  it('is one beside a server that runs on the folder, also where its lock was removed by hand', async () => {
    kept.by = null
    const site = await open()
    await site.ready
    await rm(join(dataDir, 'lock.db'))
    await expect(open()).rejects.toThrow(DataFolderInUse)
    await site.close()
    const next = await open()
    await next.ready
    await next.close()
  })
})
