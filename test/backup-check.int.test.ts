import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { createWriteStream } from 'node:fs'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkNewestBackup } from '#composition/roles/check-backup.ts'
import { manifestText } from '#infrastructure/archive/manifest.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { allFixtures, signedIn, unpackFolder } from './fixtures/fixture.ts'
import { atelier, type CliRun } from './support/atelier.ts'
import { type Site, startSite } from './support/site.ts'

const minutes = { timeout: 600_000 }
const [fixture] = (await allFixtures()).toReversed()
const scratchHome = '.atelier-check'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-check-'))
})
afterAll(() => rm(folder, { recursive: true }))

interface Report {
  readonly opened: { readonly messages: number; readonly images: number; readonly documents: number }
  readonly problems: readonly string[]
  readonly notes: readonly string[]
}

const reportOf = ({ output, errors }: CliRun): Report => {
  expect(errors).toBe('')
  return (JSON.parse(output) as { readonly data: Report }).data
}

describe('a backup that is restored for a look', () => {
  let site: Site
  let file: string
  const check = (dataDir: string, path = file, ...more: readonly string[]) =>
    atelier(dataDir, ['--json', 'backup', 'check', path, ...more])

  beforeAll(async () => {
    const dataDir = join(folder, 'site')
    await unpackFolder(fixture?.data ?? '', dataDir)
    site = await startSite({ dataDir })
    await mkdir(join(folder, 'backups'))
    file = join(folder, 'backups', 'site.tar')
    await atelier(dataDir, ['backup', file])
  })
  afterAll(() => site.stop())

  it(
    'opens every letter and some pictures, is what the site shows beside its server, and leaves nothing',
    minutes,
    async () => {
      const { code, output } = await atelier(site.dataDir, ['backup', 'check', file])
      expect(output).toMatch(
        /^Restored the backup of .* for a look in [\d.]+ s: .*\d+ letters and \d+ picture files were opened, and \d+ documents/,
      )
      expect([code, output.split('\n').slice(1, 2)]).toEqual([0, ['Nothing lacks.']])
      const found = reportOf(await check(site.dataDir))
      expect(found).toMatchObject({ problems: [], notes: [] })
      expect(found.opened.messages).toBe(fixture?.letters.length)
      expect(Math.min(found.opened.images, found.opened.documents)).toBeGreaterThan(20)
      expect((await readdir(join(folder, 'backups'))).toSorted()).toEqual(['site.tar', 'site.tar.keys'])
    },
  )

  it.each(['', 'one'])('empties nothing that a link %s in its place leads to', minutes, async (inside) => {
    const others = await mkdtemp(join(folder, 'others-'))
    await mkdir(join(others, 'home'))
    await writeFile(join(others, 'home', 'work'), 'of somebody else', { mode: 0o644 })
    const home = join(folder, 'backups', scratchHome)
    if (inside !== '') await mkdir(home)
    await symlink(others, join(home, inside))
    try {
      expect(await check(site.dataDir)).toMatchObject({ code: 0 })
    } finally {
      await rm(home, { recursive: true, force: true })
    }
    expect(await readdir(others)).toEqual(['home'])
    const { mode } = await stat(join(others, 'home', 'work'))
    expect(mode & 0o777).toBe(0o644)
  })

  it('takes away what a check left that was killed while it tidied up', minutes, async () => {
    const home = join(folder, 'backups', scratchHome)
    await mkdir(join(home, 'left', 'opened'), { recursive: true })
    expect(await check(site.dataDir)).toMatchObject({ code: 0 })
    expect((await readdir(join(folder, 'backups'))).toSorted()).toEqual(['site.tar', 'site.tar.keys'])
  })

  it('is compared with what no later event has changed', minutes, async () => {
    const before = reportOf(await check(site.dataDir)).opened.documents
    const cookie = fixture === undefined ? '' : await signedIn(site.url, fixture)
    const answer = await fetch(`${site.url}/api/categories`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Behind the backup' }),
    })
    // A busy machine may answer before it is shown.
    expect([201, 202]).toContain(answer.status)
    const shown = async () => (await fetch(`${site.url}/api/categories`)).text()
    await vi.waitFor(async () => expect(await shown()).toContain('Behind the backup'), { timeout: 60_000 })
    const after = reportOf(await check(site.dataDir))
    expect([after.problems, after.notes]).toEqual([[], []])
    expect(after.opened.documents).toBeLessThanOrEqual(before)
    expect(after.opened.documents).toBeGreaterThan(20)
  })

  it('goes without a site here, and is not compared with another one', minutes, async () => {
    const alone = reportOf(await check(join(folder, 'none')))
    expect(alone.notes).toEqual(['There is no site here to compare it with'])
    const other = await startSite({})
    try {
      const found = reportOf(await check(other.dataDir))
      expect([found.problems, found.notes]).toEqual([
        [],
        ['The log here is empty, and was not compared with it'],
      ])
    } finally {
      await other.stop()
    }
  })

  it('names damage, missing keys and what nobody can read without them', minutes, async () => {
    const bad = join(folder, 'bad.tar')
    await cp(file, bad)
    expect(await check(site.dataDir, bad)).toMatchObject({
      code: 1,
      output: expect.stringContaining('There is no keys file beside') as string,
    })
    const without = await check(site.dataDir, bad, '--without-keys')
    expect([without.code, reportOf(without).notes]).toEqual([
      0,
      [expect.stringMatching(/^Whether the \d+ letters? can be read was not looked at/)],
    ])
    expect(await check(site.dataDir, join(folder, 'none.tar'), '--without-keys')).toMatchObject({
      code: 1,
      output: expect.stringContaining(`There is no file ${join(folder, 'none.tar')}`) as string,
    })
    const { output } = await atelier(site.dataDir, ['backup', 'check', '--help'])
    expect(output.match(/--keys /g)).toHaveLength(1)
    await truncate(bad, 20_000)
    expect(await check(site.dataDir, bad, '--keys', `${file}.keys`)).toMatchObject({
      code: 1,
      output: expect.stringContaining('The backup is damaged') as string,
    })
    expect(await atelier(site.dataDir, ['backup', 'check'])).toMatchObject({ code: 2 })
  })

  it('says so when there is no room, before anything is written', minutes, async () => {
    const huge = join(folder, 'huge.tar')
    const tar = pack()
    const written = pipeline(tar, createWriteStream(huge))
    const sha256 = 'ab'.repeat(32)
    const manifest = manifestText({
      version: '',
      createdAt: '',
      counts: { events: 0, files: 1, accounts: 0 },
      entries: { [`files/originals/${sha256}`]: { bytes: 9e15, sha256 } },
    })
    tar.entry({ name: 'manifest.json' }, manifest)
    tar.finalize()
    await written
    const run = await check(site.dataDir, huge, '--without-keys')
    expect([run.code, run.output]).toEqual([
      1,
      expect.stringContaining('There is no room to restore the backup'),
    ])
    expect(await readdir(folder)).not.toContain(scratchHome)
  })

  it('is looked into for the night in a process of its own', minutes, async () => {
    const nights = join(folder, 'nights')
    await mkdir(nights)
    const night = join(nights, 'atelier-20261125T030000Z.tar')
    await cp(file, night)
    await cp(`${file}.keys`, `${night}.keys`)
    vi.stubEnv('DATA_DIR', site.dataDir)
    try {
      const { signal } = new AbortController()
      expect(await checkNewestBackup(nights, signal)).toBeNull()
      await writeFile(`${night}.keys`, 'no keys\n')
      expect(await checkNewestBackup(nights, signal)).toContain(
        'is no keys file of a backup, or it is damaged',
      )
      const stopped = new AbortController()
      setImmediate(() => stopped.abort(new Error('The server is stopping')))
      await expect(checkNewestBackup(nights, stopped.signal)).rejects.toThrow('The server is stopping')
      expect(await readdir(nights)).not.toContain(scratchHome)
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

describe('what a backup lacks is named:', () => {
  let dataDir: string
  let file: string
  const withData = <T>(work: (data: DatabaseSync) => T): T => {
    const data = new DatabaseSync(join(dataDir, 'atelier.db'))
    try {
      return work(data)
    } finally {
      data.close()
    }
  }
  const backUp = async (name: string): Promise<string> => {
    const path = join(folder, name)
    await atelier(dataDir, ['backup', path])
    return path
  }
  const problemsOf = async (path: string): Promise<string> => {
    const run = await atelier(dataDir, ['backup', 'check', path])
    expect([run.code, run.output]).toEqual([1, ''])
    return run.errors
  }

  beforeEach(async () => {
    dataDir = await mkdtemp(join(folder, 'lacking-'))
    await unpackFolder(fixture?.data ?? '', dataDir)
    await (await startSite({ dataDir })).stop()
    file = await backUp(`${basename(dataDir)}.tar`)
  })

  it('a picture that has rotted, and one that cannot be decoded', minutes, async () => {
    const originals = join(dataDir, 'files', 'originals')
    const [one = ''] = (await readdir(originals)).toSorted()
    const bytes = await readFile(join(originals, one))
    await writeFile(join(originals, one), bytes.fill(0, Math.floor(bytes.length / 3)))
    const words = await problemsOf(await backUp('rotten.tar'))
    expect(words).toContain(`PROBLEM: The original picture ${one} is not what was uploaded`)
    expect(words).toContain(`PROBLEM: The picture file originals/${one} cannot be opened`)
  })

  it('a letter whose key is lost', minutes, async () => {
    withData((data) =>
      data.exec('DELETE FROM vault_keys WHERE seq IN (SELECT max(seq) FROM vault_keys WHERE erased = 0)'),
    )
    expect(await problemsOf(await backUp('keyless.tar'))).toMatch(/PROBLEM: 1 letter, of .* cannot be read/)
  })

  it('a letter that its key does not open', minutes, async () => {
    withData((data) =>
      data.exec(`UPDATE events SET data = json_set(data, '$.sealed', 'v1.' || json_extract(data, '$.sealed'))
        WHERE position = (SELECT max(position) FROM events WHERE type = 'MessageReceived')`),
    )
    expect(await problemsOf(await backUp('closed.tar'))).toMatch(
      /PROBLEM: 1 letter cannot be opened by the key that is there \(/,
    )
  })

  it('what the site shows otherwise, and a log that has lost events', minutes, async () => {
    const view = withData((data) =>
      String(
        data.prepare("SELECT name FROM sqlite_master WHERE name LIKE 'view_categories_v%'").get()?.['name'],
      ),
    )
    withData((data) => data.exec(`UPDATE "${view}" SET doc = json_set(doc, '$.name', 'Other')`))
    expect(await problemsOf(file)).toMatch(
      /PROBLEM: \d+ of categories are shown here otherwise .* run "atelier projections verify categories"/,
    )
    withData((data) => data.exec('DELETE FROM events WHERE position = (SELECT max(position) FROM events)'))
    expect(await problemsOf(file)).toMatch(
      /PROBLEM: The log here has \d+ events, the backup \d+: .* lost some/,
    )
  })
})

await describeOnServers(
  'a backup of a site on servers',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    it(
      'is restored for a look on engines of the look’s own, and compared with the servers',
      minutes,
      async () => {
        const settings = {
          DATA_DIR: join(folder, 'beside-servers'),
          NAMESPACE: `check-${process.pid}-${Date.now()}`,
          SECRET: 'another secret that the servers are sealed with',
          EVENTSTORE_URL: eventstore.url,
          MONGODB_URL: mongodb.url,
          REDIS_URL: redis.url,
        }
        const archive = fixture?.archive ?? ''
        const restored = await atelier(settings.DATA_DIR, ['restore', archive], '', settings)
        expect([restored.code, restored.errors]).toEqual([0, expect.any(String)])
        const site = await startSite({ dataDir: settings.DATA_DIR, env: settings })
        try {
          const file = join(folder, 'servers.tar')
          await atelier(settings.DATA_DIR, ['backup', file], '', settings)
          const found = reportOf(
            await atelier(settings.DATA_DIR, ['--json', 'backup', 'check', file], '', settings),
          )
          expect([found.problems, found.notes]).toEqual([[], []])
          expect(found.opened.documents).toBeGreaterThan(20)
        } finally {
          await site.stop()
        }
      },
    )
  },
)
