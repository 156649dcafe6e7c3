import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#infrastructure/clock.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { readConfig } from '#infrastructure/config/config.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { allFixtures, unpackFolder } from './fixtures/fixture.ts'
import { asWritten, foundOf } from './fixtures/opened.ts'
import { retitles } from './support/retitles.ts'
import { atelier } from './support/atelier.ts'
import { startSite } from './support/site.ts'

const cli = join(import.meta.dirname, '../src/cli.ts')
const log = createLog('silent')
const minutes = { timeout: 600_000 }
const fixtures = await allFixtures()

type Settings = Readonly<Record<string, string>> & { readonly DATA_DIR: string }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-move-'))
})
afterAll(() => rm(folder, { recursive: true }))

const move = (settings: Settings, to: string) =>
  atelier(settings.DATA_DIR, ['move', '--to', to], '', settings)

/** Every file of a data folder by its bytes; but for what holds it and SQLite's index for readers. */
const bytesOf = async (dataDir: string): Promise<Readonly<Record<string, string>>> => {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((each) => each.isFile() && !/^(lock\.db|atelier\.db-(shm|wal))/.test(each.name))
    .map((each) => join(each.parentPath, each.name))
  const read = paths.map(async (path) => [
    path,
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  ])
  return Object.fromEntries(await Promise.all(read)) as Readonly<Record<string, string>> // made of pairs
}

describe('atelier move', () => {
  const nowhere = {
    EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
    MONGODB_URL: 'mongodb://127.0.0.1:1/',
    REDIS_URL: 'redis://127.0.0.1:1',
  }

  it('says which settings it lacks', async () => {
    const settings = { DATA_DIR: join(folder, 'none') }
    expect(await move({ ...settings, ...nowhere }, 'servers')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('SECRET is needed') as string,
    })
    expect(await move({ ...settings, REDIS_URL: nowhere.REDIS_URL }, 'servers')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('set EVENTSTORE_URL, MONGODB_URL too') as string,
    })
    const SECRET = 'a secret that the servers are sealed with'
    expect(await move({ ...settings, ...nowhere, SECRET }, 'servers')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('There is no site in') as string,
    })
    expect(await atelier(settings.DATA_DIR, ['move'])).toMatchObject({ code: 2 })
  })
})

