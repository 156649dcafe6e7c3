import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { atelier } from './support/atelier.ts'
import { signIn, startSite } from './support/site.ts'
import { goOn, standStill } from './support/stand-still.ts'
import { upload } from './support/upload.ts'

/** A small image of its own. */
const image = join(import.meta.dirname, '../src/infrastructure/images/test-data/cmyk-patches.jpg')

/** Nothing is under way any more: the log stays as it is. */
const untilQuiet = (url: string, cookie: string): Promise<unknown> =>
  vi.waitUntil(
    async () => {
      const answer = await fetch(`${url}/api/jobs`, { headers: { cookie } })
      const { items } = (await answer.json()) as { readonly items: readonly { readonly state: string }[] }
      return items.length > 0 && items.every(({ state }) => state === 'done')
    },
    { timeout: 60_000, interval: 50 },
  )

const addCategory = (url: string, cookie: string, name: string, key?: string) =>
  fetch(`${url}/api/categories`, {
    method: 'POST',
    headers: {
      cookie,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({ name }),
  })

/** Every file below a folder with its size. */
const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  const sizes = await Promise.all(files.map(async (path) => `${path} ${(await stat(path)).size}`))
  return sizes.toSorted()
}

const inData = (dataDir: string, statement: string): void => {
  const data = new DatabaseSync(join(dataDir, 'atelier.db'))
  data.exec(statement)
  data.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  data.close()
}

/** The views that know a place in the log, of every version. */
const placesIn = (dataDir: string): readonly string[] => {
  const data = new DatabaseSync(join(dataDir, 'atelier.db'), { readOnly: true })
  const rows = data.prepare('SELECT view FROM view_checkpoints').all()
  data.close()
  return rows.map(({ view }) => String(view))
}

/** What a start says that must not succeed. */
const refusal = async (dataDir: string, env: Record<string, string> = {}): Promise<string> => {
  const site = await startSite({ dataDir, env }).catch((error: unknown) => error)
  if (site instanceof Error) return site.message
  await (site as { stop: () => Promise<void> }).stop()
  throw new Error('The site started')
}

/** How a site on a folder answers once it has started; stopped then. */
const answerOf = async (dataDir: string): Promise<number> => {
  const site = await startSite({ dataDir })
  const { status } = await fetch(site.url)
  await site.stop()
  return status
}

