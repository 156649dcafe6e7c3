import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beginFile, headOf } from './whole-file.ts'

describe('a file that is there whole or not at all', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-whole-'))
  })
  afterEach(async () => rm(folder, { recursive: true }))

  it('says in words why it cannot be given its name', async () => {
    const path = join(folder, 'site.tar')
    const making = await beginFile(path)
    await mkdir(path)
    await expect(making.finish()).rejects.toThrow(`${path} is a folder: name a file in it`)
    await making.discard()
    expect(await readdir(folder)).toEqual(['site.tar'])
  })

  it('says that a name is too long', async () => {
    await expect(beginFile(join(folder, `${'n'.repeat(240)}.tar`))).rejects.toThrow('.tar is too long')
  })

  it('names the file whose beginning the disk does not give', async () => {
    await expect(headOf(folder, 10)).rejects.toMatchObject({ code: 'EISDIR', path: folder })
  })
})
