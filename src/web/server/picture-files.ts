import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Context, Middleware } from 'koa'
import { LRUCache } from 'lru-cache'
import { cardKey, firstKey, originalKey, variantKey } from '#application/images/picture-files.ts'
import { findCardSubject, upiUriOfQr } from '#projections/artworks/queries.ts'
import { findImage } from '#projections/images/queries.ts'
import { getSiteContent } from '#projections/site-content/queries.ts'
import { cardCaption } from './card-caption.ts'
import type { WebDeps } from './deps.ts'
import { CallRefused } from './errors.ts'
import { exchangeOf } from './exchange.ts'
import { FOR_EVER, matchesTag } from './pages/headers.ts'
import { byteRange } from './range.ts'
import { sharedWork } from './shared-work.ts'

type Deps = Pick<WebDeps, 'app' | 'documents' | 'settings'>
type Files = Deps['app']['files']

const types = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' } as const
type Extension = keyof typeof types

const variantPath = /^\/images\/([0-9a-f]{64})\/([1-9]\d{0,4})\.(avif|webp|jpg)$/
const viewPath = /^\/images\/([0-9a-f]{64})\/original-view\.jpg$/
const cardPath = /^\/images\/([0-9a-f]{32,64})\/card\.jpg$/
const qrPath = /^\/qr\/([0-9a-f]{32,64})\.png$/

/** What was asked for lately stays in memory, in bytes: opening a file for every reader costs more than sending it. */
const roomForPictures = 24 * 1024 * 1024
const largestKept = 512 * 1024

/** Whole files by their tag; only small ones are kept. */
type Pictures = LRUCache<string, Buffer, string>
type Store = { readonly files: Files; readonly pictures: Pictures }

const keepPictures = (files: Files): Pictures =>
  new LRUCache<string, Buffer, string>({
    maxSize: roomForPictures,
    maxEntrySize: largestKept,
    sizeCalculation: ({ length }) => length,
    // One that must make room while it is read is sent all the same.
    ignoreFetchAbort: true,
    fetchMethod: async (tag, _stale, { context: key }) => {
      const file = await files.open(key)
      if (file === null) return undefined
      const bytes = await buffer(file.stream)
      // Replaced since it was measured: then it is not what the tag names.
      return tagOf(key, bytes.length) === tag ? bytes : undefined
    },
  })

/** Processed anew, the same address has another file; who asks for a part must not get parts of both. */
const tagOf = (key: string, size: number): string => `"${key}-${size}"`

const noPicture = (): CallRefused => new CallRefused(404, 'There is no such picture here')

/** Answers with a file of the store, whole or the part that is asked for; false when it is not there. */
const sendFile = async (
  ctx: Context,
  { files, pictures }: Store,
  key: string,
  type: Extension,
  caching: string,
): Promise<boolean> => {
  const size = await files.size(key)
  if (size === null) return false
  const tag = tagOf(key, size)
  ctx.set('cache-control', caching)
  ctx.set('accept-ranges', 'bytes')
  ctx.set('etag', tag)
  ctx.type = types[type]
  ctx.status = 200
  if (matchesTag(ctx.req.headers['if-none-match'], tag)) {
    ctx.status = 304
    return true
  }
  const range = byteRange(ctx.get('range'), size, ctx.get('if-range'), tag)
  if (range === 'unsatisfiable') {
    ctx.set('content-range', `bytes */${size}`)
    ctx.status = 416
    ctx.body = null
    ctx.status = 416
    return true
  }
  if (range !== null) ctx.set('content-range', `bytes ${range.start}-${range.end - 1}/${size}`)
  const length = range === null ? size : range.end - range.start
  if (ctx.method === 'HEAD') {
    ctx.status = range === null ? 200 : 206
    ctx.length = length
    return true
  }
  if (range === null && size <= largestKept) {
    const bytes = await pictures.fetch(tag, { context: key })
    if (bytes !== undefined) {
      ctx.body = bytes
      ctx.type = types[type]
      return true
    }
  }
  const file = await files.open(key, range ?? undefined)
  if (file === null) return false
  if (file.size !== size) {
    // Replaced since it was measured: what was said of it is not true any more.
    file.stream.destroy()
    ctx.remove('content-range')
    return sendFile(ctx, { files, pictures }, key, type, caching)
  }
  ctx.status = range === null ? 200 : 206
  ctx.body = file.stream
  ctx.type = types[type]
  ctx.length = length
  return true
}

