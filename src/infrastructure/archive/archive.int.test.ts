import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Account } from '#application/ports/accounts.ts'
import type { NewEvent } from '#application/ports/event-store.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { type Embedded, openEmbedded } from '#infrastructure/embedded/open.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { backUp, backUpTo } from './backup.ts'
import { keysFor } from './find-keys.ts'
import { joinedKeys, readKeys } from './keys-file.ts'
import { backUpNightly } from './nightly.ts'
import { checkArchive } from './read-archive.ts'
import { restore } from './restore.ts'
import { refuseHalfRestored, restoreMark } from './restore-mark.ts'
import { writeEvents } from './write-archive.ts'

const log = createLog('silent')
const signal = new AbortController().signal
const night = '2026-11-21T02:00:00.000Z'

const openIn = (dataDir: string, access: 'hold' | 'read' = 'hold'): Promise<Embedded> =>
  openEmbedded({ dataDir, secret: null, clock: systemClock, log, access })

const account: Account = {
  id: randomUUID(),
  username: 'Asha',
  email: null,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
  firstPassword: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

const event = (type: string, data: NewEvent['data']): NewEvent => ({
  id: randomUUID(),
  type,
  schemaVersion: type === 'MessageReceived' ? 2 : 1,
  occurredAt: '2026-03-04T05:06:07.089Z',
  meta: { correlationId: 'r', causationId: 'c', commandId: 'c', actor: { kind: 'visitor' } },
  data,
})

/** A site with works, pictures, an account and three messages, of which one was erased. */
const someSite = async (folder: string) => {
  const site = await openIn(folder)
  const appends = Array.from({ length: 700 }, (_, n) => ({
    stream: `artwork-${n % 50}`,
    expected: n < 50 ? ('no-stream' as const) : Math.floor(n / 50) - 1,
    events: [event('ArtworkRetitled', { to: `title ${n}`, from: 'आशा 🖼️ \u2028' })],
  }))
  await site.eventStore.appendInOrder(appends)
  const hash = 'ab'.repeat(32)
  await site.files.put(`originals/${hash}`, randomBytes(300_000))
  for (const width of [320, 640]) await site.files.put(`images/${hash}/${width}.avif`, randomBytes(20_000))
  await site.files.put(`images/${hash}/empty.jpg`, Buffer.alloc(0))
  await site.files.put(`cards/${hash}.jpg`, randomBytes(100))
  await site.accounts.addFirst(account)
  const sealed = new Map<string, string>()
  for (const id of ['m1', 'm2', 'm3']) {
    sealed.set(id, await site.keyVault.seal(id, `text of ${id}`))
    await site.eventStore.append(`message-${id}`, 'no-stream', [
      event('MessageReceived', { sealed: sealed.get(id) ?? '', subject: 'general', artworkId: null }),
    ])
  }
  await site.keyVault.erase('m3')
  await site.eventStore.append('message-m3', 0, [event('MessageErased', {})])
  return { site, hash, text: (id: string, on: Embedded) => on.keyVault.open(id, sealed.get(id) ?? '') }
}

const exportOf = async (site: Embedded): Promise<Buffer> => {
  const out = new PassThrough()
  const read = buffer(out)
  await writeEvents(site.eventStore, out, { signal })
  out.end()
  return read
}

describe('a backup', () => {
  let folder: string
  let made: Awaited<ReturnType<typeof someSite>>
  const options = { version: '1.2.3', createdAt: night, signal }
  const file = (): string => join(folder, 'site.tar')
  const target = () => ({ file: file(), keys: `${file()}.keys` })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-archive-'))
    made = await someSite(join(folder, 'data'))
    await backUp(made.site, target(), options)
  })
  afterAll(async () => {
    await made.site.close()
    await rm(folder, { recursive: true })
  })

  const places: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of places.splice(0)) await close()
  })
  const emptyPlace = async (): Promise<Embedded> => {
    const place = await openIn(await mkdtemp(join(folder, 'place-')))
    places.push(() => place.close())
    return place
  }
  const restored = async (place: Embedded, from = file(), keys = [`${file()}.keys`]) =>
    restore(place, from, joinedKeys(await Promise.all(keys.map(readKeys))), {
      signal,
      onBegin: async () => undefined,
      onEnd: async () => undefined,
    })

  it('is for its owner’s eyes only, and holds no key', async () => {
    for (const path of Object.values(target())) expect((await stat(path)).mode & 0o777).toBe(0o600)
    const archive = await readFile(file())
    const { keys, erasedIds } = await readKeys(`${file()}.keys`)
    expect([keys.map(({ subjectId }) => subjectId), erasedIds]).toEqual([['m1', 'm2'], ['m3']])
    for (const { key } of keys) {
      expect(archive.includes(Buffer.from(key))).toBe(false)
      expect(archive.includes(Buffer.from(key).toString('base64url'))).toBe(false)
    }
  })

  it('holds log, originals, variants and accounts', async () => {
    const found = await checkArchive(file(), { signal })
    expect(found).toMatchObject({
      version: '1.2.3',
      createdAt: night,
      counts: { events: 704, files: 4, accounts: 1 },
    })
    expect(Object.keys(found.entries).filter((name) => name.includes('cards'))).toEqual([])
  })

  it('brings back the same site elsewhere, byte for byte, under another secret', async () => {
    const place = await emptyPlace()
    expect(await restored(place)).toEqual({
      createdAt: night,
      counts: { events: 704, files: 4, accounts: 1, keys: 2 },
      unreadable: 0,
    })
    expect((await exportOf(place)).equals(await exportOf(made.site))).toBe(true)
    for (const key of [
      ...(await made.site.files.list('originals/')),
      ...(await made.site.files.list('images/')),
    ]) {
      const [there, here] = await Promise.all([place.files.open(key), made.site.files.open(key)])
      expect((await buffer(there!.stream)).equals(await buffer(here!.stream))).toBe(true)
    }
    expect(await place.accounts.all()).toEqual([account])
    expect(await made.text('m1', place)).toBe('text of m1')
    expect(await place.effects.find('restore')).toMatchObject({ state: 'done' })
    await refuseHalfRestored(place.effects)
  })

  it('never brings back a message that any keys file or the place itself knows as erased', async () => {
    const early = join(folder, 'early.tar')
    await made.site.keyVault.seal('m4', 'text of m4')
    await backUp(made.site, { file: early, keys: `${early}.keys` }, options)
    await made.site.keyVault.erase('m4')
    await backUp(made.site, { file: join(folder, 'late.tar'), keys: join(folder, 'late.tar.keys') }, options)
    const place = await emptyPlace()
    await place.keyVault.erase('m2')
    await restored(place, early, [`${early}.keys`, join(folder, 'late.tar.keys')])
    expect(await made.text('m1', place)).toBe('text of m1')
    expect(await made.text('m2', place)).toBeNull()
    expect(await made.text('m3', place)).toBeNull()
    const { keys, erasedIds } = await place.keyVault.takeOut()
    expect(keys.map(({ subjectId }) => subjectId)).toEqual(['m1'])
    expect([...erasedIds].toSorted()).toEqual(['m2', 'm3', 'm4'])
  })

  it('counts the messages that nobody can read without their keys', async () => {
    const place = await emptyPlace()
    const none = join(folder, 'none.keys')
    const empty = await emptyPlace()
    await backUp(empty, { file: join(folder, 'none.tar'), keys: none }, options)
    expect(await restored(place, file(), [none])).toMatchObject({ unreadable: 2, counts: { keys: 0 } })
  })

  it('is not brought over a site, not over its own either', async () => {
    const before = await exportOf(made.site)
    await expect(restored(made.site)).rejects.toThrow('There is a site here already')
    expect((await exportOf(made.site)).equals(before)).toBe(true)
  })

  it('puts the accounts in the place of one that a first start made, and ends its sessions', async () => {
    const place = await emptyPlace()
    await place.accounts.addFirst({ ...account, id: 'first', username: 'admin' })
    await place.sessions.save({
      key: 'k',
      id: 's',
      accountId: 'first',
      createdAt: night,
      lastSeenAt: night,
      expiresAt: '2099-01-01T00:00:00.000Z',
      device: '',
      address: '',
    })
    await restored(place)
    expect(await place.accounts.all()).toEqual([account])
    expect(await place.sessions.find('k', night)).toBeNull()
  })

  it('that was broken off while it was restored goes on, and no server starts meanwhile', async () => {
    const place = await emptyPlace()
    const stop = new AbortController()
    const keys = joinedKeys([await readKeys(`${file()}.keys`)])
    const broken = restore(place, file(), keys, {
      signal: stop.signal,
      onBegin: async () => undefined,
      onEnd: async () => undefined,
      onProgress: ({ what, done }) => {
        if (what === 'events' && done >= 500) stop.abort(new Error('Stopped.'))
      },
    })
    await expect(broken).rejects.toThrow()
    expect(await place.eventStore.head()).not.toBeNull()
    await expect(refuseHalfRestored(place.effects)).rejects.toThrow('run the same "atelier restore" again')
    const other = join(folder, 'other.tar')
    const empty = await emptyPlace()
    await backUp(empty, { file: other, keys: `${other}.keys` }, options)
    await expect(restored(place, other)).rejects.toThrow('A restore of another backup was broken off here')
    await restored(place)
    expect((await exportOf(place)).equals(await exportOf(made.site))).toBe(true)
    expect(await restoreMark(place.effects).underWay()).toBeNull()
  })

  describe('that is damaged', () => {
    let bad: string
    beforeEach(() => {
      bad = join(folder, `bad-${randomUUID()}.tar`)
    })

    it.each<[string, (bytes: Buffer) => Buffer, string]>([
      ['cut short by a half', (bytes) => bytes.subarray(0, bytes.length / 2), 'damaged'],
      ['cut short by its end', (bytes) => bytes.subarray(0, -2_048), 'damaged'],
      ['one bit of a picture', (bytes) => flipped(bytes, 200_000), 'checksum'],
      ['its first header', (bytes) => flipped(bytes, 10), 'is no backup, or it is damaged'],
      ['nothing in it', () => Buffer.alloc(0), 'manifest.json is missing'],
      ['something else', () => randomBytes(5_000), 'is no backup, or it is damaged'],
    ])('is refused in words and leaves the place empty: %s', async (_, damage, words) => {
      await writeFile(bad, damage(await readFile(file())))
      const place = await emptyPlace()
      await expect(restored(place, bad)).rejects.toThrow(words)
      expect(await place.eventStore.head()).toBeNull()
      expect(await place.files.list('')).toEqual([])
      expect(await place.accounts.count()).toBe(0)
    })

    it('is refused when the log in it is', async () => {
      const bytes = await readFile(file())
      const at = bytes.indexOf('events.ndjson.gz')
      await writeFile(bad, flipped(bytes, at + 512 + 3_000))
      await expect(checkArchive(bad, { signal })).rejects.toThrow(/damaged|checksum|no JSON/)
    })
  })

  const flipped = (bytes: Buffer, at: number): Buffer => {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    return changed
  }

  it('refuses a keys file that is damaged, is none or is not there', async () => {
    const path = join(folder, 'bad.keys')
    const whole = await readFile(`${file()}.keys`, 'utf8')
    for (const text of [whole.slice(0, -80), whole.replace('m1', 'm9'), '', 'hello\n', 'hello']) {
      await writeFile(path, text)
      await expect(readKeys(path)).rejects.toThrow(/damaged/)
    }
    await expect(readKeys(join(folder, 'nowhere.keys'))).rejects.toThrow('There is no file')
  })

  it('refuses keys files of different sites', async () => {
    const keysOf = (byte: number) => ({
      path: '',
      createdAt: night,
      keys: [{ subjectId: 'm', key: Buffer.alloc(32, byte) }],
      erasedIds: [],
    })
    expect(() => joinedKeys([keysOf(1), keysOf(2)])).toThrow('different sites')
    expect(joinedKeys([keysOf(1), keysOf(1)]).keys).toHaveLength(1)
  })

  it('can be made beside a server that writes, and holds the log as it was when it began', async () => {
    const dataDir = await mkdtemp(join(folder, 'busy-'))
    const { site } = await someSite(dataDir)
    const beside = await openIn(dataDir, 'read')
    const end = new AbortController()
    const writing = (async () => {
      for (let n = 0; !end.signal.aborted; n += 1)
        await site.eventStore.append(`artwork-new-${n}`, 'no-stream', [event('ArtworkSold', {})])
      return true
    })()
    const path = join(folder, 'busy.tar')
    const { counts } = await backUp(beside, { file: path, keys: `${path}.keys` }, options)
    end.abort()
    await writing
    expect(counts.events).toBeGreaterThanOrEqual(704)
    const found = await checkArchive(path, { signal })
    expect(found.counts.events).toBe(counts.events)
    await beside.close()
    await site.close()
  })

  it('goes onto a stream too', async () => {
    const out = new PassThrough()
    const read = buffer(out)
    await backUpTo(made.site, out, join(folder, 'piped.keys'), options)
    out.end()
    const path = join(folder, 'piped.tar')
    await writeFile(path, await read)
    expect(await checkArchive(path, { signal })).toMatchObject({ counts: { files: 4 } })
    expect((await readKeys(join(folder, 'piped.keys'))).erasedIds).toContain('m3')
  })

  it('leaves what was there when it is broken off, and no half file', async () => {
    const into = await mkdtemp(join(folder, 'into-'))
    const path = join(into, 'site.tar')
    await writeFile(path, 'the backup of yesterday')
    for (const what of ['events', 'files', 'check'] as const) {
      const stop = new AbortController()
      const broken = backUp(
        made.site,
        { file: path, keys: `${path}.keys` },
        {
          ...options,
          signal: stop.signal,
          onProgress: (progress) => progress.what === what && stop.abort(new Error('Stopped.')),
        },
      )
      await expect(broken).rejects.toThrow()
      expect(await readdir(into)).toEqual(['site.tar'])
      expect(await readFile(path, 'utf8')).toBe('the backup of yesterday')
    }
  })

  it('says in words where it cannot write', async () => {
    const to = (path: string) => backUp(made.site, { file: path, keys: `${path}.keys` }, options)
    await expect(to(join(folder, 'no', 'site.tar'))).rejects.toThrow('make it first')
    await expect(to(folder)).rejects.toThrow('is a folder')
  })

  it('holds the same log as an export of events, whose compressed bytes are the same every time', async () => {
    const [one, other] = [await exportOf(made.site), await exportOf(made.site)]
    expect(one.equals(other)).toBe(true)
    // no time stamp
    expect(one.subarray(4, 8)).toEqual(Buffer.alloc(4))
    expect(gunzipSync(one).toString().split('\n')).toHaveLength(706)
    expect((await readFile(file())).includes(one)).toBe(true)
  })

  it('of a night keeps seven archives, only the newest keys, and nothing of what is not its own', async () => {
    const into = join(folder, 'nights', 'kept')
    const place = await emptyPlace()
    const night = (day: number) =>
      backUpNightly(place, into, { ...options, createdAt: `2026-11-0${day}T03:00:00.000Z` })
    await night(1)
    await writeFile(join(into, 'holiday.tar.keys'), 'mine')
    for (const day of [2, 3, 4, 5, 6, 7, 8, 9]) await night(day)
    expect((await readdir(into)).toSorted()).toEqual([
      ...[3, 4, 5, 6, 7, 8, 9].map((day) => `atelier-2026110${day}T030000Z.tar`),
      'atelier-20261109T030000Z.tar.keys',
      'holiday.tar.keys',
    ])
    const { files } = await keysFor(join(into, 'atelier-20261103T030000Z.tar'), [])
    expect(files.map(({ path }) => path)).toEqual([join(into, 'atelier-20261109T030000Z.tar.keys')])
  })

  it('takes away what killed backups left behind, but not what another is writing', async () => {
    const into = await mkdtemp(join(folder, 'left-'))
    const path = join(into, 'site.tar')
    const [old, fresh] = [`.site.tar.${randomUUID()}.part`, `.site.tar.${randomUUID()}.part`]
    for (const name of [old, fresh]) await writeFile(join(into, name), 'half')
    const { utimes } = await import('node:fs/promises')
    await utimes(join(into, old), new Date(0), new Date(0))
    await backUp(made.site, { file: path, keys: `${path}.keys` }, options)
    expect((await readdir(into)).toSorted()).toEqual([fresh, 'site.tar', 'site.tar.keys'])
    await chmod(path, 0o600)
  })
})