describe('a site whose log was lost', () => {
  let folder: string
  let whole: string
  let backups: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-lost-'))
    whole = join(folder, 'whole')
    backups = join(folder, 'backups')
    const site = await startSite({ dataDir: whole })
    const cookie = await signIn(site)
    await upload(site, cookie, new Blob([await readFile(image)]))
    for (const name of ['Monsoon', 'Desert'])
      if (!(await addCategory(site.url, cookie, name)).ok) throw new Error(`${name} was refused`)
    await untilQuiet(site.url, cookie)
    await mkdir(backups)
    const backup = await atelier(whole, ['backup', join(backups, 'atelier-20260101T030000Z.tar')])
    if (backup.code !== 0) throw new Error(backup.errors)
    await site.stop()
  })
  afterAll(() => rm(folder, { recursive: true }))

  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(folder, 'data-'))
    await cp(whole, dataDir, { recursive: true })
  })

  it('starts from a copy that was made while it was stopped, and from one without the mark', async () => {
    await rm(join(dataDir, 'log.mark'))
    await (await startSite({ dataDir })).stop()
    expect(await readFile(join(dataDir, 'log.mark'), 'utf8')).toBe(
      await readFile(join(whole, 'log.mark'), 'utf8'),
    )
    await writeFile(join(dataDir, 'log.mark'), 'no mark')
    await (await startSite({ dataDir })).stop()
    expect((await stat(join(dataDir, 'log.mark'))).mode & 0o777).toBe(0o600)
  })

  const databases = ['atelier.db', 'atelier.db-wal', 'atelier.db-shm']
  it.each<[string, () => Promise<void>, RegExp]>([
    [
      'is missing',
      async () => {
        for (const name of databases) await rm(join(dataDir, name), { force: true })
      },
      /atelier\.db is missing, although there is a site: .*mark.*secret of a site.*1 original picture/s,
    ],
    [
      'is missing, and of an older version without the mark',
      async () => {
        for (const name of [...databases, 'log.mark']) await rm(join(dataDir, name), { force: true })
      },
      /atelier\.db is missing, although there is a site: the secret of a site and 1 original picture/,
    ],
    [
      'has no byte',
      async () => {
        for (const name of databases.slice(1)) await rm(join(dataDir, name), { force: true })
        await truncate(join(dataDir, 'atelier.db'))
      },
      /atelier\.db is empty, although there is a site/,
    ],
    [
      'has no event',
      async () => inData(dataDir, 'DELETE FROM events'),
      /is empty, although there is a site: the place 0+\d+ that the log had reached/,
    ],
    [
      'has no event, and of an older version',
      async () => {
        await rm(join(dataDir, 'log.mark'))
        inData(dataDir, 'DELETE FROM events')
      },
      /is empty, although there is a site: 1 original picture\./,
    ],
    [
      'lacks its newest event',
      async () => inData(dataDir, 'DELETE FROM events WHERE position = (SELECT max(position) FROM events)'),
      /ends at 0+\d+, before the place 0+\d+ that it had reached.*projections rebuild --all --fresh/,
    ],
  ])(
    'is refused a start when the log %s; nothing is changed, doctor says the same',
    async (_, lose, words) => {
      await lose()
      const before = await filesIn(dataDir)
      const said = await refusal(dataDir)
      expect(said).toMatch(/Atelier cannot start\./)
      expect(said).toMatch(words)
      expect(said).toMatch(/"atelier (events accept|projections rebuild --all --fresh)"/)
      const doctor = await atelier(dataDir, ['doctor'])
      expect([doctor.code, doctor.errors]).toEqual([1, expect.stringMatching(words)])
      const sweep = await atelier(dataDir, ['images', 'sweep'])
      expect([sweep.code, sweep.errors]).toEqual([1, expect.stringMatching(words)])
      const besideLocks = (paths: readonly string[]) =>
        paths.filter((path) => !/lock\.db|-shm|-wal/.test(path))
      expect(besideLocks(await filesIn(dataDir))).toEqual(besideLocks(before))
    },
  )

  it.each([
    ['replaced by a copy', () => cp(join(whole, 'atelier.db'), join(dataDir, 'copy.db'))],
    ['removed', () => Promise.resolve()],
  ])(
    'that is %s under a running server is said to be, shown no more and written no more',
    async (how, copy) => {
      await copy()
      const site = await startSite({ dataDir })
      try {
        const before = await fetch(site.url)
        expect(before.status).toBe(200)
        const path = join(dataDir, 'atelier.db')
        await (how === 'removed' ? rm(path) : rename(join(dataDir, 'copy.db'), path))
        const words =
          /atelier\.db (was (replaced|removed) while this server runs|is missing, although there is a site)/
        await vi.waitFor(
          async () => {
            const ready = await fetch(`${site.url}/readyz`)
            expect([ready.status, await ready.text()]).toEqual([503, expect.stringMatching(words)])
            expect(site.output()).toMatch(words)
          },
          { timeout: 60_000, interval: 50 },
        )
        expect((await fetch(site.url)).status).toBe(503)
        const message = await fetch(`${site.url}/api/contact`, { method: 'POST' })
        expect([message.status, await message.text()]).toEqual([503, expect.stringContaining('try again')])
      } finally {
        await site.stop()
      }
    },
  )

  it('that is written over in place under a running server is said to be damaged, and written no more', async () => {
    const site = await startSite({ dataDir })
    try {
      const path = join(dataDir, 'atelier.db')
      // The file stays the one that is open.
      await writeFile(path, Buffer.alloc((await stat(path)).size, 0xff), { flag: 'r+' })
      const message = { name: 'Asha', email: 'asha@example.org', subject: 'general', message: 'Hello' }
      const write = () =>
        fetch(`${site.url}/api/contact`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(message),
        })
      const refused = await write()
      expect([refused.status, await refused.text()]).toEqual([
        503,
        expect.stringContaining('atelier restore'),
      ])
      const ready = await fetch(`${site.url}/readyz`)
      expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('is damaged')])
      await expect.poll(() => site.output()).toContain('Until then nothing is saved')
      expect((await write()).status).toBe(503)
    } finally {
      await site.stop()
    }
  })

  it('is backed up with the same words, and not exported over what an earlier export has', async () => {
    inData(dataDir, 'DELETE FROM events')
    const words = /is empty, although there is a site: the place 0+\d+ that the log had reached/
    const backup = await atelier(dataDir, ['backup', join(dataDir, 'rest.tar')])
    expect([backup.code, backup.errors]).toEqual([1, expect.stringMatching(words)])
    expect(backup.errors).not.toContain('found whole')
    expect((await readdir(dataDir)).filter((name) => name.startsWith('rest.tar'))).toEqual([])
    const file = join(dataDir, 'events.gz')
    await writeFile(file, 'an earlier export')
    const exported = await atelier(dataDir, ['events', 'export', file])
    expect([exported.code, exported.errors]).toEqual([1, expect.stringMatching(words)])
    expect(await readFile(file, 'utf8')).toBe('an earlier export')
  })

  it('goes on with what is left once an operator takes that as it is', async () => {
    const former = await startSite({ dataDir })
    const key = 'a new category, sent once'
    expect((await addCategory(former.url, await signIn(former), 'Gone', key)).status).toBe(201)
    await former.stop()
    inData(
      dataDir,
      "DELETE FROM events WHERE position > (SELECT min(position) FROM events WHERE type = 'CategoryAdded')",
    )
    // Of the version before, to which there is a way back.
    inData(
      dataDir,
      "INSERT INTO view_checkpoints (view, position) SELECT 'categories_v0', max(position) FROM view_checkpoints",
    )
    const accepted = await atelier(dataDir, ['events', 'accept'])
    expect([accepted.code, accepted.errors]).toEqual([0, expect.any(String)])
    expect(placesIn(dataDir)).toEqual([])
    const site = await startSite({ dataDir })
    const names = (await (await fetch(`${site.url}/api/categories`)).json()) as { name: string }[]
    expect(names.map(({ name }) => name)).toEqual(['Monsoon'])
    expect((await atelier(dataDir, ['projections', 'verify', '--all'])).code).toBe(0)
    const cookie = await signIn(site)
    expect((await addCategory(site.url, cookie, 'Harvest')).status).toBe(201)
    // What the former log had under this key is not there: it is done, not answered as done.
    expect((await addCategory(site.url, cookie, 'Gone', key)).status).toBe(201)
    expect(await (await fetch(`${site.url}/api/categories`)).text()).toContain('Gone')
    await site.stop()
    await (await startSite({ dataDir })).stop()
  })

  it('goes on with an older copy that is built from anew, which takes its log as it is', async () => {
    const former = await startSite({ dataDir })
    const owner = await signIn(former)
    expect((await addCategory(former.url, owner, 'Gone')).status).toBe(201)
    await former.stop()
    for (const name of databases) await rm(join(dataDir, name), { force: true })
    await cp(join(whole, 'atelier.db'), join(dataDir, 'atelier.db'))
    const words = /ends at 0+\d+, before the place 0+\d+ .*rebuild --all --fresh/
    for (const args of [['status'], ['rebuild', '--all'], ['rebuild', 'artworks', '--fresh'], ['verify']]) {
      const said = await atelier(dataDir, ['projections', ...args])
      expect([said.code, said.errors]).toEqual([1, expect.stringMatching(words)])
    }
    const built = await atelier(dataDir, ['projections', 'rebuild', '--all', '--fresh'])
    expect([built.code, built.errors]).toEqual([0, expect.any(String)])
    expect(built.output).toMatch(/^The log is taken as it is\..*BACKUP_DIR.*Rebuilt from \d+ events/s)
    expect((await atelier(dataDir, ['projections', 'status'])).code).toBe(0)
    const site = await startSite({ dataDir })
    const names = (await (await fetch(`${site.url}/api/categories`)).json()) as { name: string }[]
    expect(names.map(({ name }) => name)).toEqual(['Desert', 'Monsoon'])
    expect((await addCategory(site.url, await signIn(site), 'Harvest')).status).toBe(201)
    await site.stop()
  })

  it('does not look whole when the taking of it is killed among the letters, and is taken to the end then', async () => {
    const former = await startSite({ dataDir })
    for (const name of ['Asha', 'Ravi']) {
      const body = JSON.stringify({ name, email: 'a@b.example', subject: 'general', message: 'Hello' })
      const headers = { 'content-type': 'application/json' }
      expect((await fetch(`${former.url}/api/contact`, { method: 'POST', headers, body })).status).toBe(201)
    }
    const cookie = await signIn(former)
    expect((await addCategory(former.url, cookie, 'Gone')).status).toBe(201)
    await untilQuiet(former.url, cookie)
    await former.stop()
    inData(dataDir, 'DELETE FROM vault_keys')
    inData(
      dataDir,
      "DELETE FROM events WHERE position >= (SELECT max(position) FROM events WHERE type = 'CategoryAdded')",
    )
    standStill(
      dataDir,
      'INSERT ON events',
      "NEW.type = 'MessageErased' AND (SELECT count(*) FROM events WHERE type = 'MessageErased') = 2",
    )
    const cli = join(import.meta.dirname, '../src/cli.ts')
    const accepting = spawn(process.execPath, [cli, 'events', 'accept', '--letters'], {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: 'ignore',
    })
    const ended = once(accepting, 'exit')
    const beside = new DatabaseSync(join(dataDir, 'atelier.db'), { readOnly: true })
    const erased = beside.prepare("SELECT 1 FROM events WHERE type = 'MessageErased'")
    await vi.waitFor(() => expect(erased.all()).toHaveLength(1), { timeout: 60_000, interval: 20 })
    beside.close()
    accepting.kill('SIGKILL')
    await ended
    goOn(dataDir)

    const site = await startSite({ dataDir })
    const names = (await (await fetch(`${site.url}/api/categories`)).json()) as { name: string }[]
    expect(names.map(({ name }) => name)).toEqual(['Desert', 'Monsoon'])
    expect((await atelier(dataDir, ['projections', 'verify', '--all'])).code).toBe(0)
    await site.stop()
    const again = await atelier(dataDir, ['events', 'accept', '--letters'])
    expect(again.code).toBe(0)
    expect((await atelier(dataDir, ['doctor'])).errors).not.toContain('key is lost')
  })

  it('is not shown any more once another is imported in its place', async () => {
    const other = await startSite({ dataDir: join(folder, 'other') })
    const cookie = await signIn(other)
    // Longer than the former one, whose places it has, too.
    const names = Array.from({ length: 12 }, (_, n) => `Other ${n + 10}`)
    for (const name of names) expect((await addCategory(other.url, cookie, name)).status).toBe(201)
    await other.stop()
    const file = join(folder, 'other.gz')
    expect((await atelier(other.dataDir, ['events', 'export', file])).code).toBe(0)

    inData(dataDir, 'DELETE FROM events')
    const imported = await atelier(dataDir, ['events', 'import', file])
    expect([imported.code, imported.errors]).toEqual([0, expect.any(String)])
    const site = await startSite({ dataDir })
    const shown = (await (await fetch(`${site.url}/api/categories`)).json()) as { name: string }[]
    await site.stop()
    expect(shown.map(({ name }) => name)).toEqual(names)
  })

  it('is restored in place, and starts', async () => {
    for (const name of databases) await rm(join(dataDir, name), { force: true })
    const archive = join(backups, 'atelier-20260101T030000Z.tar')
    expect(await refusal(dataDir, { BACKUP_DIR: backups })).toContain(`atelier restore ${archive}`)
    const restored = await atelier(dataDir, ['restore', archive])
    expect([restored.code, restored.errors]).toEqual([0, expect.any(String)])
    const site = await startSite({ dataDir })
    expect(await (await fetch(`${site.url}/api/categories`)).json()).toHaveLength(2)
    await site.stop()
  })

  it('is refused on a new machine that has its backups, and told of restore; other folders begin', async () => {
    const empty = join(folder, 'new-machine')
    const archive = join(backups, 'atelier-20260101T030000Z.tar')
    expect(await refusal(empty, { BACKUP_DIR: backups })).toContain(`atelier restore ${archive}`)
    await (await startSite({ dataDir: empty, env: { BACKUP_DIR: join(folder, 'none') } })).stop()
  })

  it('is not taken for one that has only begun: a first picture was being kept when it was killed', async () => {
    const empty = join(folder, 'begun')
    expect(await answerOf(empty)).toBe(200)
    await mkdir(join(empty, 'files', 'originals'), { recursive: true })
    await writeFile(join(empty, 'files', 'originals', 'a'.repeat(64)), 'a picture')
    expect(await answerOf(empty)).toBe(200)
    for (const name of databases) await rm(join(empty, name), { force: true })
    expect(await answerOf(empty)).toBe(200)
  })

  it('names the originals that are gone, in doctor and backup', async () => {
    expect((await atelier(dataDir, ['doctor'])).code).toBe(0)
    const originals = join(dataDir, 'files', 'originals')
    const [hash = ''] = await readdir(originals)
    for (const spoil of [() => truncate(join(originals, hash), 100), () => rm(join(originals, hash))]) {
      await spoil()
      const doctor = await atelier(dataDir, ['doctor'])
      expect([doctor.code, doctor.errors]).toEqual([1, expect.stringContaining(`originals/${hash}`)])
      const backup = await atelier(dataDir, ['backup', join(dataDir, 'b.tar')])
      expect([backup.code, backup.errors]).toEqual([1, expect.stringContaining(`originals/${hash}`)])
      expect(backup.errors).not.toContain('found whole')
    }
  })

  it('makes variants that were cut or lost anew, and keeps none of them for a year until then', async () => {
    const images = join(dataDir, 'files', 'images')
    const [hash = ''] = await readdir(images)
    const variants = (await readdir(join(images, hash))).filter((name) => name !== 'first.jpg')
    expect(variants).not.toEqual([])
    for (const [n, name] of variants.entries()) {
      const path = join(images, hash, name)
      if (n % 2 === 0) await truncate(path, Math.floor((await stat(path)).size / 2))
      else await rm(path)
    }
    const site = await startSite({ dataDir })
    const ask = async (name: string) => {
      const answer = await fetch(`${site.url}/images/${hash}/${name}`)
      await answer.arrayBuffer()
      return [answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]
    }
    for (const name of variants) expect(await ask(name)).toEqual([200, 'image/jpeg', 'no-store'])
    const types = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg' }
    for (const name of variants) {
      const type = types[name.split('.')[1] as keyof typeof types] // names are <width>.<type>
      await vi.waitFor(
        async () => expect(await ask(name)).toEqual([200, type, expect.stringContaining('immutable')]),
        { timeout: 60_000, interval: 100 },
      )
    }
    const cookie = await signIn(site)
    const jobs = await (await fetch(`${site.url}/api/jobs`, { headers: { cookie } })).json()
    expect(
      (jobs as { items: readonly { name: string }[] }).items.filter(({ name }) => name === 'process-image'),
    ).toHaveLength(2)
    await site.stop()
  })

  it('with views that stand beyond the end of its log is verified and rebuilt, and starts', async () => {
    inData(dataDir, "UPDATE view_checkpoints SET position = '9999999999999999'")
    expect(await refusal(dataDir)).toContain('atelier projections rebuild --all')
    const verified = await atelier(dataDir, ['projections', 'verify', '--all'])
    expect([verified.code, verified.errors]).toEqual([1, expect.stringContaining('this log has never been')])
    const rebuilt = await atelier(dataDir, ['projections', 'rebuild', '--all'])
    expect([rebuilt.code, rebuilt.errors]).toEqual([0, expect.any(String)])
    expect((await atelier(dataDir, ['projections', 'verify', '--all'])).code).toBe(0)
    expect(await answerOf(dataDir)).toBe(200)
  })
})