/** The largest public JPEG of a picture; until it is ready the first displayable one, kept by nobody (68). */
const sendView = async (
  ctx: Context,
  documents: Deps['documents'],
  store: Store,
  hash: string,
): Promise<boolean> => {
  const image = await findImage(documents, hash)
  const widest = image?.ready && image.formats.includes('jpg') ? Math.max(...image.widths) : null
  if (widest !== null && (await sendFile(ctx, store, variantKey(hash, widest, 'jpg'), 'jpg', FOR_EVER))) {
    return true
  }
  return sendFile(ctx, store, firstKey(hash), 'jpg', 'no-store')
}

/** Renders each card once for all who ask at the same time. */
const cardRenderer = ({ app, documents, settings }: Deps) => {
  const once = sharedWork<void>()

  /** Some local copy of a picture, as the program that works on pixels needs it. */
  const withLocalFile = async (hash: string | null, work: (path: string | null) => Promise<void>) => {
    const file =
      hash === null
        ? null
        : ((await app.files.open(originalKey(hash))) ?? (await app.files.open(firstKey(hash))))
    if (file === null) return work(null)
    const path = app.scratch.path(`card-${randomUUID()}`)
    try {
      await pipeline(file.stream, createWriteStream(path, { mode: 0o600 }))
      await work(path)
    } finally {
      await app.scratch.remove(path)
    }
  }

  const render = async (cardHash: string): Promise<void> => {
    const work = await findCardSubject(documents, cardHash)
    if (work === null) throw noPicture()
    const { artistName } = await getSiteContent(documents, app.html, settings)
    await withLocalFile(work.imageHash, async (picturePath) => {
      const { title, saleStatus } = work
      const card = await app.pictures.card({
        title,
        saleStatus,
        picturePath,
        artist: artistName,
        caption: cardCaption(work),
      })
      await app.files.put(cardKey(cardHash), card.data)
    })
  }

  return (cardHash: string): Promise<void> => once(cardHash, () => render(cardHash))
}

/**
 * Pictures by address (interface, "Pages and files"): variants, the largest view, the cards and the payment
 * codes. What an address shows never changes; an address that nothing leads to any more is 404, also while
 * its file is still here (decisions 66, 72).
 */
export const pictureFiles = (deps: Deps): Middleware => {
  const { app, documents } = deps
  const renderCard = cardRenderer(deps)
  const store = { files: app.files, pictures: keepPictures(app.files) }

  const sendCard = async (ctx: Context, cardHash: string): Promise<boolean> => {
    if ((await findCardSubject(documents, cardHash)) === null) return false
    const key = cardKey(cardHash)
    if ((await app.files.size(key)) === null) await renderCard(cardHash)
    return sendFile(ctx, store, key, 'jpg', FOR_EVER)
  }

  const sendQr = async (ctx: Context, qrHash: string): Promise<boolean> => {
    const uri = await upiUriOfQr(documents, qrHash)
    if (uri === null) return false
    ctx.set('cache-control', FOR_EVER)
    const tag = `"${qrHash}"`
    ctx.set('etag', tag)
    ctx.status = 200
    if (matchesTag(ctx.req.headers['if-none-match'], tag)) ctx.status = 304
    else ctx.body = Buffer.from((await app.pictures.qr(uri)).data)
    ctx.type = types.png
    return true
  }

  const send = async (ctx: Context): Promise<boolean> => {
    const { path } = exchangeOf(ctx.req)
    const [, variantHash, width, format] = variantPath.exec(path) ?? []
    if (variantHash !== undefined && (format === 'avif' || format === 'webp' || format === 'jpg')) {
      return sendFile(ctx, store, variantKey(variantHash, Number(width), format), format, FOR_EVER)
    }
    const viewHash = viewPath.exec(path)?.[1]
    if (viewHash !== undefined) return sendView(ctx, documents, store, viewHash)
    const cardHash = cardPath.exec(path)?.[1]
    if (cardHash !== undefined) return sendCard(ctx, cardHash)
    const qrHash = qrPath.exec(path)?.[1]
    return qrHash !== undefined && sendQr(ctx, qrHash)
  }

  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('allow', 'GET, HEAD')
      throw new CallRefused(405, 'This address does not take that method')
    }
    if (!(await send(ctx))) throw noPicture()
  }
}
