import type { Middleware } from 'koa'
import { testPayment } from '#projections/artworks/upi.ts'
import { getSiteContent } from '#projections/site-content/queries.ts'
import type { WebDeps } from '../deps.ts'
import { CallRefused, SignedOut } from '../door/errors.ts'
import type { SessionKeeper } from '../call/session.ts'
import { codeAsSvg } from './artwork-code.ts'

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
