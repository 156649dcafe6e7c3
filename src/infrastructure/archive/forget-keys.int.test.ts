import { spawnSync } from 'node:child_process'
import { access, lstat, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openDatabase } from '../embedded/database.ts'
import { lockDataFolder } from '../embedded/data-folder.ts'
import { forgetKeys } from './forget-keys.ts'
import { readKeys, writeKeys } from './keys-file.ts'
import { fillFile } from './whole-file.ts'

// Whoever runs the tests may read every folder: what root alone may read is stood in for.
vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>()
  const refused = () =>
    Promise.reject(Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }))
  return {
    ...real,
    // A backup that is made beside is done between the listing and the look.
    stat: async (path: string) => {
      const [, name = null] = /\.(done\.keys)\.[^/]+\.part$/.exec(path) ?? []
      if (name !== null) await real.rename(path, join(dirname(path), name))
      return real.stat(path)
    },
    // Another process has rewritten it since this one has read it.
    open: async (path: string, ...how: unknown[]) => {
      if (/(?:of-root|atelier-20260101T030003Z)\.tar\.keys$/.test(path)) return refused()
      if (path.endsWith('failing-disk.tar'))
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', path })
      const [, name = null] = /\.(overtaken\.keys)\.[^/]+\.part$/.exec(path) ?? []
      if (name !== null && how[0] === 'wx')
        await real.rename(join(dirname(path), 'newer'), join(dirname(path), name)).catch(() => undefined)
      return real.open(path, ...(how as [string, number]))
    },
    // Somebody has protected it (chattr +i), which root alone can do here; the disk, or a share, says otherwise.
    rename: async (from: string, to: string) => {
      const codes = { 'protected.keys': 'EPERM', 'read-only.keys': 'EROFS', 'open.keys': 'EBUSY' }
      const code = Object.entries(codes).find(([name]) => to.endsWith(`/${name}`))?.[1]
      if (code === undefined) return real.rename(from, to)
      const words = `${code}: not permitted, rename '${from}' -> '${to}'`
      throw Object.assign(new Error(words), { code, path: from, dest: to })
    },
    // Asked for a whole tree, Node gives up at the first folder in it that may not be read.
    readdir: (path: string, options?: { withFileTypes: true; recursive?: boolean }) => {
      if (options?.recursive || path.endsWith('root-only') || path.endsWith('closed/set-apart'))
        return refused()
      return options === undefined ? real.readdir(path) : real.readdir(path, options)
    },
  }
})

it('passes over a folder that the site may not read, and goes on with the others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
  try {
    await mkdir(join(folder, 'lost', 'root-only'), { recursive: true })
    await mkdir(join(folder, 'older'))
    const damaged = join(folder, 'older', 'atelier-20260101T030000Z.tar.keys')
    await writeFile(damaged, 'not keys')
    // That it was found is seen by what is said of it.
    await expect(forgetKeys(folder, ['gone'])).rejects.toThrow(`${damaged} is damaged`)
    await rm(damaged)
    expect(await forgetKeys(folder, ['gone'])).toBe(true)
  } finally {
    await rm(folder, { recursive: true })
  }
})

it.each(['', 'site'])(
  'lifts no lock of a data folder that is, or lies in, that of the nights (%j)',
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
    const dataDir = join(folder, name)
    const unlock = lockDataFolder(dataDir)
    const database = openDatabase(join(dataDir, 'atelier.db'))
    /** Whether another process gets a lock that nobody else may have meanwhile. */
    const isFree = (file: string): boolean => {
      const text = `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(join(dataDir, file))}, { timeout: 0 }).exec('BEGIN EXCLUSIVE')`
      return spawnSync(process.execPath, ['-e', text]).status === 0
    }
    try {
      database.exec('BEGIN IMMEDIATE')
      expect(await forgetKeys(folder, ['gone'])).toBe(true)
      expect([isFree('lock.db'), isFree('atelier.db')]).toEqual([false, false])
    } finally {
      database.close()
      unlock()
      await rm(folder, { recursive: true })
    }
  },
)

it('says so when the folder of the nights itself may not be read', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'atelier-nights-')), 'root-only')
  await expect(forgetKeys(folder, ['gone'])).rejects.toThrow('EACCES')
})

it('says so when what was set apart may not be read, as by the user that the site runs as now', async () => {
  const above = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
  try {
    await mkdir(join(above, 'closed', 'set-apart'), { recursive: true })
    const keys = join(above, 'closed', 'site.keys')
    const held = { subjectId: 'gone', key: new Uint8Array(32) }
    await fillFile(keys, (out) => writeKeys({ keys: [held], erasedIds: [] }, '2026-01-01T03:00:00.000Z', out))
    await expect(forgetKeys(join(above, 'closed'), ['gone'])).rejects.toThrow('EACCES')
    expect((await readKeys(keys)).keys).toEqual([])
  } finally {
    await rm(above, { recursive: true })
  }
})