await describeOnServers(
  'a site that moves by one command',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    let spaces = 0
    /** The servers with nothing on them, and a data folder beside. */
    const beside = (dataDir: string): Settings => ({
      DATA_DIR: dataDir,
      NAMESPACE: `move-${process.pid}-${Date.now()}-${(spaces += 1)}`,
      SECRET: 'another secret that the servers are sealed with',
      EVENTSTORE_URL: eventstore.url,
      MONGODB_URL: mongodb.url,
      REDIS_URL: redis.url,
    })

    it.each(fixtures)(
      'onto servers, the oldest and the newest back again: $name',
      minutes,
      async (fixture) => {
        const home = join(folder, `${fixture.name}-home`)
        await unpackFolder(fixture.data, home)
        const before = await bytesOf(home)
        const onto = beside(home)
        const there = await move(onto, 'servers')
        expect([there.code, there.errors]).toEqual([0, expect.any(String)])
        expect(there.output).toMatch(/^Moved \d+ events, \d+ picture files, 1 account, \d+ message keys\./)
        expect(await bytesOf(home)).toEqual(before)
        // The move itself has compared what is there with what it read. Back goes what this version wrote, whoever it came from.
        if (![fixtures.at(0), fixtures.at(-1)].includes(fixture)) return
        const onServers = { ...onto, DATA_DIR: join(folder, `${fixture.name}-servers`) }
        expect(await foundOf(fixture, onServers)).toEqual(asWritten(fixture))
        // It is not written over there, nor does it take the folder's place.
        for (const to of ['servers', 'folder'])
          expect(await move(onto, to)).toMatchObject({
            code: 1,
            errors: expect.stringContaining('There is a site already where this one would move to') as string,
          })
        const back = { ...onto, DATA_DIR: join(folder, `${fixture.name}-back`) }
        const again = await move(back, 'folder')
        expect([again.code, again.errors]).toEqual([0, expect.any(String)])
        const alone = { DATA_DIR: back.DATA_DIR, SECRET: onto['SECRET'] ?? '' }
        expect(await foundOf(fixture, alone)).toEqual(asWritten(fixture))
      },
    )

    it('whose SECRET was set, though another secret lies in its folder', minutes, async () => {
      const fixture = fixtures.at(-1)
      if (fixture === undefined) throw new Error('No site of before is kept')
      const home = join(folder, 'secret-set')
      await unpackFolder(fixture.data, home)
      const path = join(home, 'secret')
      const onto = { ...beside(home), SECRET: (await readFile(path, 'utf8')).trim() }
      await writeFile(path, 'a secret that lies in the folder and seals nothing\n')
      const there = await move(onto, 'servers')
      expect([there.code, there.errors]).toEqual([0, expect.any(String)])
    })

    it('not while a server runs on either side', minutes, async () => {
      const dataDir = join(folder, 'running')
      const onto = beside(dataDir)
      const site = await startSite({ dataDir })
      try {
        const run = await move(onto, 'servers')
        expect([run.code, run.errors]).toEqual([
          1,
          expect.stringContaining('in use by another Atelier, a server or an operator’s command'),
        ])
      } finally {
        await site.stop()
      }
      const onServers = await startSite({
        dataDir: join(folder, 'running-on-servers'),
        env: { ...onto, DATA_DIR: join(folder, 'running-on-servers') },
      })
      try {
        for (const [to, each] of [
          ['servers', onto],
          ['folder', { ...onto, DATA_DIR: join(folder, 'running-back') }],
        ] as const) {
          const run = await move(each, to)
          expect([run.code, run.errors]).toEqual([1, expect.stringContaining('A server process runs')])
        }
      } finally {
        await onServers.stop()
      }
    })

    describe('killed in the middle', () => {
      const files = 12
      let home: string
      beforeAll(async () => {
        home = join(folder, 'large')
        const engines = await openEmbedded({ dataDir: home, secret: null, clock: systemClock, log })
        await engines.eventStore.appendInOrder(retitles(2_000, 50))
        for (let n = 0; n < files; n += 1)
          await engines.files.put(`originals/${String(n).padStart(64, '0')}`, randomBytes(1_500_000))
        await engines.keyVault.seal('m1', 'a letter')
        await engines.close()
      })

      /** Kills a move as soon as the place that it fills is seen so. */
      const killedWhen = async (
        settings: Settings,
        to: string,
        seen: (place: Engines) => Promise<boolean>,
        place: Settings,
      ): Promise<void> => {
        const child = spawn(process.execPath, [cli, 'move', '--to', to], {
          env: { ...process.env, ...settings },
          stdio: 'ignore',
        })
        const ended = once(child, 'exit')
        let looking: Engines | null = null
        while (child.exitCode === null && child.signalCode === null) {
          // A folder is there to be looked into once it has its tables.
          looking ??= await openEngines(readConfig(place), systemClock, log, 'read').catch(() => null)
          if (looking !== null && (await seen(looking))) break
          await pause(5)
        }
        child.kill('SIGKILL')
        await ended
        await looking?.close()
        expect(child.signalCode).toBe('SIGKILL')
      }
      const someFiles = async ({ files: store }: Engines): Promise<boolean> =>
        (await store.list('originals/')).length > 2
      const someEvents = async ({ eventStore }: Engines): Promise<boolean> =>
        (await eventStore.head()) !== null

      const exported = async (settings: Settings): Promise<string> => {
        const file = join(folder, `${randomUUID()}.gz`)
        const run = await atelier(settings.DATA_DIR, ['events', 'export', file], '', settings)
        expect([run.code, run.errors]).toEqual([0, expect.any(String)])
        return createHash('sha256')
          .update(await readFile(file))
          .digest('hex')
      }

      /** What stands in a place, apart from its log. */
      const restOf = async (settings: Settings) => {
        const engines = await openEngines(readConfig(settings), systemClock, log, 'read')
        try {
          const { keys } = await engines.keyVault.takeOut()
          return {
            files: (await engines.files.list('originals/')).length,
            keys: keys.map((key) => key.subjectId),
          }
        } finally {
          await engines.close()
        }
      }

      it('goes on when it is begun again, and no server starts meanwhile', minutes, async () => {
        const onto = beside(home)
        const servers = { ...onto, DATA_DIR: join(folder, 'large-servers') }
        await killedWhen(onto, 'servers', someFiles, servers)
        await killedWhen(onto, 'servers', someEvents, servers)
        await expect(startSite({ dataDir: servers.DATA_DIR, env: servers })).rejects.toThrow(
          'A move to this place was broken off: run the same "atelier move" again',
        )
        const other = join(folder, 'large-other')
        await unpackFolder(fixtures[0]?.data ?? '', other)
        expect(await move({ ...onto, DATA_DIR: other }, 'servers')).toMatchObject({
          code: 1,
          errors: expect.stringContaining('A move of another site was broken off there') as string,
        })
        const moved = await move(onto, 'servers')
        expect([moved.code, moved.errors]).toEqual([0, expect.any(String)])
        const log = await exported({ DATA_DIR: home })
        expect(await exported(servers)).toBe(log)
        expect(await restOf(servers)).toEqual({ files, keys: ['m1'] })

        const back = { ...onto, DATA_DIR: join(folder, 'large-back') }
        const alone = { DATA_DIR: back.DATA_DIR, SECRET: onto['SECRET'] ?? '' }
        await killedWhen(back, 'folder', someFiles, alone)
        await killedWhen(back, 'folder', someEvents, alone)
        await expect(startSite({ dataDir: back.DATA_DIR, env: alone })).rejects.toThrow(
          'A move to this place',
        )
        const again = await move(back, 'folder')
        expect([again.code, again.errors]).toEqual([0, expect.any(String)])
        expect(await exported(alone)).toBe(log)
        expect(await restOf(alone)).toEqual({ files, keys: ['m1'] })
      })
    })
  },
)
