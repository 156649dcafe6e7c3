import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originalKey } from '#application/images/image-files.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { DATA_VERSION } from '#infrastructure/embedded/schema.ts'
import { readConfig } from '#infrastructure/config/config.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { createLog } from '#infrastructure/log/log.ts'
import {
  allFixtures,
  type Fixture,
  sha256Of,
  type SiteAsSeen,
  siteAsSeen,
  typesInBackup,
  unpackFolder,
} from './fixtures/fixture.ts'
import { atelier } from './support/atelier.ts'
import { wholeLog } from './support/evidence.ts'
import { startSite } from './support/site.ts'

const minutes = { timeout: 180_000 }
const fixtures = await allFixtures()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-fixtures-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The same account opens the site. @returns the owner's cookie */
const signedIn = async (url: string, { username, password }: Fixture): Promise<string> => {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** What a site on these settings has of a fixture, and what became of its views. */
const foundOf = async (
  fixture: Fixture,
  settings: Readonly<Record<string, string>> & { readonly DATA_DIR: string },
) => {
  const { DATA_DIR: dataDir } = settings
  const site = await startSite({ dataDir, env: settings, within: 90_000 })
  let seen: SiteAsSeen
  try {
    seen = await siteAsSeen(site.url, await signedIn(site.url, fixture))
  } finally {
    await site.stop()
  }
  const verify = await atelier(dataDir, ['projections', 'verify', '--all'], '', settings)
  const engines = await openEngines(readConfig(settings), systemClock, createLog('silent'), 'read')
  try {
    const log = await wholeLog(engines.eventStore)
    const types = new Set(log.map((event) => `${event.type}.v${event.schemaVersion}`))
    const lost: string[] = []
    for (const hash of Object.keys(fixture.pictures)) {
      const original = await engines.files.open(originalKey(hash))
      if (original === null || (await sha256Of(original.stream)) !== hash) lost.push(hash)
    }
    return {
      seen,
      verified: { code: verify.code, errors: verify.code === 0 ? '' : verify.output + verify.errors },
      typesWithoutEvent: fixture.types.filter((type) => !types.has(type)),
      lostEvents: Math.max(0, fixture.events - log.length),
      originalsLost: lost,
    }
  } finally {
    await engines.close()
  }
}

/** The version of what lies in a data folder. */
const formOf = (dataDir: string): number => {
  const data = new DatabaseSync(join(dataDir, 'atelier.db'), { readOnly: true })
  try {
    return Number(data.prepare('PRAGMA user_version').get()?.['user_version'])
  } finally {
    data.close()
  }
}

/** Everything that was written is there: the site starts on it, shows it, and its views are what the log says. */
const asWritten = ({ content, ...fixture }: Fixture) => {
  const { artworks, deleted, categories, mediums, posts, letters: messages, pictures: images } = fixture
  // A text that a later version adds has no place in an older site.
  const texts: unknown = expect.objectContaining(content)
  return {
    seen: {
      artworks,
      deleted,
      categories,
      mediums,
      posts,
      letters: messages,
      pictures: images,
      content: texts,
    },
    verified: { code: 0, errors: '' },
    typesWithoutEvent: [],
    lostEvents: 0,
    originalsLost: [],
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
    expect(versions).toContain(DATA_VERSION)
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
    it.each(fixtures)('opens as its backup: $name', minutes, async (fixture) => {
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
    })
  },
)
