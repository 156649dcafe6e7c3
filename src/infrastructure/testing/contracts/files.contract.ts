import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FileStore } from '#application/kernel/ports/files.ts'

/** The rules of every store of files. */
export const filesContract = (
  name: string,
  open: () => Promise<{ readonly files: FileStore; readonly close: () => Promise<void> }>,
): void => {
  describe(`files: ${name}`, () => {
    let files: FileStore
    let close: () => Promise<void>
    beforeAll(async () => {
      ;({ files, close } = await open())
    })
    afterAll(async () => close())

    const freshKey = (): string => `originals/${randomUUID()}`
    const read = async (key: string, range?: { start: number; end: number }): Promise<Buffer | null> => {
      const file = await files.open(key, range)
      return file && (await buffer(file.stream))
    }

    it.each([
      ['nothing', Buffer.alloc(0)],
      ['a few bytes', Buffer.from('bytes \u0000 and more')],
      ['3 MB', randomBytes(3_000_000)],
    ])('gives back %s as it was, from bytes and from a stream', async (_, bytes) => {
      const [one, other] = [freshKey(), freshKey()]
      await files.put(one, bytes)
      await files.put(other, Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]))
      for (const key of [one, other]) {
        expect((await read(key))?.equals(bytes)).toBe(true)
        expect(await files.size(key)).toBe(bytes.length)
        expect(await files.readableBytes(key)).toBe(bytes.length)
      }
    })

    it('tells how much room is left, where that is known', async () => {
      const room = await files.room()
      expect(room === null || room > 0).toBe(true)
    })

    it('copies a local file and leaves it where it is', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'atelier-files-'))
      const path = join(folder, 'upload')
      await writeFile(path, 'a picture')
      const key = freshKey()
      await files.putFile(key, path)
      await writeFile(path, 'changed later')
      expect(String(await read(key))).toBe('a picture')
      expect(await readFile(path, 'utf8')).toBe('changed later')
      await rm(folder, { recursive: true })
    })

    it('says null for what is not there, a folder included', async () => {
      const key = `images/${randomUUID()}/640.avif`
      await files.put(key, Buffer.from('x'))
      for (const missing of [freshKey(), key.slice(0, key.lastIndexOf('/')), `${key}/deeper`]) {
        expect(await files.open(missing)).toBeNull()
        expect(await files.size(missing)).toBeNull()
        expect(await files.readableBytes(missing)).toBeNull()
      }
    })

    it('changes nothing when an existing key is written again', async () => {
      const key = freshKey()
      await files.put(key, Buffer.from('first'))
      await files.put(key, Buffer.from('second'))
      await files.put(key, Readable.from([Buffer.from('third')]))
      expect(String(await read(key))).toBe('first')
      expect(await files.size(key)).toBe(5)
    })

    it('replaces a file as a whole, for those who read it meanwhile too', async () => {
      const key = freshKey()
      const [old, next] = [randomBytes(300_000), randomBytes(250_000)]
      await files.replace(key, old)
      const reading = await files.open(key)
      await files.replace(key, Readable.from([next.subarray(0, 9), next.subarray(9)]))
      expect((await read(key))?.equals(next)).toBe(true)
      expect(await files.size(key)).toBe(next.length)
      expect(await files.list(key)).toEqual([key])
      expect(reading && (await buffer(reading.stream)).equals(old)).toBe(true)
    })

    it('leaves what is there when a replacement breaks off', async () => {
      const key = freshKey()
      await files.put(key, Buffer.from('whole'))
      const broken = Readable.from(
        (function* () {
          yield randomBytes(300_000)
          throw new Error('the disk went away')
        })(),
      )
      await expect(files.replace(key, broken)).rejects.toThrow('the disk went away')
      expect(String(await read(key))).toBe('whole')
    })

    it('keeps a whole file when the same key is written many times at once', async () => {
      const key = freshKey()
      const bytes = randomBytes(200_000)
      await Promise.all(Array.from({ length: 6 }, () => files.put(key, bytes)))
      expect((await read(key))?.equals(bytes)).toBe(true)
      expect(await files.list(key)).toEqual([key])
    })

    it('keeps nothing of a source that breaks off', async () => {
      const key = freshKey()
      const broken = Readable.from(
        (function* () {
          yield randomBytes(300_000)
          throw new Error('the visitor went away')
        })(),
      )
      await expect(files.put(key, broken)).rejects.toThrow('the visitor went away')
      expect(await files.open(key)).toBeNull()
      expect(await files.list(key)).toEqual([])
      await files.put(key, Buffer.from('whole'))
      expect(String(await read(key))).toBe('whole')
    })

    it.each<[string, { start: number; end: number }, string]>([
      ['the beginning', { start: 0, end: 4 }, '0123'],
      ['the middle', { start: 3, end: 6 }, '345'],
      ['the end', { start: 8, end: 10 }, '89'],
      ['beyond the end', { start: 8, end: 99 }, '89'],
      ['one byte', { start: 0, end: 1 }, '0'],
      ['nothing at the beginning', { start: 0, end: 0 }, ''],
      ['nothing behind the end', { start: 10, end: 12 }, ''],
    ])('reads %s', async (_, range, expected) => {
      const key = freshKey()
      await files.put(key, Buffer.from('0123456789'))
      expect((await files.open(key, range))?.size).toBe(10)
      expect(String(await read(key, range))).toBe(expected)
    })

    it('lists keys by how they begin', async () => {
      const hash = randomUUID()
      const keys = [`images/${hash}/320.jpg`, `images/${hash}/640.avif`, `images/${hash}-other/320.jpg`]
      for (const key of keys) await files.put(key, Buffer.from(key))
      expect([...(await files.list(`images/${hash}/`))].toSorted()).toEqual(keys.slice(0, 2))
      expect([...(await files.list(`images/${hash}/6`))]).toEqual([keys[1]])
      expect([...(await files.list(`images/${hash}`))].toSorted()).toEqual(keys.toSorted())
      expect(await files.list(`images/${randomUUID()}/`)).toEqual([])
      expect(await files.list('')).toEqual(expect.arrayContaining(keys))
    })

    it('sweeps away nothing that is there, and nothing that is being written', async () => {
      const [kept, replaced, late] = [freshKey(), freshKey(), freshKey()]
      await files.put(kept, Buffer.from('kept'))
      await files.put(replaced, Buffer.from('old'))
      await files.replace(replaced, Buffer.from('new'))
      let swept: number | null = null
      const source = async function* () {
        yield randomBytes(100_000)
        swept = await files.sweep()
        yield randomBytes(100_000)
      }
      await files.put(late, Readable.from(source()))
      expect(swept).toBe(0)
      expect(await files.size(late)).toBe(200_000)
      expect(String(await read(kept))).toBe('kept')
      expect(String(await read(replaced))).toBe('new')
    })

    it('moves a file to another key, in the place of what is there, and minds nothing that is not', async () => {
      const [one, other] = [freshKey(), `aside/2026-01-31/${freshKey()}`]
      await files.put(one, Buffer.from('older'))
      await files.replace(one, Buffer.from('whole'))
      await files.put(other, Buffer.from('what was there'))
      await files.move(one, other)
      expect(await files.open(one)).toBeNull()
      expect(String(await read(other))).toBe('whole')
      await files.move(one, other)
      expect(String(await read(other))).toBe('whole')
      await files.move(other, one)
      expect(String(await read(one))).toBe('whole')
      expect(await files.list(other)).toEqual([])
    })

    it('removes what is there and minds nothing that is not', async () => {
      const [one, other] = [freshKey(), freshKey()]
      await files.put(one, Buffer.from('1'))
      await files.put(other, Buffer.from('2'))
      await files.remove([one, freshKey()])
      expect(await files.open(one)).toBeNull()
      expect(String(await read(other))).toBe('2')
      await files.put(one, Buffer.from('again'))
      expect(String(await read(one))).toBe('again')
    })

    it.each([
      '',
      '/etc/passwd',
      '../x',
      'a/../b',
      'a//b',
      'a/',
      './a',
      'a/.hidden',
      'a\\b',
      'a\u0000',
      'a b',
    ])('refuses the key %j', async (key) => {
      await expect(files.put(key, Buffer.from('x'))).rejects.toThrow(TypeError)
      await expect(files.replace(key, Buffer.from('x'))).rejects.toThrow(TypeError)
      await expect(files.putFile(key, import.meta.filename)).rejects.toThrow(TypeError)
      await expect(files.open(key)).rejects.toThrow(TypeError)
      await expect(files.size(key)).rejects.toThrow(TypeError)
      await expect(files.readableBytes(key)).rejects.toThrow(TypeError)
      await expect(files.move(key, 'originals/a')).rejects.toThrow(TypeError)
      await expect(files.move('originals/a', key)).rejects.toThrow(TypeError)
      await expect(files.remove([key])).rejects.toThrow(TypeError)
    })
  })
}
