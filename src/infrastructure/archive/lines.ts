import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Refusal } from '#domain/refusal.ts'

/** No line is longer than this, in bytes: an event may hold 512 KiB, escaped thrice that. */
const longestLine = 8 * 1024 * 1024

const lineEnd = 0x0a

const damaged = (what: string): Refusal =>
  new Refusal(
    'invalid',
    `${what}: the file is damaged or was cut short. Take another copy of it, or an older one`,
  )

/** zlib's own complaints, in words. */
const inWords = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'Z_BUF_ERROR') return damaged('The compressed data ends in the middle')
  if (typeof code === 'string' && code.startsWith('Z_')) return damaged('The data cannot be decompressed')
  return error
}

/** A stream that begins with what was taken from it already. */
async function* goingOn(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** The bytes of a stream, decompressed when they are gzip, as they are when not. */
async function* plainBytes(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done === true) return
  const bytes = goingOn(first.value, chunks)
  if (first.value[0] !== 0x1f) {
    yield* bytes
    return
  }
  const unzipped = createGunzip()
  // Its failures reach whoever reads the other end.
  pipeline(Readable.from(bytes, { objectMode: false }), unzipped, () => undefined)
  try {
    yield* unzipped as AsyncIterable<Buffer> // no encoding is set
  } catch (error) {
    throw inWords(error)
  }
}

/**
 * The lines of a text in UTF-8, gzipped or not, without their line ends. Only a line feed ends a line: JSON may
 * hold the other characters that some readers take for one.
 * @throws {Refusal} for what is damaged, cut short, not UTF-8 or no lines at all
 */
export async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const decode = (bytes: Buffer): string => {
    try {
      return utf8.decode(bytes)
    } catch {
      throw damaged('A line is not UTF-8')
    }
  }
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of plainBytes(source)) {
    let from = 0
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, from)) {
      const rest = chunk.subarray(from, at)
      yield decode(begun.length === 0 ? rest : Buffer.concat([...begun, rest]))
      begun = []
      length = 0
      from = at + 1
    }
    if (from === chunk.length) continue
    begun.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > longestLine) throw damaged('A line has no end')
  }
  if (length > 0) throw damaged('The last line has no end')
}
