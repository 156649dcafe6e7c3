import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createBuiltFiles } from './built-files.ts'
import { keepShared, removeOld, shareFiles } from './share-files.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'atelier-shared-'))
})
afterEach(() => rm(root, { recursive: true }))

/** A build with one program and what else is named. */
const build = async (name: string, files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = join(root, name)
  await mkdir(join(folder, 'assets'), { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
  return folder
}
const shared = () => join(root, 'shared')
const day = 24 * 60 * 60 * 1_000
const now = new Date('2026-11-25T12:00:00Z')
const later = (days: number): Date => new Date(now.getTime() + days * day)

describe('files of several builds', () => {
  it('are served by the processes of each of them', async () => {
    const old = await build('old', {
      'assets/entry-a1.js': 'old()',
      'assets/entry-a1.js.br': 'o',
      'robots.txt': 'a',
    })
    const next = await build('new', {
      'assets/entry-b2.js': 'new()',
      'robots.txt': 'b',
      'only-new.svg': '<svg/>',
    })
    await shareFiles(old, shared(), now)
    await shareFiles(next, shared(), now)
    for (const folder of [old, next]) {
      const files = createBuiltFiles(folder, 'https://art.example', shared())
      for (const [file, text] of [
        ['/assets/entry-a1.js', 'old()'],
        ['/assets/entry-b2.js', 'new()'],
      ] as const) {
        const answer = await files.answer(file, {})
        expect([file, answer?.status, answer?.body.toString()]).toEqual([file, 200, text])
      }
      const compressed = await files.answer('/assets/entry-a1.js', { acceptEncoding: 'br' })
      expect(compressed?.body.toString()).toBe('o')
    }
    // What has no hash in its name is of its own build.
    const files = createBuiltFiles(old, 'https://art.example', shared())
    expect(await files.answer('/only-new.svg', {})).toBeNull()
    expect(await createBuiltFiles(old, 'https://art.example').answer('/assets/entry-b2.js', {})).toBeNull()
  })

  it('go when no process has brought them for a month, and half a copy sooner', async () => {
    const old = await build('old', {
      'assets/entry-a1b2c3d4.js': 'old()',
      'assets/both-c3d4e5f6.js': 'both()',
    })
    const next = await build('new', { 'assets/both-c3d4e5f6.js': 'both()' })
    await shareFiles(old, shared(), now)
    await writeFile(join(shared(), 'assets', '.copying-x'), 'half')
    await utimes(join(shared(), 'assets', '.copying-x'), now, now)
    await shareFiles(next, shared(), later(20))
    await removeOld(shared(), later(20))
    expect((await readdir(join(shared(), 'assets'))).toSorted()).toEqual([
      'both-c3d4e5f6.js',
      'entry-a1b2c3d4.js',
    ])
    await shareFiles(next, shared(), later(31))
    await removeOld(shared(), later(31))
    expect(await readdir(join(shared(), 'assets'))).toEqual(['both-c3d4e5f6.js'])
  })

  it('stay for as long as a process runs that needs them, also when one of another build begins', async () => {
    const old = await build('old', { 'assets/entry-a1b2c3d4.js': 'old()' })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    let days = 0
    const onError = vi.fn<(error: unknown) => void>()
    const stop = await keepShared(old, shared(), () => later(days), onError)
    days = 40
    vi.advanceTimersByTime(day)
    const entry = join(shared(), 'assets', 'entry-a1b2c3d4.js')
    await expect.poll(async () => (await stat(entry)).mtimeMs).toBe(later(40).getTime())
    await removeOld(shared(), later(41))
    expect(await readFile(entry, 'utf8')).toBe('old()')
    stop()
    expect(vi.getTimerCount()).toBe(0)
    expect(onError).not.toHaveBeenCalled()
  })

  it('stay while an update runs also of a process that has never said that it needs them, and go a day later', async () => {
    const old = await build('old', { 'assets/entry-a1b2c3d4.js': 'old()' })
    const next = await build('new', { 'assets/entry-b2c3d4e5.js': 'new()' })
    await shareFiles(old, shared(), now)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const onError = vi.fn<(error: unknown) => void>()
    const stop = await keepShared(next, shared(), () => later(40), onError)
    const names = async () => (await readdir(join(shared(), 'assets'))).toSorted()
    expect(await names()).toEqual(['entry-a1b2c3d4.js', 'entry-b2c3d4e5.js'])
    vi.advanceTimersByTime(day)
    await expect.poll(names).toEqual(['entry-b2c3d4e5.js'])
    stop()
    expect(onError).not.toHaveBeenCalled()
  })

  it('are all that goes: what else lies there is somebody’s own', async () => {
    const next = await build('new', { 'assets/both-c3d4e5f6.js': 'both()' })
    const own = join(shared(), 'assets', 'logo.png')
    await mkdir(join(shared(), 'assets', 'of-somebody'), { recursive: true })
    await writeFile(own, 'logo')
    for (const path of [own, join(shared(), 'assets', 'of-somebody')]) await utimes(path, now, now)
    await shareFiles(next, shared(), later(31))
    await removeOld(shared(), later(31))
    expect((await readdir(join(shared(), 'assets'))).toSorted()).toEqual([
      'both-c3d4e5f6.js',
      'logo.png',
      'of-somebody',
    ])
  })

  it('are not written again where they are there already', async () => {
    const old = await build('old', { 'assets/entry-a1.js': 'old()' })
    await shareFiles(old, shared(), now)
    const { ino } = await stat(join(shared(), 'assets', 'entry-a1.js'))
    await shareFiles(old, shared(), later(1))
    expect((await stat(join(shared(), 'assets', 'entry-a1.js'))).ino).toBe(ino)
    expect(await readFile(join(shared(), 'assets', 'entry-a1.js'), 'utf8')).toBe('old()')
  })
})
