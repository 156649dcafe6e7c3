import { createHash } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import { findArtwork, upiUriOfQr } from '#projections/artworks/queries.ts'
import type { WebDeps } from '../deps.ts'
import { CallRefused, statusWords } from '../door/errors.ts'
import { exchangeOf } from '../door/exchange.ts'
import { openLane, readerOf } from '../door/lane.ts'
import { untilLeft } from '../door/until-left.ts'
import { forEver, matchesTag, sharedAnywhere } from '../door/headers.ts'
import { artworkPath, imageHashIn } from '#web/contract/artwork-address.ts'
import { keepSvgCodes, keepCodes } from './codes.ts'
import { cardSender, noImage } from './cards.ts'
import { keepImages } from './stored-files.ts'
import { guardVariants, sendVariant, sendView } from './variants.ts'

type Deps = Pick<WebDeps, 'app' | 'documents' | 'settings'>

const variantPath = /^\/images\/([0-9a-f]{64})\/([1-9]\d{0,4})\.(avif|webp|jpg)$/
const cardPath = /^\/images\/([0-9a-f]{32,64})\/card\.jpg$/
const artworkCodePath = /^\/qr\/work\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.svg$/
const qrPath = /^\/qr\/([0-9a-f]{32,64})\.png$/

/** Answers with a code, made unless the reader has it already. */
const sendCode = async (
  ctx: Context,
  { tag, keeping, type }: { readonly tag: string; readonly keeping: string; readonly type: string },
  make: () => string | Promise<Buffer>,
): Promise<true> => {
  ctx.set({ 'cache-control': keeping, etag: `"${tag}"` })
  ctx.status = 200
  if (matchesTag(ctx.req.headers['if-none-match'], `"${tag}"`)) ctx.status = 304
  else ctx.body = await make()
  ctx.type = type
  return true
}

/**
 * Images by address: variants, the largest view, the cards, the payment codes and the codes of artworks. What an address
 * shows never changes, but for the last ones. A card or code that nothing leads to any more is 404, also while its file is
 * still here; variants are there for whoever has their address, also those of an artwork that is hidden or deleted.
 */
export const imageFiles = (deps: Deps): Middleware => {
  const { app, documents } = deps
  const store = { files: app.files, images: keepImages(app.files) }
  const guard = guardVariants(deps)
  // Codes and cards go to the program that works on pixels one at a time: hers never wait for more than one of them.
  const drawing = openLane<void>()
  const codeOf = keepCodes(app.images, drawing)
  const svgOf = keepSvgCodes()
  const sendCard = cardSender(deps, store, guard, drawing)

  const sendQr = async (ctx: Context, qrHash: string): Promise<boolean> => {
    const uri = await upiUriOfQr(documents, qrHash)
    if (uri === null) return false
    return sendCode(ctx, { tag: qrHash, keeping: forEver, type: 'image/png' }, () =>
      untilLeft(ctx.res, codeOf(qrHash, uri, readerOf(ctx.req, deps.settings.trustProxy))),
    )
  }

  /** The way to an artwork's page for whoever holds the print in their hands; a new title gives another code. */
  const sendArtworkCode = async (ctx: Context, id: string): Promise<boolean> => {
    const artwork = await findArtwork(documents, id, { signedIn: false })
    if (artwork === null) return false
    const address = deps.settings.publicUrl + artworkPath(artwork)
    const tag = createHash('sha256').update(address).digest('base64url')
    return sendCode(ctx, { tag, keeping: 'public, no-cache', type: 'image/svg+xml' }, () => svgOf(address))
  }

  const send = async (ctx: Context): Promise<boolean> => {
    const { path } = exchangeOf(ctx.req)
    if (path.startsWith('/images/')) ctx.set(sharedAnywhere)
    const [, variantHash, width, format] = variantPath.exec(path) ?? []
    if (variantHash !== undefined && (format === 'avif' || format === 'webp' || format === 'jpg')) {
      return (await sendVariant(ctx, store, guard, variantHash, Number(width), format)) === 'sent'
    }
    const viewHash = imageHashIn(path)
    if (viewHash !== null) return (await sendView(ctx, documents, store, guard, viewHash)) === 'sent'
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
      throw new CallRefused(405, statusWords[405])
    }
    if (!(await send(ctx))) throw noImage()
  }
}
