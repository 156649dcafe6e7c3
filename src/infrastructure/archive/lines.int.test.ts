import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readLines } from './lines.ts'

/** A text as it comes from a disk: in pieces that know nothing of lines or characters. */
const pieces = (bytes: Buffer, size: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    ),
  )

const read = async (bytes: Buffer, size = 7): Promise<readonly string[]> => {
  const lines: string[] = []
  for await (const line of readLines(pieces(bytes, size))) lines.push(line)
  return lines
}

describe('lines of a file', () => {
  const lines = ['{"a":1}', '', 'आशा 🖼️ \u2028 \u2029 \r \u0085', 'x'.repeat(10_000)]
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))

  it.each([
    ['as they are', bytes],
    ['compressed', gzipSync(bytes)],
    [
      'compressed in two parts',
      Buffer.concat([gzipSync(bytes.subarray(0, 30)), gzipSync(bytes.subarray(30))]),
    ],
  ])('are read %s, whatever pieces they come in', async (_, stored) => {
    for (const size of [1, 7, 65_536]) expect(await read(stored, size)).toEqual(lines)
  })

  it('are none in an empty file', async () => {
    expect(await read(Buffer.alloc(0))).toEqual([])
    expect(await read(gzipSync(Buffer.alloc(0)))).toEqual([])
  })

  const flipped = (from: Buffer): Buffer => {
    const changed = Buffer.from(from)
    changed[from.length - 6] = (changed[from.length - 6] ?? 0) ^ 1
    return changed
  }

  it.each([
    [
      'compressed data that ends in the middle',
      gzipSync(`${randomBytes(9_000).toString('hex')}\n`).subarray(0, 5_000),
      'ends in the middle',
    ],
    ['compressed data with another checksum', flipped(gzipSync(bytes)), 'cannot be decompressed'],
    [
      'what only begins like compressed data',
      Buffer.from([0x1f, 0, 0, 0, 0, 0, 0, 0]),
      'cannot be decompressed',
    ],
    ['a last line without its end', Buffer.from('{"a":1}\n{"b"'), 'has no end'],
    ['what is not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x0a]), 'not UTF-8'],
    ['a line that never ends', Buffer.alloc(9 * 1024 * 1024, 'x'), 'has no end'],
  ])('refuse %s in words', async (_, stored, words) => {
    await expect(read(stored, 65_536)).rejects.toThrow(words)
  })
})
