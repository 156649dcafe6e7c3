import type { Context } from 'koa'
import { encode, encodingFor, brotliQuality } from './encoding.ts'
import { cachingHeaders, hashOf, jsonType, type Keeping, matchesTag } from './headers.ts'

/** Smaller answers fit into a few packets: compressing them costs more time than it saves. */
const worthEncoding = 4_000

/**
 * Answers with JSON: compressed where the client takes it, with a strong tag and, for a reader who has it
 * already, 304.
 * @param keeping who may keep the answer
 */
export const sendJson = async (
  ctx: Context,
  status: number,
  value: unknown,
  keeping: Keeping,
): Promise<void> => {
  const plain = Buffer.from(JSON.stringify(value))
  const encoding = plain.length < worthEncoding ? 'identity' : encodingFor(ctx.req.headers['accept-encoding'])
  const isRead = status === 200 && (ctx.method === 'GET' || ctx.method === 'HEAD')
  const tag = isRead ? `"${hashOf(plain)}-${encoding}"` : ''
  ctx.set(cachingHeaders(keeping, encoding, tag))
  if (isRead) {
    ctx.set('etag', tag)
    if (matchesTag(ctx.req.headers['if-none-match'], tag)) {
      ctx.status = 304
      return
    }
  }
  ctx.status = status
  ctx.type = jsonType
  ctx.body = encoding === 'identity' ? plain : await encode(plain, encoding, brotliQuality.first)
}

/** Answers with JSON that nobody keeps and that is small: errors and the like. */
export const sendSmallJson = (ctx: Context, status: number, value: unknown): void => {
  ctx.set('cache-control', 'private, no-store')
  ctx.status = status
  ctx.type = jsonType
  ctx.body = Buffer.from(JSON.stringify(value))
}
