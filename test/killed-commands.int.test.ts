import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventLine } from '#application/kernel/archive/event-line.ts'
import { fillingRecord } from '#infrastructure/archive/filling-record.ts'
import { keptArchives } from '#infrastructure/archive/kept-archives.ts'
import { readKeys } from '#infrastructure/archive/keys-file.ts'
import { checkArchive } from '#infrastructure/archive/read-archive.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { readConfig } from '#infrastructure/config/config.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { allFixtures, sha256Of, unpackFolder } from './fixtures/fixture.ts'
import { asWritten, foundOf } from './fixtures/opened.ts'
import { retitles } from './support/retitles.ts'
import { seeded } from '#infrastructure/testing/seeded.ts'
import { wholeLog } from './support/evidence.ts'

const here = import.meta.dirname
const cli = join(here, '../src/cli.ts')
const counting = pathToFileURL(join(here, 'support/count-steps.ts')).href
const log = createLog('silent')
const minutes = { timeout: 600_000 }
const [fixture] = (await allFixtures()).toReversed()
if (fixture === undefined) throw new Error('There is no fixture')

type Settings = Readonly<Record<string, string>> & { readonly DATA_DIR: string }

const random = seeded(Number(process.env['CRASH_SEED'] ?? 13))
/** More kills find more. */
const more = Number(process.env['CRASH_TIMES'] ?? 1)

/** Runs a program that counts its steps. @param killAt the step that it does not survive */
const run = async (program: readonly string[], settings: Settings, killAt = 0) => {
  const child = spawn(process.execPath, [...program], {
    env: { ...process.env, ...settings, NODE_OPTIONS: `--import=${counting}`, KILL_AT: String(killAt) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, said: output + errors, steps: Number(/\d+$/.exec(errors)?.[0] ?? 0) }
}

/** Runs it to its end. @returns how many steps that took */
const runWhole = async (program: readonly string[], settings: Settings): Promise<number> => {
  const { code, said, steps } = await run(program, settings)
  expect([code, said]).toEqual([0, expect.any(String)])
  return steps
}

/** Kills it again and again, half of the times where most is put into its place. @param look at what each has left */
const killed = async (
  program: readonly string[],
  settings: Settings,
  { steps, kills }: { readonly steps: number; readonly kills: number },
  look: () => Promise<void>,
): Promise<void> => {
  let times = 0
  for (; times < kills * more; times += 1) {
    const share = times % 2 === 0 ? random() : 1 - 0.1 * random()
    const { code } = await run(program, settings, Math.ceil(steps * share))
    // One that goes on where another ended has less to do.
    if (code !== null) break
    await look()
  }
  expect(times).toBeGreaterThan(0)
}

/** What is in a place, but for its views. */
const stateOf = async (settings: Settings, bringing: 'restore' | 'move' = 'restore') => {
  const engines = await openEngines(readConfig(settings), systemClock, log, 'read')
  try {
    const { eventStore, files, accounts, keyVault, effects } = engines
    const events = createHash('sha256')
    for (const event of await wholeLog(eventStore)) events.update(`${eventLine(event)}\n`)
    const { keys, erasedIds } = await keyVault.takeOut()
    const names = (await Promise.all(['originals/', 'images/'].map((each) => files.list(each)))).flat()
    const images = new Map<string, string>()
    for (const name of names.toSorted()) {
      const file = await files.open(name)
      if (file !== null) images.set(name, await sha256Of(file.stream))
    }
    return {
      isUnderWay: (await fillingRecord(bringing, effects).underWay()) !== null,
      isEmpty: (await eventStore.head()) === null,
      log: events.digest('hex'),
      keys: keys.map(({ subjectId, key }) => `${subjectId} ${Buffer.from(key).toString('hex')}`).toSorted(),
      erased: erasedIds.toSorted(),
      accounts: (await accounts.all()).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      images,
    }
  } finally {
    await engines.close()
  }
}

let folder: string
let home: Settings
let archive: string
/** By which other commands are measured: a restore takes 1.3 times as many, on servers 2.6, a look 1.7. */
let backupSteps: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-kills-'))
  home = { DATA_DIR: join(folder, 'home') }
  await unpackFolder(fixture.data, home.DATA_DIR)
  const engines = await openEmbedded({ dataDir: home.DATA_DIR, secret: null, clock: systemClock, log })
  // More than one append takes.
  await engines.eventStore.appendInOrder(retitles(600, 20))
  await engines.close()
  archive = join(folder, 'site.tar')
  backupSteps = await runWhole([cli, 'backup', archive], home)
})
afterAll(() => rm(folder, { recursive: true }))

