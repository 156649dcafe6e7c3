import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from './log/log.ts'
import { describeOnServers } from './cluster/testing/servers.ts'
import { systemClock } from './clock.ts'
import { readConfig } from './config/config.ts'
import { freshStream, someEvent } from './testing/contracts/some-events.ts'
import { DataFolderInUse } from './embedded/data-folder.ts'
import type { Engines } from './engine-sets.ts'
import { openEngines } from './engines.ts'

const log = createLog('silent')
const folders: string[] = []
const opened: Engines[] = []

/** Engines on the folder, as these settings ask for them. */
const open = async (dataDir: string, settings: Readonly<Record<string, string>>): Promise<Engines> => {
  const engines = await openEngines(readConfig({ DATA_DIR: dataDir, ...settings }), systemClock, log)
  opened.push(engines)
  return engines
}

const freshFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-sets-'))
  folders.push(folder)
  return folder
}

afterEach(async () => {
  for (const engines of opened.splice(0)) await engines.close()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

const view = { name: 'works', version: 1, indexes: [] }

/** Writes to and reads from one engine of each group. */
const expectAllToWork = async (engines: Engines): Promise<void> => {
  const stream = freshStream()
  const { position } = await engines.eventStore.append(stream, 'no-stream', [someEvent(1)])
  expect(await engines.eventStore.head()).toBe(position)
  await engines.documents.prepare([view])
  await engines.documents.write([{ view, put: [{ id: 'a' }], remove: [], from: null, to: position }])
  expect(await engines.documents.checkpoints([view])).toEqual([position])
  await engines.files.put('originals/a', Buffer.from('whole'))
  expect(await engines.files.size('originals/a')).toBe(5)
  const limit = { name: 'logins', points: 2, windowMs: 60_000 }
  expect((await engines.rateLimits.hit(limit, randomUUID())).allowed).toBe(true)
  await expect.poll(() => engines.unanswered()).toEqual([])
  // A server may not tell.
  expect((await engines.freeBytes()) ?? 1).toBeGreaterThan(0)
}

describe('the embedded engines', () => {
  it('hold the data folder alone, and let it go at the end', async () => {
    const folder = await freshFolder()
    const engines = await open(folder, {})
    await expectAllToWork(engines)
    await expect(open(folder, {})).rejects.toBeInstanceOf(DataFolderInUse)
    await engines.close()
    await expectAllToWorkAgain(folder)
  })
})

const expectAllToWorkAgain = async (folder: string): Promise<void> => {
  const engines = await open(folder, {})
  expect(await engines.eventStore.readAll(null, 10)).toHaveLength(1)
}

await describeOnServers(
  'engines on servers',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    const addresses = {
      EVENTSTORE_URL: eventstore.url,
      MONGODB_URL: mongodb.url,
      REDIS_URL: redis.url,
    }
    const secret = { SECRET: 's'.repeat(32) }
    const fresh = () => ({ ...secret, NAMESPACE: `t${randomUUID().slice(0, 8)}` })

    it.each(['EVENTSTORE_URL', 'MONGODB_URL', 'REDIS_URL'] as const)(
      'run with %s alone: the others are embedded and hold the folder',
      async (name) => {
        const folder = await freshFolder()
        const settings = { ...fresh(), [name]: addresses[name] }
        const engines = await open(folder, settings)
        await expectAllToWork(engines)
        expect(existsSync(join(folder, 'atelier.db'))).toBe(true)
        expect(existsSync(join(folder, 'files'))).toBe(name !== 'MONGODB_URL')
        await expect(open(folder, settings)).rejects.toBeInstanceOf(DataFolderInUse)
      },
    )

    it('run with all three beside others: nothing is locked and nothing kept in the folder', async () => {
      const folder = await freshFolder()
      const settings = { ...fresh(), ...addresses }
      const engines = await open(folder, settings)
      await expectAllToWork(engines)
      const other = await open(folder, settings)
      expect(await other.eventStore.readAll(null, 10)).toHaveLength(1)
      expect(await readdir(folder)).toEqual([])
    })

    it('tell of the room where pictures are kept, not of the folder', async () => {
      const engines = await open(await freshFolder(), { ...fresh(), MONGODB_URL: addresses.MONGODB_URL })
      expect(engines.freeBytes).toBe(engines.files.room)
    })
  },
)
