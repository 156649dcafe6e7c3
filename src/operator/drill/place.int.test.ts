import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#infrastructure/config/config.ts'
import { takeScratch } from './place.ts'

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
