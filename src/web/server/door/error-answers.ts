import type { Logger } from '#application/kernel/ports/logger.ts'
import type { Context, Middleware } from 'koa'
import { escapeHtml } from '#web/contract/escape.ts'
import { discardRest } from './discard-rest.ts'
import { answerTo, type ModuleErrors, wordsOf } from './errors.ts'
import { exchangeOf } from './exchange.ts'
import { sendSmallJson } from './json.ts'

const uploadPath = '/api/upload/'
/** The one call outside of `/api`; what it refuses is JSON but for the page that it answers itself. */
const formPath = '/contact'

/** Under this path every answer is JSON. */
export const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/')

/** Headers of the answer that was given up; those of the exchange and of sessions stay. */
const staleHeaders = [
  'content-encoding',
  'content-disposition',
  'content-length',
  'etag',
  'last-modified',
  'vary',
]

/** The words as a page for people. It needs nothing that might not be there either. */
const pageOf = (message: string): string => {
  const words = escapeHtml(message)
  return `<!doctype html><html lang="en-IN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${words}</title></head><body><main><h1>${words}</h1></main></body></html>\n`
}

/** What a browser takes stands in a third of it; the library spends milliseconds on the longest that Node takes. */
const longestAccept = 500

/** Programs that take anything are given the form that is easier to read for them. */
const wantsPage = (ctx: Context): boolean => {
  ctx.req.headers.accept = ctx.get('accept').slice(0, longestAccept)
  return ctx.accepts('json', 'text', 'html') === 'html'
}

const sendError = (ctx: Context, error: unknown, modules: ModuleErrors, log: Logger): void => {
  const { id, path } = exchangeOf(ctx.req)
  const { status, body, retryAfter, unexpected } = answerTo(error, modules, path.startsWith(uploadPath), id)
  if (unexpected) log.error({ err: error, requestId: id, method: ctx.method, path }, 'A request failed')
  for (const name of staleHeaders) ctx.remove(name)
  if (retryAfter !== null) ctx.set('retry-after', String(retryAfter))
  discardRest(ctx)
  if (!isApi(path) && wantsPage(ctx)) {
    ctx.set('cache-control', 'private, no-store')
    ctx.status = status
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = pageOf(body.message)
    return
  }
  if (isApi(path) || path === formPath) {
    sendSmallJson(ctx, status, body)
    return
  }
  ctx.set('cache-control', 'private, no-store')
  ctx.status = status
  ctx.type = 'text/plain; charset=utf-8'
  ctx.body = `${body.message}\n`
}

/** Turns whatever is thrown below it into the decided answer. */
export const answerErrors =
  (modules: ModuleErrors, log: Logger): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (ctx.res.headersSent) throw error
      sendError(ctx, error, modules, log)
    }
  }

const wordsByStatus: Readonly<Record<number, string | undefined>> = wordsOf

/** Gives words to what a router refuses by status alone. */
export const answerNothing: Middleware = async (ctx, next) => {
  await next()
  const message = wordsByStatus[ctx.status]
  if (message === undefined || ctx.body != null) return
  discardRest(ctx)
  sendSmallJson(ctx, ctx.status, { message })
}
