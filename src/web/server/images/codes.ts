import { LRUCache } from 'lru-cache'
import { codeForm, type Images } from '#application/ports/images.ts'
import type { Lane, Reader } from '../door/lane.ts'
import { encode } from 'uqr'
import type { Middleware } from 'koa'
import { testPayment } from '#projections/artworks/upi.ts'
import { getSiteContent } from '#projections/site-content/queries.ts'
import type { WebDeps } from '../deps.ts'
import { CallRefused, SignedOut } from '../door/errors.ts'
import type { SessionKeeper } from '../call/session.ts'

/** A code is 3 kB. */
const mostKept = 1_000

/**
 * Payment codes by the hash in their address, each drawn once for all who ask for it.
 * @param drawing where visitors' images are drawn, one after the other
 */
export const keepCodes = (
  images: Pick<Images, 'qr'>,
  drawing: Lane<void>,
): ((hash: string, text: string, reader?: Reader) => Promise<Buffer>) => {
  const kept = new LRUCache<string, Buffer>({ max: mostKept })
  return async (hash, text, reader) => {
    let code = kept.get(hash)
    while (code === undefined) {
      const draw = async (): Promise<void> => {
        kept.set(hash, Buffer.from((await images.qr(text)).data))
      }
      await drawing.take(`code ${hash}`, draw, { reader })
      code = kept.get(hash)
    }
    return code
  }
}

/** A code is 5 kB. */
const mostCodes = 1_000

/** A QR code as an SVG, dark on white whatever the page's colours are: one path, a run of dark modules at a time. */
const codeAsSvg = (text: string): string => {
  const { size, data } = encode(text, codeForm)
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${runs.join('')}"/></svg>`
}

/** The same, drawn once for each text. */
export const keepSvgCodes = (): ((text: string) => string) => {
  const kept = new LRUCache<string, string>({ max: mostCodes })
  return (text) => {
    const code = kept.get(text) ?? codeAsSvg(text)
    kept.set(text, code)
    return code
  }
}

/** The payment code that the owner tries with her own phone. */
export const testCodePath = '/qr/test.svg'

const noUpiId =
  'There is no UPI ID yet. Save yours in the dashboard, under Content, Payments; then the test code is here'

/**
 * A payment code for one rupee to the saved UPI id. For its owner only, and kept by nobody: a new id is another code
 * at the same address. Mount it below the session.
 */
export const testCode = (
  { app, documents, settings }: Pick<WebDeps, 'app' | 'documents' | 'settings'>,
  keeper: Pick<SessionKeeper, 'account'>,
): Middleware => {
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if ((await keeper.account(ctx)) === null) throw new SignedOut()
    const payment = testPayment(await getSiteContent(documents, app.html, settings))
    if (payment === null) throw new CallRefused(404, noUpiId)
    ctx.set('cache-control', 'private, no-store')
    ctx.type = 'image/svg+xml'
    ctx.body = codeAsSvg(payment.uri)
  }
}
