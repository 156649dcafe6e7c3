import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { dataVersion } from '#infrastructure/embedded/schema.ts'
import { allFixtures, type Fixture, typesInBackup, unpackFolder } from './fixtures/fixture.ts'
import { asWritten, foundOf } from './fixtures/opened.ts'
import { atelier } from './support/atelier.ts'

const minutes = { timeout: 600_000 }
const fixtures = await allFixtures()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-fixtures-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The version of what lies in a data folder. */
const formOf = (dataDir: string): number => {
  const data = new DatabaseSync(join(dataDir, 'atelier.db'), { readOnly: true })
  try {
    return Number(data.prepare('PRAGMA user_version').get()?.['user_version'])
  } finally {
    data.close()
  }
}

const restored = async (fixture: Fixture, settings: Readonly<Record<string, string>>): Promise<void> => {
  const run = await atelier(settings['DATA_DIR'] ?? '', ['restore', fixture.archive], '', settings)
  expect([run.code, run.errors]).toEqual([0, expect.any(String)])
}

describe('what an earlier version wrote', () => {
  it('is kept here', () => {
    expect(fixtures.map(({ name }) => name)).toContain('2026-11-22')
  })

  it('holds every type and version of event that was ever stored', async () => {
    const golden = await readdir(join(import.meta.dirname, '../src/application/golden'))
    const held = await Promise.all(fixtures.map(({ archive }) => typesInBackup(archive)))
    const all = new Set(held.flatMap((types) => [...types]))
    // "node test/fixtures/make.ts NAME" makes the site that is missing, see test/fixtures/README.md.
    expect(golden.filter((file) => !all.has(file.replace('.json', '')))).toEqual([])
  })

  it('holds a data folder of the form that is written now', async () => {
    const versions = await Promise.all(
      fixtures.map(async ({ name, data }) => {
        const dataDir = join(folder, `${name}-as-packed`)
        await unpackFolder(data, dataDir)
        return formOf(dataDir)
      }),
    )
    expect(versions).toContain(dataVersion)
  })

  it.each(fixtures)('opens as its data folder: $name', minutes, async (fixture) => {
    const dataDir = join(folder, `${fixture.name}-data`)
    await unpackFolder(fixture.data, dataDir)
    expect(await foundOf(fixture, { DATA_DIR: dataDir })).toEqual(asWritten(fixture))
  })

  it.each(fixtures)('opens as its backup: $name', minutes, async (fixture) => {
    const settings = { DATA_DIR: join(folder, `${fixture.name}-archive`) }
    await restored(fixture, settings)
    expect(await foundOf(fixture, settings)).toEqual(asWritten(fixture))
  })
})

await describeOnServers(
  'what an earlier version wrote, on servers',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    // What lies between them is read alike on every engine, and is opened above.
    it.each([fixtures.at(0), fixtures.at(-1)].filter((each) => each !== undefined))(
      'opens as its backup: $name',
      minutes,
      async (fixture) => {
        const settings = {
          DATA_DIR: join(folder, `${fixture.name}-servers`),
          NAMESPACE: `fixture-${process.pid}-${Date.now()}`,
          SECRET: 'another secret that the servers are sealed with',
          EVENTSTORE_URL: eventstore.url,
          MONGODB_URL: mongodb.url,
          REDIS_URL: redis.url,
        }
        await restored(fixture, settings)
        expect(await foundOf(fixture, settings)).toEqual(asWritten(fixture))
      },
    )
  },
)