it.each([-2, 365 * 24])(
  'removes what a killed backup left half-written, its time being %d hours away',
  async (hours) => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
    try {
      const left = join(folder, 'atelier-20260101T030000Z.tar.keys.0b2c1f6e-8c7c-4d43-9d7f-2f0f4a1f3a11.part')
      await writeFile(left, 'half of the keys')
      const at = Date.now() / 1000 + hours * 3600
      await utimes(left, at, at)
      expect(await forgetKeys(folder, ['gone'])).toBe(true)
      await expect(access(left)).rejects.toThrow('ENOENT')
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

it('removes no copy that somebody has named like one in the making, and forgets in it as well', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
  try {
    const copy = join(folder, 'before-the-move.part')
    const keys = ['gone', 'kept'].map((subjectId) => ({ subjectId, key: new Uint8Array(32) }))
    await fillFile(copy, (out) => writeKeys({ keys, erasedIds: [] }, '2026-01-01T03:00:00.000Z', out))
    const at = Date.now() / 1000 - 2 * 3600
    await utimes(copy, at, at)
    expect(await forgetKeys(folder, ['gone'])).toBe(true)
    expect(await readKeys(copy)).toMatchObject({ keys: [{ subjectId: 'kept' }], erasedIds: ['gone'] })
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('leaves what is in the making where its disk has another clock than this machine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60 * 60_000 })
  try {
    const half = join(folder, '.a.keys.0b2c1f6e-8c7c-4d43-9d7f-2f0f4a1f3a11.part')
    const whole = join(folder, '.b.keys.0b2c1f6e-8c7c-4d43-9d7f-2f0f4a1f3a12.part')
    await writeFile(half, 'half of the keys')
    await fillFile(whole, (out) => writeKeys({ keys: [], erasedIds: [] }, '2026-01-01T03:00:00.000Z', out))
    expect(await forgetKeys(folder, ['gone'])).toBe(false)
    const parts = await readdir(folder)
    expect(parts.map((name) => join(folder, name)).toSorted()).toEqual([half, whole])
  } finally {
    vi.useRealTimers()
    await rm(folder, { recursive: true })
  }
})

it('asks again for keys that got their name while it looked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
  try {
    const part = join(folder, '.done.keys.0b2c1f6e-8c7c-4d43-9d7f-2f0f4a1f3a11.part')
    const keys = [{ subjectId: 'gone', key: new Uint8Array(32) }]
    await fillFile(part, (out) => writeKeys({ keys, erasedIds: [] }, '2026-01-01T03:00:00.000Z', out))
    expect(await forgetKeys(folder, ['gone'])).toBe(false)
    await access(join(folder, 'done.keys'))
    expect(await forgetKeys(folder, ['gone'])).toBe(true)
    expect(await readKeys(join(folder, 'done.keys'))).toMatchObject({ keys: [], erasedIds: ['gone'] })
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('puts nothing in the place of keys that another has rewritten meanwhile, and asks again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
  try {
    const [path, newer] = [join(folder, 'overtaken.keys'), join(folder, 'newer')]
    const keysOf = (...ids: string[]) => ids.map((subjectId) => ({ subjectId, key: new Uint8Array(32) }))
    const write = (to: string, ids: string[], erasedIds: string[]) =>
      fillFile(to, (out) => writeKeys({ keys: keysOf(...ids), erasedIds }, '2026-01-01T03:00:00.000Z', out))
    await write(path, ['first', 'second', 'kept'], [])
    // By another that knows of the second erasure, which this one does not.
    await write(newer, ['kept'], ['first', 'second'])
    expect(await forgetKeys(folder, ['first'])).toBe(false)
    expect(await readKeys(path)).toMatchObject({
      keys: [{ subjectId: 'kept' }],
      erasedIds: ['first', 'second'],
    })
    expect(await forgetKeys(folder, ['first'])).toBe(true)
    expect(await readdir(folder)).toEqual(['overtaken.keys'])
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('forgets in the others where one cannot be replaced or read, and says which', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
  try {
    const keys = [{ subjectId: 'gone', key: new Uint8Array(32) }]
    const others = ['a.keys', 'z.keys'].map((name) => join(folder, name))
    for (const path of [...others, join(folder, 'protected.keys')])
      await fillFile(path, (out) => writeKeys({ keys, erasedIds: [] }, '2026-01-01T03:00:00.000Z', out))
    await writeFile(join(folder, 'failing-disk.tar'), 'an archive')
    await expect(forgetKeys(folder, ['gone'])).rejects.toThrow(/protected.keys cannot be replaced: |EIO/)
    for (const path of others) expect(await readKeys(path)).toMatchObject({ keys: [], erasedIds: ['gone'] })
    await rm(join(folder, 'protected.keys'))
    await expect(forgetKeys(folder, ['gone'])).rejects.toThrow('EIO')
  } finally {
    await rm(folder, { recursive: true })
  }
})

it.each([
  ['protected.keys', 'protected.keys cannot be replaced: check the rights on its folder'],
  ['read-only.keys', 'lies on a disk that is read-only'],
  ['open.keys', 'open.keys cannot be replaced (EBUSY): look whether another program holds it open'],
])('says the same each time of one that cannot be replaced, which may last: %s', async (name, words) => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
  try {
    const keys = [{ subjectId: 'gone', key: new Uint8Array(32) }]
    const path = join(folder, name)
    await fillFile(path, (out) => writeKeys({ keys, erasedIds: [] }, '2026-01-01T03:00:00.000Z', out))
    const said = () => forgetKeys(folder, ['gone']).then(String, (error: unknown) => String(error))
    const first = await said()
    expect(first).toContain(words)
    expect(await said()).toBe(first)
  } finally {
    await rm(folder, { recursive: true })
  }
})

it.each(['of-root.tar.keys', 'atelier-20260101T030003Z.tar.keys'])(
  'says so of a keys file that the site may not read, as one that root has made by hand, and calls it not damaged: %s',
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
    try {
      await writeFile(join(folder, name), 'what nobody sees')
      await expect(forgetKeys(folder, ['gone'])).rejects.toThrow(`${name} cannot be read: check its rights`)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

it('replaces nothing once it is told to end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
  try {
    const keys = [{ subjectId: 'gone', key: new Uint8Array(32) }]
    const path = join(folder, 'a.keys')
    await fillFile(path, (out) => writeKeys({ keys, erasedIds: [] }, '2026-01-01T03:00:00.000Z', out))
    await expect(forgetKeys(folder, ['gone'], AbortSignal.abort(new Error('over')))).rejects.toThrow('over')
    expect(await readKeys(path)).toMatchObject({ keys: [{ subjectId: 'gone' }] })
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('forgets as well where what was set apart, or a night’s keys file, lies on another disk and a link leads there', async () => {
  const above = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
  const [folder, disk] = [join(above, 'nights'), join(above, 'disk')]
  try {
    await mkdir(folder)
    await mkdir(disk)
    const name = 'atelier-20260101T030000Z.tar.keys'
    const held = { subjectId: 'gone', key: new Uint8Array(32) }
    for (const place of [join(disk, 'apart'), join(disk, 'older')]) {
      await mkdir(place)
      const write = (path: string): Promise<void> =>
        fillFile(path, (out) => writeKeys({ keys: [held], erasedIds: [] }, '2026-01-01T03:00:00.000Z', out))
      await write(join(place, name))
    }
    await symlink(join(disk, 'apart'), join(folder, 'set-apart'))
    await symlink(join(disk, 'older', name), join(folder, name))
    expect(await forgetKeys(folder, ['gone'])).toBe(true)
    const read = [join(disk, 'apart', name), join(disk, 'older', name)].map(async (path) => readKeys(path))
    expect((await Promise.all(read)).map(({ keys }) => keys)).toEqual([[], []])
    expect((await lstat(join(folder, name))).isSymbolicLink()).toBe(true)
  } finally {
    await rm(above, { recursive: true })
  }
})

it('forgets in the others where a link leads in a circle, and says so of one that can hold keys', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
  const key = { subjectId: 'gone', key: Buffer.alloc(32, 1) }
  const path = join(folder, 'atelier-20260101T030000Z.tar.keys')
  const names = [2, 4, 5].map((day) => `atelier-2026010${day}T030000Z.tar.keys`)
  try {
    await fillFile(path, (out) => writeKeys({ keys: [key], erasedIds: [] }, '2026-01-01T03:00:00Z', out))
    // Each of several that lead back would double the ways.
    for (const name of names) await symlink('.', join(folder, name))
    expect(await forgetKeys(folder, ['gone'])).toBe(true)
    expect((await readKeys(path)).keys).toEqual([])

    await fillFile(path, (out) => writeKeys({ keys: [key], erasedIds: [] }, '2026-01-01T03:00:00Z', out))
    await symlink('set-apart', join(folder, 'set-apart'))
    await expect(forgetKeys(folder, ['gone'])).rejects.toThrow(/ELOOP.*set-apart/)
    expect((await readKeys(path)).keys).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})
