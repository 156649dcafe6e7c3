import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const expandBrotli = promisify(brotliDecompress)
const expandGzip = promisify(gunzip)

/** Quick enough to answer with at once; the fast one is replaced by the small one later. */
export const brotliQuality = { first: 5, final: 11 } as const

/** Compresses for the wire; identity gives the bytes themselves. `quality` is brotli's, 0 to 11. */
export const encode = async (bytes: Buffer, encoding: Encoding, quality: number): Promise<Buffer> => {
  switch (encoding) {
    case 'br':
      return compressBrotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })
    case 'gzip':
      return compressGzip(bytes, { level: quality >= brotliQuality.final ? 9 : 6 })
    case 'identity':
      return bytes
  }
}

/** Undoes {@link encode}. */
export const decode = async (bytes: Buffer, encoding: Encoding): Promise<Buffer> => {
  if (encoding === 'identity') return bytes
  return encoding === 'br' ? expandBrotli(bytes) : expandGzip(bytes)
}

const remembered = 200
/** Several times what any browser writes; milliseconds would be spent on the longest that Node takes. */
const longestHeader = 500
const answers = new Map<string, Encoding>()

/**
 * The encoding to answer with: brotli where it is accepted, else gzip, else none. Browsers send the same few
 * headers, so the answers are remembered, a bounded number of them.
 */
export const encodingFor = (acceptEncoding: string | undefined): Encoding => {
  if (!acceptEncoding || acceptEncoding.length > longestHeader) return 'identity'
  const known = answers.get(acceptEncoding)
  if (known) return known
  const encoding = negotiate(acceptEncoding)
  if (answers.size >= remembered) answers.clear()
  answers.set(acceptEncoding, encoding)
  return encoding
}

const negotiate = (acceptEncoding: string): Encoding => {
  const weights = new Map<string, number>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0
  // A client that weighs gzip higher gets brotli all the same: it said that it can read it, and it is smaller.
  if (weightOf('br') > 0) return 'br'
  return weightOf('gzip') > 0 ? 'gzip' : 'identity'
}
