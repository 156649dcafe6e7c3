import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import {
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer, text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fillingRecord } from '#infrastructure/archive/filling-record.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { someEvent } from '#infrastructure/testing/contracts/some-events.ts'
import { allFixtures, unpackFolder } from './fixtures/fixture.ts'
import { type Site, signIn, startSite } from './support/site.ts'
import { goOn, standStill } from './support/stand-still.ts'

const cli = join(import.meta.dirname, '../src/cli.ts')
const log = createLog('silent')
const [fixture] = (await allFixtures()).toReversed()
if (fixture === undefined) throw new Error('There is no fixture')

const begin = (dataDir: string, args: readonly string[], input: Uint8Array | string = ''): ChildProcess => {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return child
}

const atelier = async (dataDir: string, args: readonly string[], input: Uint8Array | string = '') => {
  const child = begin(dataDir, args, input)
  const [bytes, errors, [code]] = await Promise.all([
    buffer(child.stdout!),
    text(child.stderr!),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { bytes, output: bytes.toString(), errors, code }
}

/** Long enough to be met in the middle. */
const manyEvents = 20_000

/** A folder with a long log and a few large images, on which no server runs. */
const fill = async (dataDir: string): Promise<void> => {
  const engines = await openEmbedded({ dataDir, secret: null, clock: systemClock, log })
  const streams = 100
  for (let from = 0; from < manyEvents; from += 5_000) {
    await engines.eventStore.appendInOrder(
      Array.from({ length: 5_000 }, (_, n) => {
        const at = from + n
        const revision = Math.floor(at / streams)
        return {
          stream: `artwork-${at % streams}`,
          expected: revision === 0 ? ('no-stream' as const) : revision - 1,
          events: [
            {
              id: randomUUID(),
              type: 'ArtworkRetitled',
              schemaVersion: 1,
              occurredAt: '2026-03-04T05:06:07.089Z',
              meta: {
                correlationId: 'r',
                causationId: 'c',
                commandId: 'c',
                actor: { kind: 'visitor' as const },
              },
              data: { from: 'आशा', to: `title ${at}` },
            },
          ],
        }
      }),
    )
  }
  for (let n = 0; n < 4; n += 1) {
    await engines.files.put(`originals/${String(n).padStart(64, '0')}`, randomBytes(5_000_000))
  }
  await engines.close()
}

let folder: string
/** A site of its own with a few events. */
const smallSite = async (dataDir: string, events = 1): Promise<void> => {
  const engines = await openEmbedded({ dataDir, secret: null, clock: systemClock, log })
  await engines.eventStore.append(
    'artwork-1',
    'no-stream',
    Array.from({ length: events }, (_, n) => ({ ...someEvent(n), data: { from: n, to: n + 1 } })),
  )
  await engines.close()
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-archive-cli-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('atelier backup and restore', () => {
  let site: Site
  let cookie: string
  const send = (path: string, method: string, body?: object) =>
    fetch(`${site.url}${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const messagesOf = async (url: string, as: string): Promise<readonly { readonly name: string }[]> =>
    (await (await fetch(`${url}/api/contact-messages`, { headers: { cookie: as } })).json()) as {
      name: string
    }[]

  beforeAll(async () => {
    site = await startSite({ env: { BACKUP_DIR: join(folder, 'nights') } })
    cookie = await signIn(site)
    await send('/api/categories', 'POST', { name: 'Monsoon' })
    for (const name of ['Asha', 'Ravi', 'Erased']) {
      await fetch(`${site.url}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, email: 'x@example.com', subject: 'general', message: 'Hello there' }),
      })
    }
    // What follows from them is in the log then: a backup and the site it was made of hold the same.
    const jobs = async () =>
      ((await (await send('/api/jobs', 'GET')).json()) as { items: readonly { state: string }[] }).items
    await vi.waitUntil(
      async () => {
        const all = await jobs()
        return all.length === 3 && all.every(({ state }) => state === 'done')
      },
      { timeout: 60_000, interval: 50 },
    )
  })
  afterAll(() => site.stop())

  // The first one is made a minute after the start.
  it('the nightly backup and what was found in it are told in the status', async () => {
    const told = async () =>
      ((await (await send('/api/status', 'GET')).json()) as { readonly backup: unknown }).backup
    expect(await told()).toEqual({ finishedAt: null, error: null, check: null })
    const check = { at: '2026-11-25T03:01:00.000Z', error: 'A letter cannot be read' }
    const data = new DatabaseSync(join(site.dataDir, 'atelier.db'))
    const note = "INSERT INTO effects (key, state, detail) VALUES ('backup-check', 'done', ?)"
    data.prepare(note).run(JSON.stringify(check))
    data.close()
    expect(await told()).toEqual({ finishedAt: null, error: null, check })
  })

  it('move a whole site beside its running server; an erased message stays erased', async () => {
    const file = join(folder, 'site.tar')
    const erased = (await messagesOf(site.url, cookie)).find(({ name }) => name === 'Erased') as
      | { readonly id: string; readonly name: string }
      | undefined
    expect((await send(`/api/contact-messages/${erased?.id}`, 'DELETE')).status).toBe(204)
    const backup = await atelier(site.dataDir, ['--json', 'backup', file])
    expect([backup.code, backup.errors]).toEqual([0, expect.any(String)])
    expect(JSON.parse(backup.output)).toMatchObject({
      ok: true,
      data: { counts: { keys: 2, erased: 1, accounts: 1 } },
    })
    for (const each of [file, `${file}.keys`]) expect(statSync(each).mode & 0o777).toBe(0o600)

    const dataDir = join(folder, 'moved')
    const restored = await atelier(dataDir, ['restore', file])
    expect([restored.code, restored.errors]).toEqual([0, expect.any(String)])
    expect(restored.output).toMatch(/Messages erased after .* come back unless a newer keys file is given/)
    const again = await atelier(dataDir, ['restore', file])
    expect([again.code, again.errors]).toEqual([1, expect.stringContaining('There is a site here already')])

    const moved = await startSite({ dataDir, env: { ADMIN_PASSWORD: 'another-long-password' } })
    try {
      const owner = await signIn(moved)
      const categories = (await (await fetch(`${moved.url}/api/categories`)).json()) as { name: string }[]
      expect(categories.map(({ name }) => name)).toEqual(['Monsoon'])
      expect((await messagesOf(moved.url, owner)).map(({ name }) => name).toSorted()).toEqual([
        'Asha',
        'Ravi',
      ])
      // Nobody is signed in there by a cookie of here.
      expect((await fetch(`${moved.url}/api/auth/user`, { headers: { cookie } })).status).toBe(401)
    } finally {
      await moved.stop()
    }
    const [here, there] = [
      await atelier(site.dataDir, ['events', 'export', '-']),
      await atelier(dataDir, ['events', 'export', '-']),
    ]
    // The moved site goes on: what it wrote since stands behind.
    const lines = gunzipSync(here.bytes).toString().split('\n').slice(0, -2)
    expect(gunzipSync(there.bytes).toString().split('\n').slice(0, lines.length)).toEqual(lines)
  })

  it('refuse to restore or import beside a running server, and without keys', async () => {
    const file = join(folder, 'again.tar')
    await atelier(site.dataDir, ['backup', file])
    expect(await atelier(site.dataDir, ['restore', file])).toMatchObject({
      code: 1,
      errors: expect.stringContaining(
        'in use by another Atelier, a server or an operator’s command',
      ) as string,
    })
    await rm(`${file}.keys`)
    await rm(join(folder, 'site.tar.keys'), { force: true })
    const dataDir = join(folder, 'keyless')
    expect(await atelier(dataDir, ['restore', file])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('name it with --keys') as string,
    })
    const without = await atelier(dataDir, ['restore', file, '--without-keys'])
    expect([without.code, without.errors]).toEqual([0, expect.any(String)])
    expect(without.output).toContain('2 messages cannot be read')
  })

  it('pipe an archive, whose keys file has to be named', async () => {
    expect((await atelier(site.dataDir, ['backup', '-'])).code).toBe(2)
    const keys = join(folder, 'piped.keys')
    const piped = await atelier(site.dataDir, ['backup', '-', '--keys', keys])
    expect([piped.code, piped.errors]).toEqual([0, expect.stringContaining('Backed up')])
    const file = join(folder, 'piped.tar')
    await writeFile(file, piped.bytes)
    expect(await atelier(join(folder, 'piped'), ['restore', file, '--keys', keys])).toMatchObject({ code: 0 })
  })
})

