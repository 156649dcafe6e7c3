import { type FileHandle, mkdir, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import { beginFile, fillFile, headOf } from './whole-file.ts'

describe('a file that is there whole or not at all', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-whole-'))
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await rm(folder, { recursive: true })
  })

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

  describe('being filled', () => {
    const megabytes = (count: number) =>
      Readable.from(Array.from({ length: count }, () => Buffer.alloc(2 ** 20, 'a')))
    const fill = (path: string, count: number) =>
      fillFile(path, (out) => pipeline(megabytes(count), out, { end: false }))
    /** What handles of files have in common. */
    const handles = async (): Promise<FileHandle> => {
      const file = await open(folder)
      await file.close()
      return Object.getPrototypeOf(file) // which is typed as any
    }

    it('is taken by the disk every 32 MB, and at the end', async () => {
      const common = await handles()
      const [taken, synced] = [vi.spyOn(common, 'datasync'), vi.spyOn(common, 'sync')]
      const path = join(folder, 'site.tar')
      await fill(path, 70)
      expect([taken.mock.calls.length, synced.mock.calls.length]).toEqual([2, 1])
      expect((await readFile(path)).equals(Buffer.alloc(70 * 2 ** 20, 'a'))).toBe(true)
    })

    it.each(['datasync', 'sync'] as const)('says in words what the disk says at last (%s)', async (call) => {
      vi.spyOn(await handles(), call).mockRejectedValueOnce(
        Object.assign(new Error('no room'), { code: 'ENOSPC' }),
      )
      await expect(fill(join(folder, 'site.tar'), 33)).rejects.toThrow(DiskFull)
    })
  })

  it('names the file whose beginning the disk does not give', async () => {
    await expect(headOf(folder, 10)).rejects.toMatchObject({ code: 'EISDIR', path: folder })
  })
})
