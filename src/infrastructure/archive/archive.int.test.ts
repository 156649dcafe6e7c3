import { execFileSync } from 'node:child_process'
import { hash as digest, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import {
  chmod,
  copyFile,
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
import { dirname, join } from 'node:path'
import { PassThrough, Readable, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { neededOriginals } from '#application/images/lacking.ts'
import { neededMessageKeys } from '#application/messages/needed-keys.ts'
import type { Account } from '#application/kernel/ports/accounts.ts'
import { FileUnreadable } from '#application/kernel/ports/files.ts'
import type { NewEvent, Position } from '#application/kernel/ports/event-store.ts'
import type { VaultContents } from '#application/kernel/ports/key-vault.ts'
import { Refusal } from '#domain/refusal.ts'
import { systemClock } from '../clock.ts'
import { type Embedded, openEmbedded } from '../embedded/testing/open-embedded.ts'
import { readConfig } from '../config/config.ts'
import { createLog } from '../log/log.ts'
import { lostFolder } from '../lost-log.ts'
import { untilCut } from '../file-streams.ts'
import { backUp, backUpTo, complaintsInWords } from './backup.ts'
import { keysFor, joinedKeys, readKeys, writeKeys } from './keys-file.ts'
import { forgetKeys } from './forget-keys.ts'
import { manifestOf } from './kept-archives.ts'
import { backUpNightly } from './nightly.ts'
import { checkArchive } from './read-archive.ts'
import { restore } from './restore.ts'
import { refuseHalfFilled, fillingRecord } from './filling-record.ts'
import { fillFile } from './whole-file.ts'
import { setDownLog, type SiteStores, writeArchive, writeEvents } from './write-archive.ts'

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
  firstStepsAway: true,
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

/** A site with works, images, an account and three messages, of which one was erased. */
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

const archiveTo = async (out: Writable, site: SiteStores, beside: string) =>
  writeArchive(site, out, await setDownLog(site, beside, { signal }), {
    version: '0',
    createdAt: '2026-01-02T03:04:05.678Z',
    signal,
  })

describe('a backup', () => {
  let folder: string
  let made: Awaited<ReturnType<typeof someSite>>
  const options = {
    version: '1.2.3',
    createdAt: night,
    signal,
    needed: neededOriginals,
    neededKeys: neededMessageKeys,
    eraseAgain: null,
  }
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
      needed: neededOriginals,
      neededKeys: neededMessageKeys,
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
      lacking: [],
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
    await refuseHalfFilled(place.effects)
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

  it.each(['file', 'stream'])(
    'onto a %s has no key of what is erased while it reads the log again',
    async (onto) => {
      const place = await emptyPlace()
      await place.keyVault.seal('late', 'text')
      const path = join(await mkdtemp(join(folder, 'late-')), 'site.tar')
      const needed = {
        ...options.needed,
        of: async (...given: Parameters<typeof options.needed.of>) => {
          await place.keyVault.erase('late')
          return options.needed.of(...given)
        },
      }
      const keys = `${path}.keys`
      await (onto === 'file'
        ? backUp(place, { file: path, keys }, { ...options, needed })
        : backUpTo(place, new PassThrough().resume(), keys, { ...options, needed }))
      expect(await readKeys(keys)).toMatchObject({ keys: [], erasedIds: ['late'] })
    },
  )

  describe('when an older copy of the keys was put back', () => {
    /** A site with a message that was erased in vault and log, and the vault as it was before. */
    const siteWithErased = async () => {
      const place = await emptyPlace()
      const sealed = await place.keyVault.seal('gone', 'text')
      await place.eventStore.append('message-gone', 'no-stream', [
        event('MessageReceived', { sealed, subject: 'general', artworkId: null }),
      ])
      await place.keyVault.seal('kept', 'text')
      const path = join(await mkdtemp(join(folder, 'older-')), 'site.tar')
      const to = { file: path, keys: `${path}.keys` }
      const before = await place.keyVault.takeOut()
      await backUp(place, to, options)
      const older = join(dirname(path), 'older.keys')
      await copyFile(to.keys, older)
      await place.keyVault.erase('gone')
      await place.eventStore.append('message-gone', 0, [event('MessageErased', {})])
      await backUp(place, to, options)
      return { place, to, before, older }
    }
    /** The same site with a vault that holds what it held before. */
    const withVault = async (place: Embedded, contents: VaultContents) => {
      const { keyVault } = await emptyPlace()
      await keyVault.putBack(contents)
      return { ...place, keyVault }
    }
    const idsOf = async (path: string) => {
      const { keys, erasedIds } = await readKeys(path)
      return { keys: keys.map(({ subjectId }) => subjectId), erasedIds }
    }

    it('holds what the log calls erased as erased, erases it again and says so', async () => {
      const { place, to, before } = await siteWithErased()
      const site = await withVault(place, before)
      const eraseAgain = site.keyVault.erase
      expect(await backUp(site, to, options)).toMatchObject({ returnedKeys: 1, lostKeys: null })
      expect(await idsOf(to.keys)).toEqual({ keys: ['kept'], erasedIds: ['gone'] })
      const other = join(dirname(to.file), 'other.keys')
      const done = await backUpTo(site, new PassThrough().resume(), other, { ...options, eraseAgain })
      expect(complaintsInWords(done, options)).toEqual([
        expect.stringContaining('1 erased letter has its key back'),
      ])
      expect(await idsOf(other)).toEqual({ keys: ['kept'], erasedIds: ['gone'] })
      expect(await site.keyVault.erasedIds()).toEqual(['gone'])
      expect(await backUp(site, to, { ...options, eraseAgain })).toMatchObject({ returnedKeys: 0 })
    })

    it('is refused or set apart when only an earlier keys file knows what was erased', async () => {
      const { place, to, before } = await siteWithErased()
      await place.keyVault.erase('kept')
      await backUp(place, to, options)
      const words = /has the keys of 1 of the 2 letters that were erased in .*site\.tar\.keys/
      const site = await withVault(place, before)
      await expect(backUp(site, to, options)).rejects.toThrow(words)
      expect(await idsOf(to.keys)).toEqual({ keys: [], erasedIds: ['gone', 'kept'] })
      const into = dirname(to.file)
      await backUpNightly(place, into, { ...options, createdAt: '2026-11-10T03:00:00.000Z' })
      const { complaint } = await backUpNightly(site, into, {
        ...options,
        createdAt: '2026-11-11T03:00:00.000Z',
      })
      expect(complaint).toMatch(/has the keys of 1 of the 2 letters that were erased in .*1110T030000Z/)
      const apart = 'atelier-20261111T030000Z.tar'
      expect((await readdir(join(into, 'set-apart'))).toSorted()).toEqual([apart, `${apart}.keys`])
    })

    it('restores what its own log calls erased as erased, with an older keys file too', async () => {
      const { to, older } = await siteWithErased()
      expect((await idsOf(older)).keys).toEqual(['gone', 'kept'])
      const place = await emptyPlace()
      expect(await restored(place, to.file, [older])).toMatchObject({ counts: { keys: 1 }, unreadable: 0 })
      const { keys, erasedIds } = await place.keyVault.takeOut()
      expect([keys.map(({ subjectId }) => subjectId), erasedIds]).toEqual([['kept'], ['gone']])
    })
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
    await place.logMark.begin(null)
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
      credentialVersion: null,
    })
    await restored(place)
    expect(await place.accounts.all()).toEqual([account])
    expect(await place.sessions.find('k', night)).toBeNull()
  })

  it('is not brought beside what another site has left when its log is gone', async () => {
    const place = await emptyPlace()
    const other = { ...account, id: 'other' }
    await place.accounts.addFirst(other)
    await place.logMark.begin(await made.site.eventStore.head())
    await expect(restored(place)).rejects.toThrow('What is here beside the empty log is another site’s')
    expect(await place.accounts.all()).toEqual([other])
    // Its own log may come back.
    expect(await place.effects.find('restore')).toBeNull()

    await place.accounts.replaceAll([{ ...account, username: 'former' }])
    await restored(place)
    expect(await place.accounts.all()).toEqual([account])
  })

  it('is refused before anything is written when two of its events have one id', async () => {
    const [one, other] = [event('ArtworkRetitled', { to: 'a', from: 'b' }), event('ArtworkSold', {})]
    const twice = join(folder, 'twice.tar')
    const eventStore = {
      head: async () => '2' as Position,
      readAll: async () =>
        [one, { ...other, id: one.id }].map((each, n) => ({
          ...each,
          stream: `artwork-${n}`,
          revision: 0,
          position: String(n + 1) as Position,
        })),
    }
    await fillFile(twice, (out) => archiveTo(out, { ...made.site, eventStore }, `${twice}-events`))
    const place = await emptyPlace()
    await expect(restored(place, twice)).rejects.toThrow(`Line 2 has the id of another event (${one.id})`)
    expect([await place.accounts.count(), await place.files.list('')]).toEqual([0, []])
    expect(await fillingRecord('restore', place.effects).underWay()).toBeNull()
  })

  it('that was broken off while it was restored goes on, and no server starts meanwhile', async () => {
    const place = await emptyPlace()
    // Of an import that was killed before its first event.
    await fillingRecord('import', place.effects).begin('of another log')
    const stop = new AbortController()
    const keys = joinedKeys([await readKeys(`${file()}.keys`)])
    const broken = restore(place, file(), keys, {
      signal: stop.signal,
      needed: neededOriginals,
      neededKeys: neededMessageKeys,
      onBegin: async () => undefined,
      onEnd: async () => undefined,
      onProgress: ({ what, done }) => {
        if (what === 'events' && done >= 500) stop.abort(new Error('Stopped.'))
      },
    })
    await expect(broken).rejects.toThrow('Stopped.')
    expect(await place.eventStore.head()).not.toBeNull()
    await expect(refuseHalfFilled(place.effects)).rejects.toThrow('run the same "atelier restore" again')
    const other = join(folder, 'other.tar')
    const empty = await emptyPlace()
    await backUp(empty, { file: other, keys: `${other}.keys` }, options)
    await expect(restored(place, other)).rejects.toThrow('A restore of another backup was broken off here')
    await restored(place)
    expect((await exportOf(place)).equals(await exportOf(made.site))).toBe(true)
    expect(await fillingRecord('restore', place.effects).underWay()).toBeNull()
    expect(await fillingRecord('import', place.effects).underWay()).toBeNull()
  })

  it('lets no server begin a site while it is only read, and leaves no word where it is refused', async () => {
    const place = await emptyPlace()
    const cut = join(folder, 'cut.tar')
    await writeFile(cut, (await readFile(file())).subarray(0, -2_048))
    const starts: Promise<unknown>[] = []
    const read = restore(place, cut, joinedKeys([await readKeys(`${file()}.keys`)]), {
      signal,
      needed: neededOriginals,
      neededKeys: neededMessageKeys,
      onBegin: async () => undefined,
      onEnd: async () => undefined,
      onProgress: () => starts.push(refuseHalfFilled(place.effects).catch(String)),
    })
    await expect(read).rejects.toThrow('damaged')
    expect(await starts[0]).toContain('run the same "atelier restore" again')
    await refuseHalfFilled(place.effects)
    expect(await fillingRecord('restore', place.effects).hasEnded()).toBe(false)
  })

  it.each([
    ['by hand', new Error('Stopped.'), 'run the same "atelier restore" again'],
    ['because a server began', new Refusal('blocked', 'A server began'), 'begins'],
  ])('stopped %s while it is only read', async (_, reason, start) => {
    const place = await emptyPlace()
    const stop = new AbortController()
    const read = restore(place, file(), joinedKeys([await readKeys(`${file()}.keys`)]), {
      signal: stop.signal,
      needed: neededOriginals,
      neededKeys: neededMessageKeys,
      onBegin: async () => undefined,
      onEnd: async () => undefined,
      onProgress: () => stop.abort(reason),
    })
    await expect(read).rejects.toThrow(reason.message)
    expect(await refuseHalfFilled(place.effects).then(() => 'begins', String)).toContain(start)
  })

  it.each(['restore', 'move'] as const)('goes where a %s was killed that had only read', async (killed) => {
    const place = await emptyPlace()
    await fillingRecord(killed, place.effects).beginReading()
    await expect(refuseHalfFilled(place.effects)).rejects.toThrow(`run the same "atelier ${killed}" again`)
    await restored(place)
    await refuseHalfFilled(place.effects)
    expect((await exportOf(place)).equals(await exportOf(made.site))).toBe(true)
  })

  it('that was killed while it was read stands in the way of no log that is there by now', async () => {
    const place = await emptyPlace()
    await fillingRecord('restore', place.effects).beginReading()
    await place.eventStore.append('artwork-1', 'no-stream', [event('ArtworkSold', {})])
    await expect(restored(place)).rejects.toThrow(/There is a site here already.*\)$/)
    await refuseHalfFilled(place.effects)
  })

  it('that lost the empty blocks at its end, in which nothing stands, is restored whole', async () => {
    // So many that the list of them at the end is not read at once.
    const keys = Array.from({ length: 300 }, (_, n) => `originals/${n}`)
    const files = {
      list: async (prefix: string) => keys.filter((each) => each.startsWith(prefix)),
      open: async () => ({ size: 1, stream: Readable.from([Buffer.from('x')]) }),
    }
    const bare = join(folder, `bare-${randomUUID()}.tar`)
    await fillFile(bare, (out) => archiveTo(out, { ...made.site, files }, `${bare}-events`))
    await writeFile(bare, (await readFile(bare)).subarray(0, -1_024))
    const place = await emptyPlace()
    await restored(place, bare)
    expect(await place.files.list('originals/')).toHaveLength(300)
    expect((await exportOf(place)).equals(await exportOf(made.site))).toBe(true)
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
      ['a header without an end', (bytes) => endless(bytes), 'is no backup, or it is damaged'],
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

    it.each(['originals/../../../etc/evil', 'originals//etc/evil', 'originals/', 'originals/.incoming/a'])(
      'is refused before anything is brought when it names a file that could be anywhere: %s',
      async (key) => {
        const files = {
          list: async (prefix: string) => [key].filter((each) => each.startsWith(prefix)),
          open: async () => ({ size: 1, stream: Readable.from([Buffer.from('x')]) }),
        }
        await fillFile(bad, (out) => archiveTo(out, { ...made.site, files }, `${bad}-events`))
        const place = await emptyPlace()
        await expect(restored(place, bad)).rejects.toThrow('does not belong in it')
        expect(await fillingRecord('restore', place.effects).underWay()).toBeNull()
      },
    )

    it.each(['accounts.json', 'manifest.json'])(
      'is refused by its header alone when %s in it would take all memory there is',
      async (name) => {
        const size = 2 ** 30
        const tar = pack()
        tar.entry({ name, size })
        const [header] = (await once(tar, 'data')) as [Buffer] // no encoding is set
        tar.destroy()
        await writeFile(bad, header)
        await truncate(bad, header.length + size)
        await expect(checkArchive(bad, { signal })).rejects.toThrow(`${name} is too large`)
        expect(await manifestOf(bad)).toBeNull()
      },
    )

    it('is refused when the log in it is', async () => {
      const bytes = await readFile(file())
      const at = bytes.indexOf('events.ndjson.gz')
      await writeFile(bad, flipped(bytes, at + 512 + 3_000))
      await expect(checkArchive(bad, { signal })).rejects.toThrow(
        /damaged|checksum|no JSON|missing or doubled/,
      )
    })
  })

  /** Its first header says that it goes on for longer than anybody reads one. */
  const endless = (bytes: Buffer): Buffer => {
    const changed = Buffer.from(bytes)
    changed.write('77777777777\0', 124, 'latin1')
    changed.write('x', 156, 'latin1')
    changed.fill(' ', 148, 156)
    const sum = changed.subarray(0, 512).reduce((all, byte) => all + byte, 0)
    changed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    return changed
  }
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
      await expect(broken).rejects.toThrow(/Stopped|aborted/)
      expect(await readdir(into)).toEqual(['site.tar'])
      expect(await readFile(path, 'utf8')).toBe('the backup of yesterday')
    }
  })

  it('says in words where it cannot write', async () => {
    const to = (path: string) => backUp(made.site, { file: path, keys: `${path}.keys` }, options)
    await expect(to(join(folder, 'no', 'site.tar'))).rejects.toThrow('make it first')
    await expect(to(folder)).rejects.toThrow('is a folder')
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    await expect(to(pipe)).rejects.toThrow('is a device or a pipe')
    const before = await readdir(folder)
    await expect(backUp(made.site, { file: join(folder, 'b.tar'), keys: pipe }, options)).rejects.toThrow(
      'is a device or a pipe',
    )
    expect((await stat(pipe)).isFIFO()).toBe(true)
    expect(await readdir(folder)).toEqual(before)
  })

  it('holds the same log as an export of events, whose compressed bytes are the same every time', async () => {
    const [one, other] = [await exportOf(made.site), await exportOf(made.site)]
    expect(one.equals(other)).toBe(true)
    // no time stamp
    expect(one.subarray(4, 8)).toEqual(Buffer.alloc(4))
    expect(gunzipSync(one).toString().split('\n')).toHaveLength(706)
    expect((await readFile(file())).includes(one)).toBe(true)
  })

  // A disk is late only now and then: many backups see it.
  it.each(Array.from({ length: 30 }, (_, n) => n))(
    'has the whole log on the disk before it measures it (%i)',
    async (n) => {
      const { site } = made
      const beside = join(folder, `log-beside-${n}`)
      let found: Buffer | null = null
      const list: typeof site.files.list = (prefix) => {
        found ??= readFileSync(beside)
        return site.files.list(prefix)
      }
      const files = { list, open: site.files.open }
      const out = new PassThrough().resume()
      await archiveTo(out, { eventStore: site.eventStore, accounts: site.accounts, files }, beside)
      expect(gunzipSync(found ?? '')).toEqual(gunzipSync(await exportOf(site)))
    },
  )

  it('of a night into a link that leads nowhere says so', async () => {
    const link = join(folder, 'unmounted')
    await symlink(join(folder, 'no-disk'), link)
    await expect(backUpNightly(await emptyPlace(), link, options)).rejects.toThrow(
      `${link} is a link that leads nowhere: mount the disk that it leads to`,
    )
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

  it('of a night whose process stood still at its very end leaves what the next one has made meanwhile', async () => {
    const into = join(folder, 'nights', 'late')
    const place = await emptyPlace()
    await backUpNightly(place, into, { ...options, createdAt: '2026-11-02T03:02:00.000Z' })
    const late = { createdAt: '2026-11-02T03:00:00.000Z', now: () => new Date('2026-11-02T03:04:00.000Z') }
    await backUpNightly(place, into, { ...options, ...late })
    expect((await readdir(into)).toSorted()).toEqual([
      'atelier-20261102T030000Z.tar',
      'atelier-20261102T030200Z.tar',
      'atelier-20261102T030200Z.tar.keys',
    ])
  })

  it('of a night made while a clock ran ahead pushes out no later one, nor its keys', async () => {
    const into = join(folder, 'nights', 'ahead')
    const place = await emptyPlace()
    const night = (createdAt: string) => backUpNightly(place, into, { ...options, createdAt })
    for (const day of [1, 2, 3, 4, 5, 6, 7]) await night(`2031-01-0${day}T03:00:00.000Z`)
    for (const day of [1, 2]) await night(`2026-11-0${day}T03:00:00.000Z`)
    expect((await readdir(into)).toSorted()).toEqual([
      ...[1, 2].map((day) => `atelier-2026110${day}T030000Z.tar`),
      'atelier-20261102T030000Z.tar.keys',
      ...[3, 4, 5, 6, 7].map((day) => `atelier-2031010${day}T030000Z.tar`),
    ])
  })

  describe('that has less than an earlier one', () => {
    const original = Buffer.from('picture')
    const hash = digest('sha256', original, 'hex')
    const firstId = '00000000-0000-4000-8000-000000000001'
    /** A site with `events` events, `keys` messages' keys and one image, whose original is there or not. */
    const siteWith = async (of: { events: number; keys: number; original: boolean }) => {
      const place = await emptyPlace()
      await place.eventStore.append(`image-${hash}`, 'no-stream', [
        {
          ...event('ImageUploaded', {
            hash,
            format: 'jpeg',
            bytes: 7,
            width: 4,
            height: 3,
            placeholder: 'data:image/webp;base64,AA',
            color: '#aabbcc',
          }),
          // By its first event it is the same site, whatever has become of it.
          id: firstId,
        },
      ])
      const title = { from: '', to: 'Monsoon' }
      for (let n = 1; n < of.events; n += 1)
        await place.eventStore.append('artwork-1', n === 1 ? 'no-stream' : n - 2, [
          event('ArtworkRetitled', { ...title, from: n === 1 ? hash : '' }),
        ])
      for (let n = 0; n < of.keys; n += 1) await place.keyVault.seal(`m${n}`, 'text')
      if (of.original) await place.files.put(`originals/${hash}`, original)
      return place
    }
    const nights = async (into: string, places: readonly Embedded[], first = 10) => {
      let last = null
      for (const [n, place] of places.entries())
        last = await backUpNightly(place, into, {
          ...options,
          createdAt: `2026-11-${String(n + first)}T03:00:00.000Z`,
        })
      return last
    }
    const whole = { events: 5, keys: 2, original: true }

    it.each([
      ['events', { ...whole, events: 4 }, /The site has 4 events, the backup .*1110T030000Z\.tar holds 5/],
      [
        'keys and erased ids',
        { ...whole, keys: 1 },
        /does not know 1 of the 2 letters whose keys are in .*keys, or were erased/,
      ],
    ])('rotates nothing and is told when it has fewer %s, however often', async (_, less, words) => {
      const into = await mkdtemp(join(folder, 'nights-'))
      await nights(into, [await siteWith(whole)])
      const before = await readdir(into)
      const small = await siteWith(less)
      const { complaint } = (await nights(into, [
        await siteWith(whole),
        ...Array.from({ length: 9 }, () => small),
      ]))!
      expect(complaint).toMatch(words)
      expect(complaint).toContain('No older backup was removed')
      expect((await readdir(into)).toSorted()).toEqual([...before, 'set-apart'].toSorted())
      const apart = 'atelier-20261119T030000Z.tar'
      expect((await readdir(join(into, 'set-apart'))).toSorted()).toEqual([apart, `${apart}.keys`])
    })

    it('lies among the others at no step when it has fewer, and the one set apart before stays until it is whole', async () => {
      const into = await mkdtemp(join(folder, 'nights-'))
      const small = await siteWith({ ...whole, events: 4 })
      await nights(into, [await siteWith(whole), small])
      const before = await readdir(into)
      const [former] = (await readdir(join(into, 'set-apart'))).toSorted()
      // It ends between its keys and itself.
      const next = 'atelier-20261112T030000Z.tar'
      await mkdir(join(into, 'set-apart', next))
      await expect(nights(into, [small], 12)).rejects.toThrow('is a folder: name a file in it')
      expect((await readdir(into)).toSorted()).toEqual(before.toSorted())
      expect((await readdir(join(into, 'set-apart'))).toSorted()).toEqual([
        former,
        `${former}.keys`,
        next,
        `${next}.keys`,
      ])
      await rm(join(into, 'set-apart', next), { recursive: true })
      await nights(into, [small], 13)
      const last = 'atelier-20261113T030000Z.tar'
      expect((await readdir(join(into, 'set-apart'))).toSorted()).toEqual([last, `${last}.keys`])
    })

    it.each([
      ['events', { events: 4 }],
      ['keys', { keys: 1 }],
      ['pictures', { original: false }],
    ])('that is set apart takes the place of none there that has more %s', async (_, less) => {
      const into = await mkdtemp(join(folder, 'nights-'))
      const apart = async (): Promise<readonly string[]> =>
        (await readdir(join(into, 'set-apart'))).map((name) => name.slice(14, 16)).toSorted()
      const most = await siteWith({ ...whole, events: 6 })
      const more = await siteWith(whole)
      const small = await siteWith({ ...whole, ...less })
      await nights(into, [most, more, small, small])
      expect(await apart()).toEqual(['11', '11', '13', '13'])
      await nights(into, [more], 14)
      expect(await apart()).toEqual(['14', '14'])
    })

    it('that is set apart with an event that nobody can read takes the place of none there that has it whole', async () => {
      const into = await mkdtemp(join(folder, 'nights-'))
      const apart = async (): Promise<readonly string[]> =>
        (await readdir(join(into, 'set-apart'))).map((name) => name.slice(14, 16)).toSorted()
      const rotten = await siteWith({ ...whole, events: 4 })
      await rotten.eventStore.append('artwork-bad', 'no-stream', [event('ArtworkRetitled', { tp: 'Sea' })])
      await nights(into, [await siteWith({ ...whole, events: 6 }), await siteWith(whole), rotten, rotten])
      expect(await apart()).toEqual(['11', '11', '13', '13'])
      await nights(into, [await siteWith(whole)], 14)
      expect(await apart()).toEqual(['14', '14'])
    })

    it('and was set apart is named where the site is lost, if it holds most events of all', async () => {
      const into = await mkdtemp(join(folder, 'nights-'))
      const config = readConfig({ DATA_DIR: join(folder, 'no-site'), BACKUP_DIR: into })
      await nights(into, [await siteWith(whole), await siteWith({ ...whole, events: 4 })])
      expect(await lostFolder(config)).toMatch(/with 5 events .*"atelier restore [^"]*1110T030000Z\.tar"/)
      await nights(into, [await siteWith({ ...whole, events: 6, keys: 1 })], 12)
      expect(await lostFolder(config)).toMatch(
        /with 6 events .*"atelier restore [^"]*set-apart\/[^"]*1112T030000Z\.tar"/,
      )
      // A backup was put back since, and the log of the one set apart given up.
      await nights(into, [await siteWith(whole)], 13)
      expect(await lostFolder(config)).toMatch(
        /with 5 events [^ ]*\/atelier-20261113T030000Z\.tar\).*"atelier restore [^"]*1113T030000Z\.tar"/,
      )
    })

    it('rotates nothing when other letters have come instead of those it has lost', async () => {
      const into = await mkdtemp(join(folder, 'nights-'))
      await nights(into, [await siteWith(whole)])
      const before = await readdir(into)
      const other = await siteWith({ ...whole, keys: 0 })
      for (let n = 0; n < 5; n += 1) await other.keyVault.seal(`other${n}`, 'text')
      const last = await nights(into, [other, other], 11)
      expect(last?.complaint).toMatch(/does not know 2 of the 2 letters whose keys are in .*1110T030000Z/)
      expect((await readdir(into)).toSorted()).toEqual([...before, 'set-apart'].toSorted())
      const path = join(into, before.find((name) => name.endsWith('.tar')) ?? '')
      await expect(backUp(other, { file: path, keys: `${path}.keys` }, options)).rejects.toThrow(
        'It was not replaced',
      )
    })

    it.each([
      ['of other events', {}],
      [
        'whose first start made events of the same ids',
        { id: firstId, occurredAt: '2026-03-05T00:00:00.000Z' },
      ],
    ])('takes no place among those of another site %s, however much it has', async (_, first) => {
      const into = await mkdtemp(join(folder, 'nights-'))
      await nights(into, [await siteWith({ ...whole, keys: 0 })])
      const before = await readdir(into)
      const other = await emptyPlace()
      for (let n = 0; n < 9; n += 1)
        await other.eventStore.append(`artwork-${n}`, 'no-stream', [
          { ...event('ArtworkRetitled', { from: '', to: 'Sea' }), ...(n === 0 ? first : {}) },
        ])
      const last = await nights(into, [other, other], 11)
      expect(last?.complaint).toMatch(
        /^The backup .*1110T030000Z\.tar is of another site\. No older backup was removed/,
      )
      expect((await readdir(into)).toSorted()).toEqual([...before, 'set-apart'].toSorted())
    })

    it('takes the place of its own that was set apart, also where another site’s erasures are forgotten there', async () => {
      const into = await mkdtemp(join(folder, 'nights-'))
      const [place, other] = [await siteWith(whole), await emptyPlace()]
      await place.keyVault.erase('m0')
      await other.eventStore.append('artwork-1', 'no-stream', [
        event('ArtworkRetitled', { from: '', to: 'Sea' }),
      ])
      for (const [n, each] of [place, other, place, other, place, other].entries()) {
        await nights(into, [each], 10 + n)
        await forgetKeys(into, await each.keyVault.erasedIds())
      }
      const archives = (names: readonly string[]): readonly string[] =>
        names.filter((name) => name.endsWith('.tar')).map((name) => name.slice(14, 16))
      expect(archives((await readdir(into)).toSorted())).toEqual(['10', '12', '14'])
      expect(archives(await readdir(join(into, 'set-apart')))).toEqual(['15'])
    })

    it('erasing is not having less', async () => {
      const into = await mkdtemp(join(folder, 'nights-'))
      const place = await siteWith(whole)
      await nights(into, [place])
      await place.keyVault.erase('m0')
      expect(await nights(into, [place, place])).toMatchObject({ complaint: null, counts: { erased: 1 } })
    })

    it.each([
      ['pict', 'cut'],
      ['pictune', 'damaged'],
    ])(
      'names the originals that it lacks, and keeps the last archive that has them: %s (%s)',
      async (left, word) => {
        const into = await mkdtemp(join(folder, 'nights-'))
        const place = await siteWith(whole)
        expect(await nights(into, [place, place])).toMatchObject({ complaint: null, lacking: [] })
        await place.files.remove([`originals/${hash}`])
        await place.files.put(`originals/${hash}`, Buffer.from(left))
        const last = await nights(
          into,
          Array.from({ length: 8 }, () => place),
          12,
        )
        expect(last?.complaint).toContain(
          `1 original picture is missing, cut or damaged: originals/${hash} of "Monsoon" (${word})`,
        )
        const archives = (await readdir(into)).filter((name) => name.endsWith('.tar')).toSorted()
        expect(archives.map((name) => name.slice(14, 16))).toEqual([
          '11',
          '13',
          '14',
          '15',
          '16',
          '17',
          '18',
          '19',
        ])
      },
    )

    it('with an event that nobody can read rotates nothing, takes no place by hand and says what to do', async () => {
      const into = await mkdtemp(join(folder, 'nights-'))
      const place = await siteWith(whole)
      await nights(into, [place])
      const before = await readdir(into)
      await place.eventStore.append('artwork-bad', 'no-stream', [event('ArtworkRetitled', { tp: 'Sea' })])
      const words = 'An event of the log cannot be read: event 0 of artwork-bad, ArtworkRetitled'
      const bad = await nights(
        into,
        Array.from({ length: 9 }, () => place),
        11,
      )
      expect(bad?.complaint).toContain(words)
      expect(bad?.complaint).toContain('No older backup was removed')
      expect((await readdir(into)).toSorted()).toEqual([...before, 'set-apart'].toSorted())
      const path = join(into, before.find((name) => name.endsWith('.tar')) ?? '')
      await expect(backUp(place, { file: path, keys: `${path}.keys` }, options)).rejects.toThrow(
        'It was not replaced',
      )
      const other = join(into, 'other.tar')
      const done = await backUp(place, { file: other, keys: `${other}.keys` }, options)
      expect(complaintsInWords(done, options)).toEqual([
        expect.stringMatching(/^An event of the log cannot be read: .* Restore the newest backup/),
      ])
      const toOutput = await backUpTo(place, new PassThrough().resume(), `${other}.keys`, options)
      expect(toOutput.unreadableEvents).toEqual(done.unreadableEvents)
      await place.eventStore.append('artwork-bad', 0, [event('ArtworkPaintedOver', {})])
      await expect(backUp(place, { file: `${other}2`, keys: `${other}2.keys` }, options)).rejects.toThrow(
        /^An event of the log cannot be read: .*ArtworkPaintedOver.* Restore/,
      )
    })

    it.each([
      ['no line of an archive', 'ArtworkPaintedOver', 'ArtworkPaintedOver'],
      ['what says which pictures are needed', 'ImageUploaded', 'ImageUploaded'],
    ])('sends nothing of a log of which no backup can be made: %s', async (_, type, words) => {
      const place = await siteWith(whole)
      await place.eventStore.append('image-bad', 'no-stream', [event(type, { damaged: '' })])
      let sent = 0
      const out = new PassThrough().on('data', ({ length }: Buffer) => {
        sent += length
      })
      const keys = join(folder, `stream-${type}.keys`)
      await expect(backUpTo(place, out, keys, options)).rejects.toThrow(
        new RegExp(`^An event of the log cannot be read: .*${words}.* Restore the newest backup`),
      )
      expect([sent, existsSync(keys)]).toEqual([0, false])
    })

    it('does not take its place by hand either, nor that of its keys', async () => {
      const into = await mkdtemp(join(folder, 'by-hand-'))
      const path = join(into, 'site.tar')
      const to = (place: Embedded) => backUp(place, { file: path, keys: `${path}.keys` }, options)
      await to(await siteWith(whole))
      const before = await readFile(path)
      await expect(to(await siteWith({ ...whole, events: 3 }))).rejects.toThrow('It was not replaced')
      await expect(to(await siteWith({ ...whole, keys: 0 }))).rejects.toThrow('It was not replaced')
      expect((await readFile(path)).equals(before)).toBe(true)
      expect((await readdir(into)).toSorted()).toEqual(['site.tar', 'site.tar.keys'])
      await to(await siteWith({ ...whole, events: 6 }))
    })

    it('does not take by hand the place of what may be the last to have a picture', async () => {
      const into = await mkdtemp(join(folder, 'by-hand-'))
      const path = join(into, 'site.tar')
      const place = await siteWith(whole)
      const to = (name: string) => backUp(place, { file: name, keys: `${name}.keys` }, options)
      await to(path)
      const before = await readFile(path)
      await place.files.remove([`originals/${hash}`])
      await expect(to(path)).rejects.toThrow(
        `The backup ${path} has what the site lacks: originals/${hash}. It was not replaced`,
      )
      expect((await readFile(path)).equals(before)).toBe(true)
      const without = join(into, 'without.tar')
      const isLacking = { lacking: [{ key: `originals/${hash}`, found: null }] }
      expect([await to(without), await to(without)]).toMatchObject([isLacking, isLacking])
      expect(await restored(await emptyPlace(), without, [`${without}.keys`])).toMatchObject(isLacking)
      expect(await restored(await emptyPlace(), path, [`${path}.keys`])).toMatchObject({ lacking: [] })
    })
  })

  it('says how many letters cannot be read, and since when, and that erased ones are none of them', async () => {
    const place = await emptyPlace()
    const received = { sealed: 'x', subject: 'general', artworkId: null }
    for (const id of ['m1', 'm2', 'erased', 'told'])
      await place.eventStore.append(`message-${id}`, 'no-stream', [event('MessageReceived', received)])
    await place.eventStore.append('message-told', 0, [event('MessageErased', {})])
    await place.keyVault.seal('m2', 'text')
    await place.keyVault.erase('erased')
    const lostKeys = { count: 1, ids: ['m1'], since: '2026-03-04T05:06:07.089Z' }
    const into = await mkdtemp(join(folder, 'nights-'))
    const path = join(into, 'site.tar')
    expect(await backUp(place, { file: path, keys: `${path}.keys` }, options)).toMatchObject({ lostKeys })
    expect(
      await backUpTo(place, new PassThrough().resume(), join(into, 'other.keys'), options),
    ).toMatchObject({ lostKeys })
    const { complaint } = await backUpNightly(place, into, options)
    expect(complaint).toMatch(/1 letter, of 2026-03-04T05:06:07.089Z, cannot be read: .* Restore the newest/)
    expect(await backUp(made.site, target(), options)).toMatchObject({ lostKeys: null, cut: [] })
  })

  it('has everything but the files that end too early, and names those', async () => {
    const { site, hash } = made
    const cutKeys = [`images/${hash}/320.avif`, `originals/${hash}`]
    /** As a file that is cut between the look at it and the reading. */
    const open: typeof site.files.open = async (key) => {
      const file = await site.files.open(key, cutKeys.includes(key) ? { start: 0, end: 100 } : undefined)
      return file && { size: file.size, stream: untilCut(file.stream, key, file.size) }
    }
    const path = join(await mkdtemp(join(folder, 'cut-')), 'site.tar')
    const done = await backUp(
      { ...site, files: { ...site.files, open } },
      { file: path, keys: `${path}.keys` },
      options,
    )
    expect(done.cut).toEqual(cutKeys)
    expect(complaintsInWords(done, options).join()).toContain(
      `cut and not in the backup: images/${hash}/320.avif`,
    )
    const { entries } = await checkArchive(path, { signal })
    expect(Object.keys(entries).filter((name) => name.startsWith('files/'))).toEqual([
      `files/images/${hash}/640.avif`,
      `files/images/${hash}/empty.jpg`,
    ])
    const place = await emptyPlace()
    await restored(place, path, [`${path}.keys`])
    expect(await exportOf(place)).toEqual(await exportOf(site))
  })

  it('has everything but the files that a failing disk does not give, and names those with an advice', async () => {
    const { site, hash } = made
    const bad = `originals/${hash}`
    const failing = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
    const open: typeof site.files.open = async (key) => {
      if (key === bad) throw new FileUnreadable(key, { cause: failing })
      return site.files.open(key)
    }
    const path = join(await mkdtemp(join(folder, 'failing-')), 'site.tar')
    const done = await backUp(
      { ...site, files: { ...site.files, open } },
      { file: path, keys: `${path}.keys` },
      options,
    )
    expect(done).toMatchObject({ unreadable: [bad], cut: [] })
    expect(complaintsInWords(done, options).join()).toContain(
      `1 file is unreadable and not in the backup: ${bad}. The disk is failing: save what there is`,
    )
    expect(Object.keys((await checkArchive(path, { signal })).entries)).toContain(
      `files/images/${hash}/640.avif`,
    )
  })

  it.each([
    ['EROFS', 'lies on a disk that is read-only: make it writable'],
    ['EIO', 'the disk is failing: save what there is'],
    ['EACCES', 'check the rights on its folder'],
  ])('says what %s means where it is to be written', async (code, words) => {
    const into = await mkdtemp(join(folder, 'unwritable-'))
    const refused = fillFile(join(into, 'site.tar'), async () => {
      throw Object.assign(new Error(`${code}: write`), { code })
    })
    await expect(refused).rejects.toThrow(words)
    await expect(refused).rejects.toThrow(into)
  })

  it('fails as a whole when an engine goes away while a file is read', async () => {
    const { site } = made
    const open: typeof site.files.open = async () => ({
      size: 10,
      stream: Readable.from(
        (function* () {
          yield Buffer.from('half')
          throw new Error('the engine went away')
        })(),
      ),
    })
    const path = join(await mkdtemp(join(folder, 'away-')), 'site.tar')
    const done = backUp(
      { ...site, files: { ...site.files, open } },
      { file: path, keys: `${path}.keys` },
      options,
    )
    await expect(done).rejects.toThrow('the engine went away')
  })

  describe('of which letters were erased since', () => {
    const keysOf = (ids: readonly string[]) => ({
      keys: ids.map((subjectId) => ({ subjectId, key: randomBytes(32) })),
      erasedIds: [],
    })
    const write = async (path: string, ids: readonly string[]): Promise<void> => {
      await mkdir(dirname(path), { recursive: true })
      await fillFile(path, (out) => writeKeys(keysOf(ids), night, out))
    }

    it('has their keys in no file below its folder: set apart, by hand, or left by a killed night', async () => {
      const into = await mkdtemp(join(folder, 'forget-'))
      const name = 'atelier-20261110T030000Z.tar.keys'
      const part = `.${name}.${randomUUID()}.part`
      const own = [name, `set-apart/${name}`, 'by-hand.tar.keys', `${name}.old`, 'copies/letters.txt', part]
      for (const each of own) await write(join(into, each), ['gone', 'kept'])
      await write(join(into, 'other-site.tar.keys'), ['elsewhere'])
      await writeFile(join(into, 'holiday.keys'), 'mine')
      const half = join(into, `.${name}.${randomUUID()}.part`)
      await writeFile(half, (await readFile(join(into, name))).subarray(0, 100))
      const { utimes } = await import('node:fs/promises')
      await utimes(half, new Date(0), new Date(0))
      const other = await readFile(join(into, 'other-site.tar.keys'))

      // One that is whole may yet get its name.
      expect(await forgetKeys(into, ['gone'])).toBe(false)
      for (const each of own) {
        const { keys, erasedIds } = await readKeys(join(into, each))
        expect([each, keys.map(({ subjectId }) => subjectId), erasedIds]).toEqual([each, ['kept'], ['gone']])
      }
      expect(await readFile(join(into, 'other-site.tar.keys'))).toEqual(other)
      expect(await readFile(join(into, 'holiday.keys'), 'utf8')).toBe('mine')
      const parts = async () => (await readdir(into)).filter((each) => each.endsWith('.part'))
      expect(await parts()).toEqual([part])
      await utimes(join(into, part), new Date(0), new Date(0))
      expect(await forgetKeys(into, ['gone'])).toBe(true)
      expect(await parts()).toEqual([])
    })

    it('is asked again while a keys file is being written, and told of a damaged one when the others are done', async () => {
      const into = await mkdtemp(join(folder, 'forget-'))
      const [first, second] = ['atelier-20261110T030000Z.tar.keys', 'atelier-20261111T030000Z.tar.keys']
      const half = join(into, `.${first}.${randomUUID()}.part`)
      await writeFile(half, 'half')
      expect(await forgetKeys(into, ['gone'])).toBe(false)
      await rm(half)
      await writeFile(join(into, first), 'damaged')
      await write(join(into, second), ['gone'])
      await expect(forgetKeys(into, ['gone'])).rejects.toThrow(`${first} is damaged`)
      expect((await readKeys(join(into, second))).keys).toEqual([])
    })
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