/** Kills what brings the site into a place several times, and lets it go on to its end. @param steps that it takes, about */
const broughtAfterKills = async (
  bringing: 'restore' | 'move',
  { place, settings = place, steps }: { place: Settings; settings?: Settings; steps: number },
) => {
  const wanted = await stateOf(home)
  const program = [cli, ...(bringing === 'move' ? ['move', '--to', 'servers'] : ['restore', archive])]
  await killed(program, settings, { steps, kills: 3 }, async () => {
    const found = await stateOf(place, bringing).catch(() => null)
    const isBegun = found !== null && !(found.isEmpty && found.images.size === 0 && found.keys.length === 0)
    // What is on its way is known to be.
    if (isBegun && !found.isUnderWay) expect(found).toEqual(wanted)
    expect(await stateOf(home)).toEqual(wanted)
  })
  const { code, said } = await run(program, settings)
  if (code !== 0) expect(said).toMatch(/There is a site (here )?already/)
  expect(await stateOf(home)).toEqual(wanted)
  return { found: await stateOf(place, bringing), wanted }
}

const wholeArchive = (path: string) => checkArchive(path, { signal: new AbortController().signal })
const keysIn = async (place: string): Promise<readonly string[]> =>
  (await readdir(place)).filter((name) => name.endsWith('.keys') && !name.startsWith('.'))

describe('killed wherever it is, and run again,', () => {
  it('a restore brings all of it', minutes, async () => {
    const place = { DATA_DIR: join(folder, 'restored') }
    const { found, wanted } = await broughtAfterKills('restore', { place, steps: 1.3 * backupSteps })
    expect(found).toEqual(wanted)
    expect(await foundOf(fixture, place)).toEqual(asWritten(fixture))
  })

  it('a backup leaves the one before, or is there', minutes, async () => {
    const file = join(folder, 'again.tar')
    await cp(archive, file)
    await cp(`${archive}.keys`, `${file}.keys`)
    const { logSha256 } = await wholeArchive(file)
    const { keys } = await readKeys(`${file}.keys`)
    const look = async (): Promise<void> => {
      expect((await wholeArchive(file)).logSha256).toBe(logSha256)
      expect((await readKeys(`${file}.keys`)).keys).toEqual(keys)
    }
    await killed([cli, 'backup', file], home, { steps: backupSteps, kills: 3 }, look)
    await runWhole([cli, 'backup', file], home)
    await look()
  })

  it('a backup of the night takes no older one away before it is there', minutes, async () => {
    const nights = join(folder, 'nights')
    const settings = { ...home, BACKUP_DIR: nights }
    const night = [join(here, 'support/one-night.ts')]
    const steps = await runWhole(night, settings)
    for (let day = 1; day <= 7; day += 1) await cp(archive, join(nights, `atelier-2026010${day}T030000Z.tar`))
    await killed(night, settings, { steps, kills: 3 }, async () => {
      expect((await keptArchives(nights)).archives.length).toBeGreaterThanOrEqual(7)
      const names = await keysIn(nights)
      expect(names.length).toBeGreaterThan(0)
      for (const name of names) await readKeys(join(nights, name))
    })
    await runWhole(night, settings)
    const { archives, unread } = await keptArchives(nights)
    expect([archives.length, unread]).toEqual([7, []])
    for (const { path } of archives) await wholeArchive(path)
    expect(await keysIn(nights)).toEqual([`${archives[0]?.name}.keys`])
  })

  it('a look into a backup leaves no key that can be used, and in the end nothing', minutes, async () => {
    const check = [cli, 'backup', 'check', archive]
    const nowhere = { DATA_DIR: join(folder, 'nowhere') }
    await killed(check, nowhere, { steps: 1.7 * backupSteps, kills: 2 }, async () => {
      const left = await readdir(join(folder, '.atelier-check'), { recursive: true }).catch(() => [])
      expect(left.filter((name) => name.endsWith('secret'))).toEqual([])
    })
    await runWhole(check, nowhere)
    expect(await readdir(folder)).not.toContain('.atelier-check')
  })
})

await describeOnServers(
  'killed wherever it is on servers, and run again,',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    const servers = (dataDir: string) => ({
      DATA_DIR: dataDir,
      SECRET: 'another secret that the servers are sealed with',
      EVENTSTORE_URL: eventstore.url,
      MONGODB_URL: mongodb.url,
      REDIS_URL: redis.url,
    })

    it('a restore brings all of it', minutes, async () => {
      const NAMESPACE = `kills-${process.pid}-${Date.now()}`
      const place = { ...servers(join(folder, 'restored-on-servers')), NAMESPACE }
      const { found, wanted } = await broughtAfterKills('restore', { place, steps: 2.6 * backupSteps })
      expect(found).toEqual(wanted)
    })

    it('a move brings all of it, and leaves the old site as it was', minutes, async () => {
      const NAMESPACE = `moves-${process.pid}-${Date.now()}`
      const place = { ...servers(join(folder, 'moved-to-servers')), NAMESPACE }
      const settings = { ...servers(home.DATA_DIR), NAMESPACE }
      const { found, wanted } = await broughtAfterKills('move', {
        place,
        settings,
        steps: 2.6 * backupSteps,
      })
      expect(found).toEqual(wanted)
    })
  },
)
