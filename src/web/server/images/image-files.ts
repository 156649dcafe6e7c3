import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Context, Middleware } from 'koa'
import { LRUCache } from 'lru-cache'
import { cardKey, firstKey, originalKey, variantKey } from '#application/images/image-files.ts'
import { remakeVariants } from '#application/images/remake.ts'
import { FileCut } from '#application/kernel/ports/files.ts'
import { findArtwork, findCardSubject, upiUriOfQr } from '#projections/artworks/queries.ts'
import { findImage } from '#projections/images/queries.ts'
import { getSiteContent } from '#projections/site-content/queries.ts'
import { cardCaption } from './card-caption.ts'
import type { WebDeps } from '../deps.ts'
import { CallRefused } from '../door/errors.ts'
import { exchangeOf } from '../door/exchange.ts'
import { artworkAddress } from '../pages/address.ts'
import { FOR_EVER, matchesTag, shownAnywhere } from '../door/headers.ts'
import { byteRange } from '../door/range.ts'
import type { ImageExtension } from './image-types.ts'
import { sharedWork } from '../door/shared-work.ts'
import { isWholeImage } from './whole-image.ts'
import { codeAsSvg } from './artwork-code.ts'

type Deps = Pick<WebDeps, 'app' | 'documents' | 'settings'>
type Files = Deps['app']['files']

const types = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' } as const
type Extension = keyof typeof types

const variantPath = /^\/images\/([0-9a-f]{64})\/([1-9]\d{0,4})\.(avif|webp|jpg)$/
const viewPath = /^\/images\/([0-9a-f]{64})\/original-view\.jpg$/
const cardPath = /^\/images\/([0-9a-f]{32,64})\/card\.jpg$/
const artworkCodePath = /^\/qr\/work\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.svg$/
const qrPath = /^\/qr\/([0-9a-f]{32,64})\.png$/

/** What was asked for lately stays in memory, in bytes: opening a file for every reader costs more than sending it. */
const roomForImages = 24 * 1024 * 1024
const largestKept = 512 * 1024

/** Whole files by their tag; only small ones are kept. */
type Images = LRUCache<string, Buffer, string>
type Store = { readonly files: Files; readonly pictures: Images }

const keepImages = (files: Files): Images =>
  new LRUCache<string, Buffer, string>({
    maxSize: roomForImages,
    maxEntrySize: largestKept,
    sizeCalculation: ({ length }) => length,
    // One that must make room while it is read is sent all the same.
    ignoreFetchAbort: true,
    fetchMethod: async (tag, _stale, { context: key }) => {
      const file = await files.open(key)
      if (file === null) return undefined
      // Replaced since it was measured: then it is not what the tag names.
      if (tagOf(key, file.size) !== tag) {
        file.stream.destroy()
        return undefined
      }
      return buffer(file.stream)
    },
  })

/** Processed anew, the same address has another file; who asks for a part must not get parts of both. */
const tagOf = (key: string, size: number): string => `"${key}-${size}"`

/** So many variants are remembered as whole. */
const mostKnownWhole = 50_000

/**
 * Looks once whether a variant's file is what the log says, and has it made anew where it is not: an address whose
 * answer is kept for a year must not answer half a picture.
 */
const guardVariants = ({ app, documents }: Deps) => {
  const whole = new LRUCache<string, true>({ max: mostKnownWhole })
  const once = sharedWork<boolean>()

  const look = async (key: string, size: number, type: ImageExtension): Promise<boolean> => {
    try {
      const file = await app.files.open(key)
      if (file === null) return false
      const bytes = await buffer(file.stream)
      return bytes.length === size && isWholeImage(bytes, type)
    } catch {
      // A piece of it is missing in the store.
      return false
    }
  }

  /** @returns false when the log knows such a variant and there is none, or not all of it */
  const isSound = async (hash: string, width: number, type: ImageExtension): Promise<boolean> => {
    const key = variantKey(hash, width, type)
    const size = await app.files.size(key)
    const tag = size === null ? key : tagOf(key, size)
    if (whole.has(tag)) return true
    return once(tag, async () => {
      const image = await findImage(documents, hash)
      // What the log does not name is being made, or of a size that is no more.
      if (image?.ready !== true || !image.widths.includes(width) || !image.formats.includes(type)) return true
      if (size !== null && (await look(key, size, type))) {
        whole.set(tag, true)
        return true
      }
      await remakeVariants(app, hash)
      return false
    })
  }

  return {
    isSound,
    /** What was found whole once was not, when it was read: it is looked at anew. */
    wasCut: async (hash: string, width: number, type: ImageExtension): Promise<void> => {
      const key = variantKey(hash, width, type)
      const size = await app.files.size(key)
      if (size !== null) whole.delete(tagOf(key, size))
      await isSound(hash, width, type)
    },
  }
}