describe('atelier on a long log', () => {
  let dataDir: string
  let exported: string
  beforeAll(async () => {
    dataDir = join(folder, 'long')
    await fill(dataDir)
    exported = join(folder, 'long.ndjson.gz')
    await atelier(dataDir, ['events', 'export', exported])
  })

  it('counts it', async () => {
    const { output } = await atelier(dataDir, ['--json', 'events', 'stats'])
    const last = JSON.parse(
      gunzipSync(await readFile(exported))
        .toString()
        .trimEnd()
        .split('\n')
        .at(-1) ?? '',
    ) as object
    expect(JSON.parse(output)).toMatchObject({
      ok: true,
      data: { ...last, events: manyEvents, streams: 100 },
    })
  })

  it('goes on with an import that was killed, to the same bytes', async () => {
    const target = join(folder, 'imported')
    const engines = (access: 'hold' | 'read') =>
      openEmbedded({ dataDir: target, secret: null, clock: systemClock, log, access })
    const empty = await engines('hold')
    // What has come of it is its pictures: only the import can go on here.
    await fillingRecord('restore', empty.effects).begin('of another backup')
    await empty.close()
    standStill(target, 'INSERT ON events', `NEW.position > ${manyEvents / 2}`)
    const killed = begin(target, ['events', 'import', exported])
    const beside = await engines('read')
    await expect.poll(() => beside.eventStore.head()).not.toBeNull()
    await beside.close()
    const ended = once(killed, 'exit')
    killed.kill('SIGKILL')
    await ended
    goOn(target)
    // It would act on half a log: mail messages that were mailed, and give up images that are to come.
    await expect(startSite({ dataDir: target })).rejects.toThrow('An import was broken off here')
    expect((await atelier(target, ['doctor'])).errors).toContain('An import was broken off here')
    // A part of the log would be told to be whole.
    const accepted = await atelier(target, ['events', 'accept'])
    expect([accepted.errors, accepted.code]).toEqual([
      expect.stringContaining('An import was broken off here'),
      1,
    ])
    for (const args of [['backup'], ['events', 'export']]) {
      const copy = join(folder, 'of-a-part')
      const { errors, code } = await atelier(target, [...args, copy])
      expect([errors, code]).toEqual([expect.stringContaining('An import was broken off here'), 1])
      await expect(readFile(copy)).rejects.toThrow('ENOENT')
    }
    const { output, code, errors } = await atelier(target, ['--json', 'events', 'import', exported])
    expect([code, errors]).toEqual([0, expect.any(String)])
    const { data } = JSON.parse(output) as { data: { before: number; added: number } }
    expect(data.before).toBeGreaterThan(0)
    expect(data.added).toBeGreaterThan(0)
    expect(data.before + data.added).toBe(manyEvents)
    const back = await atelier(target, ['events', 'export', '-'])
    expect(back.bytes.equals(await readFile(exported))).toBe(true)
    expect((await atelier(target, ['doctor'])).output).not.toContain('broken off')
  })

  it('of a log that is there already imports nothing, and leaves the work that is to follow from it', async () => {
    const target = join(folder, 'there-already')
    await unpackFolder(fixture.data, target)
    const file = join(folder, 'there-already.gz')
    expect(await atelier(target, ['events', 'export', file])).toMatchObject({ code: 0 })
    const reacted = (sql: string) => {
      const data = new DatabaseSync(join(target, 'atelier.db'))
      try {
        return data.prepare(sql).all()
      } finally {
        data.close()
      }
    }
    reacted("UPDATE reactor_checkpoints SET position = '0000000000000003'")
    const before = reacted('SELECT * FROM reactor_checkpoints')
    const { code, output } = await atelier(target, ['events', 'import', file])
    expect([code, output]).toEqual([0, expect.stringContaining('there is nothing to import')])
    expect(reacted('SELECT * FROM reactor_checkpoints')).toEqual(before)
  })

  it('exports no log that nobody could import, and leaves what it would replace', async () => {
    const target = join(folder, 'rotted')
    await unpackFolder(fixture.data, target)
    const file = join(folder, 'rotted.gz')
    await atelier(target, ['events', 'export', file])
    const before = await readFile(file)
    const rot = (change: string): void => {
      const data = new DatabaseSync(join(target, 'atelier.db'))
      data.exec(`UPDATE events SET ${change} WHERE position = 2`)
      data.close()
    }
    rot("data = '{}'")
    const kept = await atelier(target, ['events', 'export', file])
    expect([kept.code, kept.errors]).toEqual([1, expect.stringContaining('was not replaced')])
    const other = await atelier(target, ['events', 'export', join(folder, 'other.gz')])
    expect([other.code, other.errors]).toEqual([
      1,
      expect.stringContaining('PROBLEM: An event of the log cannot'),
    ])
    rot("meta = '{}'")
    for (const to of [file, join(folder, 'none.gz')]) {
      const refused = await atelier(target, ['events', 'export', to])
      expect([refused.code, refused.errors]).toEqual([
        1,
        expect.stringMatching(/^An event of the log cannot be read: /),
      ])
    }
    expect((await readFile(file)).equals(before)).toBe(true)
    await expect(readFile(join(folder, 'none.gz'))).rejects.toThrow('ENOENT')
  })

  it('makes no backup and no export of a place where no site is', async () => {
    const dataDir = join(folder, 'nothing')
    await (await openEmbedded({ dataDir, secret: null, clock: systemClock, log })).close()
    for (const args of [['backup'], ['events', 'export']]) {
      const copy = join(folder, 'of-nothing')
      const { errors, code } = await atelier(dataDir, [...args, copy])
      expect([errors, code]).toEqual([expect.stringContaining('There is no site here'), 1])
      await expect(readFile(copy)).rejects.toThrow('ENOENT')
    }
  })

  it('refuses a file that is damaged, and imports nothing of it', async () => {
    const target = join(folder, 'refused')
    const half = (await readFile(exported)).subarray(0, 50_000)
    const { code, errors } = await atelier(target, ['events', 'import', '-'], half)
    expect([code, errors]).toEqual([1, expect.stringContaining('ends in the middle')])
    expect((await atelier(target, ['events', 'stats'])).output).toContain('0 events')
  })

  it.each(['SIGKILL', 'SIGINT'] as const)('leaves no half backup when it meets %s', async (signal) => {
    const into = await mkdtemp(join(folder, 'into-'))
    const file = join(into, 'site.tar')
    // It takes no room here, and so long to copy that the signal comes in the middle.
    const large = join(dataDir, 'files', 'originals', 'f'.repeat(64))
    await writeFile(large, '')
    await truncate(large, 4 * 1024 ** 3)
    const backing = begin(dataDir, ['backup', file])
    const errors = text(backing.stderr!)
    const ended = once(backing, 'exit') as Promise<[number | null]>
    const partOf = async (): Promise<boolean> =>
      (await readdir(into)).some((name) => name.startsWith('.site.tar.') && name.endsWith('.part'))
    await expect.poll(partOf, { interval: 2 }).toBe(true)
    backing.kill(signal)
    const [code] = await ended
    const left = await readdir(into)
    expect(left).not.toContain('site.tar')
    expect(left).not.toContain('site.tar.keys')
    if (signal === 'SIGKILL') return
    expect([code, await errors, left]).toEqual([1, expect.stringContaining('Stopped.'), []])
  })

  it('ends an export that nobody reads any more', async () => {
    const child = begin(dataDir, ['events', 'export', '-'])
    const errors = text(child.stderr!)
    const ended = once(child, 'exit') as Promise<[number | null]>
    child.stdout!.once('data', () => child.stdout!.destroy())
    const [code] = await ended
    expect(code).toBe(1)
    expect(await errors).not.toContain('    at ')
  })

  it('writes no file in the place of one of the site’s own, nor two in one place', async () => {
    const before = await readFile(join(dataDir, 'atelier.db'))
    const link = join(folder, 'lock')
    await symlink(join(dataDir, 'lock.db'), link)
    for (const [words, ...args] of [
      ['is a file of the site itself', 'backup', join(dataDir, 'atelier.db')],
      ['is a file of the site itself', 'backup', join(folder, 'b.tar'), '--keys', join(dataDir, 'secret')],
      ['is a file of the site itself', 'events', 'export', join(dataDir, 'files', 'originals', 'x')],
      ['is a file of the site itself', 'events', 'export', link],
      ['is a file of the site itself', 'backup', join(dataDir, 'scratch', 'gone-at-the-next-start.tar')],
      ['is named twice', 'backup', join(folder, 'b.tar'), '--keys', join(folder, 'b.tar')],
    ] as const) {
      const { errors, code } = await atelier(dataDir, args)
      expect([code, errors]).toEqual([1, expect.stringContaining(words)])
    }
    expect((await readFile(join(dataDir, 'atelier.db'))).equals(before)).toBe(true)
  })

  it('writes no file in the place of one of another kind', async () => {
    const [archive, keys, settings] = [join(folder, 'k.tar'), join(folder, 'k.keys'), join(folder, 'k.env')]
    const header = Buffer.alloc(512)
    header.write('files/originals/aa')
    header.write('ustar', 257)
    const texts = [
      [archive, header],
      [keys, Buffer.from('{"createdAt":"2026-01-02T03:04:05.678Z","format":"atelier keys 1"}\n')],
      [settings, Buffer.from('SECRET=0123456789')],
    ] as const
    for (const [path, text] of texts) await writeFile(path, text)
    for (const [words, ...args] of [
      [`${settings} is there already, and is no keys file`, 'backup', archive, '--keys', settings],
      [`${settings} is there already, and is no backup`, 'backup', settings],
      [`${keys} is there already, and is no backup`, 'backup', keys],
      [`${archive} is there already, and is no keys file`, 'backup', join(folder, 'n'), '--keys', archive],
      [`${archive} is there already, and is no export`, 'events', 'export', archive],
      [`${keys} is there already, and is no export`, 'events', 'export', keys],
    ] as const) {
      const { errors, code } = await atelier(dataDir, args)
      expect([code, errors]).toEqual([1, expect.stringContaining(words)])
    }
    for (const [path, text] of texts) expect((await readFile(path)).equals(text)).toBe(true)
  })

  it('leaves the machine its link to standard output, also when that is sent into a file', async () => {
    const link = join(folder, 'stdout')
    await symlink('/proc/self/fd/1', link)
    const sent = await open(join(folder, 'sent'), 'w')
    const child = spawn(process.execPath, [cli, 'events', 'export', link], {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', sent.fd, 'ignore'],
    })
    expect(await once(child, 'close')).toEqual([1, null])
    await sent.close()
    expect(await readlink(link)).toBe('/proc/self/fd/1')
  })

  it('accepts no log where there is no site', async () => {
    const { errors, code } = await atelier(join(folder, 'no-site'), ['events', 'accept'])
    expect([code, errors]).toEqual([1, expect.stringContaining('There is no site here')])
  })

  it('says in words that standard output takes no more', async () => {
    const keys = join(folder, 'no-more.keys')
    for (const args of [
      ['events', 'export', '-'],
      ['backup', '-', '--keys', keys],
    ]) {
      const full = await open('/dev/full', 'w')
      const child = spawn(process.execPath, [cli, ...args], {
        env: { ...process.env, DATA_DIR: dataDir },
        stdio: ['ignore', full.fd, 'pipe'],
      })
      const [errors] = await Promise.all([text(child.stderr!), once(child, 'close')])
      await full.close()
      expect([child.exitCode, errors]).toEqual([1, expect.stringContaining('The disk of standard output')])
      const left = begin(dataDir, args)
      left.stdout?.destroy()
      const [said] = await Promise.all([text(left.stderr!), once(left, 'close')])
      expect([left.exitCode, said]).toEqual([1, expect.stringContaining('takes standard output has ended')])
    }
  })

  it('keeps an export that holds more than the site', async () => {
    const [file, small] = [join(folder, 'more.gz'), join(folder, 'small')]
    expect((await atelier(dataDir, ['events', 'export', file])).code).toBe(0)
    const before = await readFile(file)
    await smallSite(small)
    const { errors, code } = await atelier(small, ['events', 'export', file])
    expect([code, errors]).toEqual([1, expect.stringContaining('It was not replaced')])
    expect((await readFile(file)).equals(before)).toBe(true)
    expect((await atelier(dataDir, ['events', 'export', file])).code).toBe(0)
  })

  it('keeps an export and a backup of another site, which may hold less', async () => {
    const [less, more] = [join(folder, 'less'), join(folder, 'more')]
    await smallSite(less)
    await smallSite(more, 2)
    for (const args of [
      ['events', 'export', join(folder, 'less.gz')],
      ['backup', join(folder, 'less.tar')],
    ]) {
      expect((await atelier(less, args)).code).toBe(0)
      const { errors, code } = await atelier(more, args)
      expect([code, errors]).toEqual([1, expect.stringContaining('is of another site. It was not replaced')])
    }
  })

  it('writes an export where it looked, whatever a link on the way leads to', async () => {
    const before = await readFile(join(dataDir, 'atelier.db'))
    const link = join(folder, 'link')
    await symlink(join(dataDir, 'files'), link)
    await atelier(dataDir, ['events', 'export', `${link}/../atelier.db`])
    expect((await readFile(join(dataDir, 'atelier.db'))).equals(before)).toBe(true)
  })

  it('shows the help of each command and ends wrong usage with 2', async () => {
    for (const args of [['events', 'import'], ['restore']]) {
      const { output, code } = await atelier(dataDir, [...args, '--help'])
      expect([code, output]).toEqual([0, expect.stringContaining('Usage: atelier')])
    }
    expect((await atelier(dataDir, ['backup'])).code).toBe(2)
    expect((await atelier(dataDir, ['restore', 'a', 'b'])).code).toBe(2)
  })
})
