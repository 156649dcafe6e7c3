import { randomUUID } from 'node:crypto'
import { rmdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, symlink, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import type { Session } from '#application/kernel/ports/sessions.ts'
import { freshStream, someEvent } from '../testing/contracts/some-events.ts'
import { type Database, openDatabase } from './database.ts'
import { openEventStore } from './event-store.ts'
import { openFiles } from './files.ts'
import { openKeyVault } from './key-vault.ts'
import { openReserve, type Reserve } from './reserve.ts'
import { openSessions } from './sessions.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-reserve-'))
})
afterEach(async () => rm(folder, { recursive: true }))

describe('the reserve in a folder', () => {
  const sizeNow = async (): Promise<number> => (await stat(join(folder, 'reserve'))).size

  it('is there from the first opening on, for its owner only, and takes real room', async () => {
    expect(openReserve(folder).isShort()).toBe(false)
    const { size, blocks, mode } = await stat(join(folder, 'reserve'))
    expect(size).toBe(4 * 1_048_576)
    expect(blocks * 512).toBeGreaterThanOrEqual(size)
    expect(mode & 0o077).toBe(0)
  })

  it('is given up bit by bit until nothing is left, and is whole again once there is room', async () => {
    const reserve = openReserve(folder)
    const sizes: number[] = []
    for (let n = 0; n < 7; n += 1) {
      reserve.giveUp()
      sizes.push(await sizeNow())
    }
    expect(sizes).toEqual([7, 6, 5, 4, 3, 2, 1].map((eighths) => eighths * 524_288))
    // The last part is the file itself.
    expect([reserve.giveUp(), reserve.giveUp()]).toEqual([true, false])
    await expect(sizeNow()).rejects.toThrow('ENOENT')
    expect(reserve.isShort()).toBe(false)
    expect(await sizeNow()).toBe(4 * 1_048_576)
  })

  it.skipIf(process.platform !== 'linux')(
    'says it in words where the disk takes nothing at all',
    async () => {
      // It can be opened, and a write is refused, for no want of room.
      await symlink('/proc/self/oom_score_adj', join(folder, 'reserve'))
      expect(() => openReserve(folder)).toThrow('check the disk and the rights on DATA_DIR')
    },
  )

  it('knows at the next opening how much of it is left', async () => {
    openReserve(folder)
    await truncate(join(folder, 'reserve'), 524_288)
    openReserve(folder)
    expect(await sizeNow()).toBe(4 * 1_048_576)
  })
})

/** A reserve of so many parts for a file that may have only so many pages: each part is room for some more. */
const reserveOf = (
  parts: number,
): Reserve & { readonly bind: (of: Database) => void; readonly left: () => number } => {
  let left = parts
  let database: Database | null = null
  const pages = (name: string): number => Number(database?.sql(`PRAGMA ${name}`).get()?.[name])
  return {
    bind: (of) => {
      database = of
      of.exec(`PRAGMA max_page_count = ${pages('page_count')}`)
    },
    left: () => left,
    isShort: () => left < parts,
    takesNothing: () => false,
    giveUp: () => {
      if (left === 0) return false
      left -= 1
      database?.exec(`PRAGMA max_page_count = ${pages('page_count') + 8}`)
      return true
    },
  }
}

const sessionOf = (n: number): Session => ({
  key: `key-${n}`,
  id: `id-${n}`,
  accountId: 'owner',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastSeenAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2027-01-01T00:00:00.000Z',
  device: 'x'.repeat(200),
  address: '127.0.0.1',
  credentialVersion: null,
})

const deletion = (n: number) => ({ ...someEvent(n, { title: 'x'.repeat(6_000) }), type: 'ArtworkDeleted' })
const growing = (n: number) => someEvent(n, { text: 'x'.repeat(6_000) })

it('makes way where no further file can be made', async () => {
  const path = join(folder, 'atelier.db')
  openDatabase(path).close()
  // As little can be made under a name that is taken.
  await mkdir(`${path}-wal`)
  const open = (isFull: boolean): Database =>
    openDatabase(path, 'hold', {
      isShort: () => isFull,
      takesNothing: () => isFull,
      giveUp: () => {
        rmdirSync(`${path}-wal`)
        return true
      },
    })
  expect(() => open(false)).toThrow('cannot be read or written')
  open(true).close()
})

describe('a full disk', () => {
  const full = (parts: number) => {
    const reserve = reserveOf(parts)
    const database = openDatabase(join(folder, 'atelier.db'), 'hold', reserve)
    const store = openEventStore(database)
    return { reserve, database, store }
  }

  it('has room for signing in, until the whole reserve is given up', async () => {
    const { reserve, database } = full(2)
    const sessions = openSessions(database)
    await sessions.save(sessionOf(0))
    reserve.bind(database)
    let saved = 0
    const refused = await (async () => {
      for (;;) await sessions.save(sessionOf((saved += 1)))
    })().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(DiskFull)
    expect(saved).toBeGreaterThan(20)
    expect(reserve.left()).toBe(0)
    expect(await sessions.find('key-1', '2026-06-01T00:00:00.000Z')).not.toBeNull()
    database.close()
  })

  it('takes a deletion and refuses what grows, also of one group, and the reserve is no room for growing', async () => {
    const { reserve, database, store } = full(3)
    const [kept, grown] = [freshStream(), freshStream()]
    await store.append(kept, 'no-stream', [someEvent(0)])
    reserve.bind(database)
    await expect(store.append(grown, 'no-stream', [growing(1)])).rejects.toBeInstanceOf(DiskFull)
    expect(reserve.left()).toBe(3)
    const [refused, deleted] = await Promise.allSettled([
      store.append(grown, 'no-stream', [growing(2)]),
      store.append(kept, 0, [deletion(3)]),
    ])
    expect(refused.status === 'rejected' && refused.reason).toBeInstanceOf(DiskFull)
    expect(deleted).toMatchObject({ status: 'fulfilled', value: { revision: 1 } })
    expect(reserve.left()).toBe(2)
    // There would be room now, but it is kept.
    await expect(store.append(grown, 'no-stream', [someEvent(4)])).rejects.toBeInstanceOf(DiskFull)
    await store.append(kept, 1, [deletion(5)])
    expect((await store.readAll(null, 10)).map(({ type }) => type)).toEqual([
      someEvent(0).type,
      'ArtworkDeleted',
      'ArtworkDeleted',
    ])
    database.close()
  })

  it('lets a letter be erased, and seals no other', async () => {
    const { reserve, database } = full(1)
    const vault = openKeyVault(database, 'a secret of thirty-two characters')
    const sealed = await vault.seal('letter', 'Is it free?')
    reserve.bind(database)
    reserve.giveUp()
    await expect(vault.seal(randomUUID(), 'Another')).rejects.toBeInstanceOf(DiskFull)
    await vault.erase('letter')
    expect(await vault.open('letter', sealed)).toBeNull()
    database.close()
  })

  it('takes no file while the room that is left is kept', async () => {
    let short = true
    const files = await openFiles(join(folder, 'files'), 'hold', { isShort: () => short })
    await expect(files.put('originals/a', Buffer.from('a'))).rejects.toBeInstanceOf(DiskFull)
    expect(await files.list('')).toEqual([])
    short = false
    await files.put('originals/a', Buffer.from('a'))
    expect(await files.size('originals/a')).toBe(1)
  })
})