type Guard = ReturnType<typeof guardVariants>

const noImage = (): CallRefused => new CallRefused(404, 'There is no such picture here')

/** @throws whatever else went wrong */
const onlyCut = (error: unknown): 'cut' => {
  if (error instanceof FileCut) return 'cut'
  throw error
}

/** What became of an answer: begun; there is no such file; or not all of it is there, and nothing was sent. */
type Sent = 'sent' | 'none' | 'cut'

/**
 * Answers with a file of the store, whole or the part that is asked for. A large one is sent while it is read: where
 * it ends too early after that has begun, the connection is ended, for nobody may wait for the rest.
 * @param wasCut told when it ends too early
 */
const sendFile = async (
  ctx: Context,
  { files, pictures }: Store,
  key: string,
  type: Extension,
  caching: string,
  wasCut: () => Promise<void> = async () => undefined,
): Promise<Sent> => {
  const size = await files.size(key)
  if (size === null) return 'none'
  const tag = tagOf(key, size)
  ctx.set('cache-control', caching)
  ctx.set('accept-ranges', 'bytes')
  ctx.set('etag', tag)
  ctx.type = types[type]
  ctx.status = 200
  if (matchesTag(ctx.req.headers['if-none-match'], tag)) {
    ctx.status = 304
    return 'sent'
  }
  const range = byteRange(ctx.get('range'), size, ctx.get('if-range'), tag)
  if (range === 'unsatisfiable') {
    ctx.set('content-range', `bytes */${size}`)
    ctx.status = 416
    ctx.body = null
    ctx.status = 416
    return 'sent'
  }
  const { start, end } = range ?? { start: 0, end: size }
  const say = (): void => {
    if (range !== null) ctx.set('content-range', `bytes ${start}-${end - 1}/${size}`)
    ctx.status = range === null ? 200 : 206
    ctx.type = types[type]
    ctx.length = end - start
  }
  if (ctx.method === 'HEAD') {
    say()
    return 'sent'
  }
  if (size <= largestKept) {
    const bytes = await pictures.fetch(tag, { context: key }).catch(onlyCut)
    if (bytes === 'cut') {
      await wasCut()
      return 'cut'
    }
    if (bytes !== undefined) {
      ctx.body = bytes.subarray(start, end)
      say()
      return 'sent'
    }
  }
  const file = await files.open(key, range ?? undefined)
  if (file === null) return 'none'
  if (file.size !== size) {
    // Replaced since it was measured: what was said of it is not true any more.
    file.stream.destroy()
    return sendFile(ctx, { files, pictures }, key, type, caching, wasCut)
  }
  if ((await once(file.stream, 'readable').catch(onlyCut)) === 'cut') {
    await wasCut()
    return 'cut'
  }
  file.stream.once('error', (error) => {
    if (error instanceof FileCut) wasCut().catch((thrown: unknown) => ctx.app.emit('error', thrown, ctx))
    ctx.res.destroy()
  })
  ctx.body = file.stream
  say()
  return 'sent'
}

/** Until a size is made anew the first view stands in, which nobody keeps. */
const sendFirst = (ctx: Context, store: Store, hash: string): Promise<Sent> =>
  sendFile(ctx, store, firstKey(hash), 'jpg', 'no-store')

/** Answers with a size of a picture, or with what stands in for it. */
const sendVariant = async (
  ctx: Context,
  store: Store,
  guard: Guard,
  ...[hash, width, type]: Parameters<Guard['isSound']>
): Promise<Sent> => {
  if (!(await guard.isSound(hash, width, type))) return sendFirst(ctx, store, hash)
  const sent = await sendFile(ctx, store, variantKey(hash, width, type), type, FOR_EVER, () =>
    guard.wasCut(hash, width, type),
  )
  return sent === 'cut' ? sendFirst(ctx, store, hash) : sent
}

/** The largest public JPEG of a picture; until it is ready the first displayable one, kept by nobody (68). */
const sendView = async (
  ctx: Context,
  documents: Deps['documents'],
  store: Store,
  guard: Guard,
  hash: string,
): Promise<Sent> => {
  const image = await findImage(documents, hash)
  const widest = image?.ready && image.formats.includes('jpg') ? Math.max(...image.widths) : null
  const sent = widest === null ? 'none' : await sendVariant(ctx, store, guard, hash, widest, 'jpg')
  return sent === 'sent' ? sent : sendFirst(ctx, store, hash)
}

