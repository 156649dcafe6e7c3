import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '#infrastructure/config/config.ts'
import { takeScratch } from './place.ts'

// No disk of a test takes no further name.
vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>()
  return {
    ...real,
    mkdir: (path: string, options?: { recursive: boolean }) =>
      path.includes('/full/')
        ? Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }))
        : real.mkdir(path, options),
    rm: (path: string, options?: { recursive: boolean }) =>
      path.includes('/read-only/')
        ? Promise.reject(Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' }))
        : real.rm(path, options),
  }
})

describe('the place of a backup that is restored for a look', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-place-'))
    await writeFile(join(folder, 'site.tar'), '')
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
  })
  const take = () => takeScratch(join(folder, 'site.tar'), readConfig({ DATA_DIR: join(folder, 'data') }))

  it('stays where another look begins before anybody holds it', async () => {
    const one = await take()
    const two = await take()
    expect([existsSync(one.path), existsSync(two.path)]).toEqual([true, true])
    await one.release()
    await two.release()
  })

  it('is elsewhere where a quota takes nothing beside the backup', async () => {
    await mkdir(join(folder, 'full'))
    await writeFile(join(folder, 'full', 'site.tar'), '')
    const config = readConfig({ DATA_DIR: join(folder, 'data') })
    const one = await takeScratch(join(folder, 'full', 'site.tar'), config)
    expect(one.path).toContain(join(folder, 'data'))
    await one.release()
  })

  it('is taken also where what was left in one of them cannot be removed', async () => {
    const left = join(folder, 'read-only', '.atelier-check', 'left')
    await mkdir(left, { recursive: true })
    await writeFile(join(left, 'log.mark'), '')
    await writeFile(join(folder, 'read-only', 'site.tar'), '')
    const config = readConfig({ DATA_DIR: join(folder, 'data') })
    const one = await takeScratch(join(folder, 'read-only', 'site.tar'), config)
    expect(existsSync(one.path)).toBe(true)
  })

  it('goes with the next look when it was left', async () => {
    const left = [await take(), await take()].map(({ path }) => path)
    const [empty = '', begun = ''] = left
    await utimes(empty, 0, 0)
    await mkdir(join(begun, 'opened'))
    const last = await take()
    expect(left.map((path) => existsSync(path))).toEqual([false, false])
    await last.release()
    expect(existsSync(dirname(last.path))).toBe(false)
  })
})
