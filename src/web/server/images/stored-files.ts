import { once } from 'node:events'
import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import { type ByteRange, FileCut } from '#application/kernel/ports/files.ts'
import { atMost } from '#application/kernel/turns.ts'
import type { WebDeps } from '../deps.ts'
import { matchesTag } from '../door/headers.ts'
import { byteRange } from '../door/range.ts'
import { untilLeft } from '../door/until-left.ts'

type Files = WebDeps['app']['files']

/** What was asked for lately stays in memory, in bytes: opening a file for every reader costs more than sending it. */
const roomForImages = 24 * 1024 * 1024
const largestKept = 512 * 1024
/** Read at once: until one is there it is in memory for its readers alone, and a gallery has hundreds. */
const mostReadAtOnce = 16

/** Whole files by their tag; only small ones are kept. */
type KeptImages = LRUCache<string, Buffer, string>
/** The store, and what was asked of it lately. */
export interface Store {
  readonly files: Files
  readonly images: KeptImages
}

/** Small files that were asked for lately, by their tag; one that is not there is read from the store. */
export const keepImages = (files: Pick<Files, 'open'>): KeptImages => {
  const inTurn = atMost(mostReadAtOnce)
  const read = async (tag: string, key: string): Promise<Buffer | undefined> => {
    const file = await files.open(key)
    if (file === null) return undefined
    // Replaced since it was measured: then it is not what the tag names.
    if (tagOf(key, file.size) !== tag) {
      file.stream.destroy()
      return undefined
    }
    return buffer(file.stream)
  }
  return new LRUCache<string, Buffer, string>({
    maxSize: roomForImages,
    maxEntrySize: largestKept,
    sizeCalculation: ({ length }) => length,
    // One that must make room while it is read is sent all the same.
    ignoreFetchAbort: true,
    fetchMethod: (tag, _stale, { context: key }) => inTurn(() => read(tag, key)),
  })
}

/** Processed anew, the same address has another file; who asks for a part must not get parts of both. */
export const tagOf = (key: string, size: number): string => `"${key}-${size}"`

/** @throws whatever else went wrong */
const onlyCut = (error: unknown): 'cut' => {
  if (error instanceof FileCut) return 'cut'
  throw error
}

/**
 * Waits for the first bytes of a file, no longer than their reader does.
 * @throws {ReaderLeft}, and whatever else went wrong
 */
const begun = async ({ res }: Context, stream: Readable): Promise<'begun' | 'cut'> => {
  try {
    await untilLeft(res, once(stream, 'readable'))
    return 'begun'
  } catch (error) {
    stream.destroy()
    return onlyCut(error)
  }
}

/** What became of an answer: begun; there is no such file; or not all of it is there, and nothing was sent. */
export type Sent = 'sent' | 'none' | 'cut'

/** What of a file is answered; `range` is null for the whole. */
interface Part {
  readonly key: string
  readonly size: number
  readonly range: ByteRange | null
}

const sayPart = (ctx: Context, { size, range }: Part): 'sent' => {
  const { start, end } = range ?? { start: 0, end: size }
  if (range !== null) ctx.set('content-range', `bytes ${start}-${end - 1}/${size}`)
  ctx.status = range === null ? 200 : 206
  ctx.length = end - start
  return 'sent'
}

/** @returns `replaced`: it is another file by now than the one that was measured, and nothing was sent */
const sendPart = async (
  ctx: Context,
  { files, images }: Store,
  part: Part,
  wasCut: () => Promise<void>,
): Promise<Sent | 'replaced'> => {
  const { key, size, range } = part
  if (size <= largestKept) {
    const bytes = await untilLeft(ctx.res, images.fetch(tagOf(key, size), { context: key })).catch(onlyCut)
    if (bytes === 'cut') return 'cut'
    if (bytes !== undefined) {
      ctx.body = bytes.subarray(range?.start, range?.end)
      return sayPart(ctx, part)
    }
  }
  const file = await files.open(key, range ?? undefined)
  if (file === null) return 'none'
  if (file.size !== size) {
    file.stream.destroy()
    return 'replaced'
  }
  if ((await begun(ctx, file.stream)) === 'cut') return 'cut'
  file.stream.once('error', (error) => {
    if (error instanceof FileCut) wasCut().catch((thrown: unknown) => ctx.app.emit('error', thrown, ctx))
    ctx.res.destroy()
  })
  ctx.body = file.stream
  return sayPart(ctx, part)
}

/**
 * Answers with a file of the store, whole or the part that is asked for. A large one is sent while it is read: where
 * it ends too early after that has begun, the connection is ended, for nobody may wait for the rest.
 * @param wasCut told when it ends too early
 */
export const sendFile = async (
  ctx: Context,
  store: Store,
  key: string,
  caching: string,
  wasCut: () => Promise<void> = async () => undefined,
): Promise<Sent> => {
  const size = await untilLeft(ctx.res, store.files.size(key))
  if (size === null) return 'none'
  const tag = tagOf(key, size)
  ctx.set({ 'cache-control': caching, 'accept-ranges': 'bytes', etag: tag })
  ctx.type = extname(key)
  if (matchesTag(ctx.req.headers['if-none-match'], tag)) {
    ctx.status = 304
    return 'sent'
  }
  // Of GET alone can a part be asked for (RFC 9110 §14.2).
  const asked = ctx.method === 'GET' ? ctx.get('range') : ''
  const range = byteRange(asked, size, ctx.get('if-range'), tag)
  if (range === 'unsatisfiable') {
    ctx.set('content-range', `bytes */${size}`)
    ctx.set('cache-control', 'no-store')
    // Without a body Koa says 204 unless it is told otherwise behind it.
    ctx.body = null
    ctx.status = 416
    return 'sent'
  }
  const part = { key, size, range }
  if (ctx.method === 'HEAD') return sayPart(ctx, part)
  const sent = await sendPart(ctx, store, part, wasCut)
  if (sent === 'cut') await wasCut()
  // What was said of it is not true any more.
  return sent === 'replaced' ? sendFile(ctx, store, key, caching, wasCut) : sent
}