/** Renders each card once for all who ask at the same time. */
const cardRenderer = ({ app, documents, settings }: Deps) => {
  const once = sharedWork<void>()

  /** Some local copy of a picture, as the program that works on pixels needs it. */
  const withLocalFile = async (hash: string | null, work: (path: string | null) => Promise<void>) => {
    const path = app.scratch.path(`card-${randomUUID()}`)
    /** @returns false when there is none, or not all of it */
    const copied = async (key: string): Promise<boolean> => {
      const file = await app.files.open(key)
      if (file === null) return false
      try {
        await pipeline(file.stream, createWriteStream(path, { mode: 0o600 }))
        return true
      } catch (error) {
        if (error instanceof FileCut) return false
        throw error
      }
    }
    try {
      const hasOne = hash !== null && ((await copied(originalKey(hash))) || (await copied(firstKey(hash))))
      await work(hasOne ? path : null)
    } finally {
      await app.scratch.remove(path)
    }
  }

  const render = async (cardHash: string): Promise<void> => {
    const work = await findCardSubject(documents, cardHash)
    if (work === null) throw noImage()
    const { artistName } = await getSiteContent(documents, app.html, settings)
    await withLocalFile(work.imageHash, async (imagePath) => {
      const { title, saleStatus } = work
      const card = await app.images.card({
        title,
        saleStatus,
        picturePath: imagePath,
        artist: artistName,
        caption: cardCaption(work),
      })
      await app.files.put(cardKey(cardHash), card.data)
    })
  }

  return (cardHash: string): Promise<void> => once(cardHash, () => render(cardHash))
}

/**
 * Pictures by address: variants, the largest view, the cards, the payment codes
 * and the codes of works. What an address shows never changes, but for the last ones; an address that nothing leads to any more is 404, also while
 * its file is still here.
 */
export const imageFiles = (deps: Deps): Middleware => {
  const { app, documents } = deps
  const renderCard = cardRenderer(deps)
  const store = { files: app.files, pictures: keepImages(app.files) }
  const guard = guardVariants(deps)

  const sendCard = async (ctx: Context, cardHash: string): Promise<boolean> => {
    if ((await findCardSubject(documents, cardHash)) === null) return false
    const key = cardKey(cardHash)
    if ((await app.files.size(key)) === null) await renderCard(cardHash)
    const sent = await sendFile(ctx, store, key, 'jpg', FOR_EVER)
    if (sent !== 'cut') return sent === 'sent'
    await app.files.remove([key])
    await renderCard(cardHash)
    return (await sendFile(ctx, store, key, 'jpg', FOR_EVER)) === 'sent'
  }

  const sendQr = async (ctx: Context, qrHash: string): Promise<boolean> => {
    const uri = await upiUriOfQr(documents, qrHash)
    if (uri === null) return false
    ctx.set('cache-control', FOR_EVER)
    const tag = `"${qrHash}"`
    ctx.set('etag', tag)
    ctx.status = 200
    if (matchesTag(ctx.req.headers['if-none-match'], tag)) ctx.status = 304
    else ctx.body = Buffer.from((await app.images.qr(uri)).data)
    ctx.type = types.png
    return true
  }

  /** The way to a work's page for whoever holds the print in their hands; a new title gives another code. */
  const sendArtworkCode = async (ctx: Context, id: string): Promise<boolean> => {
    const work = await findArtwork(documents, id, { signedIn: false })
    if (work === null) return false
    const address = deps.settings.publicUrl + artworkAddress(work)
    const tag = `"${createHash('sha256').update(address).digest('base64url')}"`
    ctx.set('cache-control', 'public, no-cache')
    ctx.set('etag', tag)
    ctx.status = 200
    if (matchesTag(ctx.req.headers['if-none-match'], tag)) ctx.status = 304
    else ctx.body = codeAsSvg(address)
    ctx.type = 'image/svg+xml'
    return true
  }

  const send = async (ctx: Context): Promise<boolean> => {
    const { path } = exchangeOf(ctx.req)
    if (path.startsWith('/images/')) ctx.set(shownAnywhere)
    const [, variantHash, width, format] = variantPath.exec(path) ?? []
    if (variantHash !== undefined && (format === 'avif' || format === 'webp' || format === 'jpg')) {
      return (await sendVariant(ctx, store, guard, variantHash, Number(width), format)) === 'sent'
    }
    const viewHash = viewPath.exec(path)?.[1]
    if (viewHash !== undefined) return (await sendView(ctx, documents, store, guard, viewHash)) === 'sent'
    const cardHash = cardPath.exec(path)?.[1]
    if (cardHash !== undefined) return sendCard(ctx, cardHash)
    const artworkId = artworkCodePath.exec(path)?.[1]
    if (artworkId !== undefined) return sendArtworkCode(ctx, artworkId)
    const qrHash = qrPath.exec(path)?.[1]
    return qrHash !== undefined && sendQr(ctx, qrHash)
  }

  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('allow', 'GET, HEAD')
      throw new CallRefused(405, 'This address does not take that method')
    }
    if (!(await send(ctx))) throw noImage()
  }
}
