import type { Logger } from '#application/kernel/ports/logger.ts'
import type { Context, Middleware } from 'koa'
import { discardRest } from './discard-rest.ts'
import { answerTo, type ModuleErrors, statusWords } from './errors.ts'
import { exchangeOf, isApi } from './exchange.ts'
import { formPath, pageOf, wantsPage, wordsHeaders } from './in-words.ts'
import { sendSmallJson } from './json.ts'

const uploadPath = '/api/upload/'

/** Headers of the answer that was given up; those of the exchange and of sessions stay. */
const staleHeaders = [
  'content-encoding',
  'content-disposition',
  'content-length',
  'etag',
  'last-modified',
  'vary',
]

const sendError = (ctx: Context, error: unknown, modules: ModuleErrors, log: Logger): void => {
  const { id, path } = exchangeOf(ctx.req)
  const { status, body, retryAfter, unexpected } = answerTo(error, modules, path.startsWith(uploadPath), id)
  if (unexpected) log.error({ err: error, requestId: id, method: ctx.method, path }, 'A request failed')
  for (const name of staleHeaders) ctx.remove(name)
  if (retryAfter !== null) ctx.set('retry-after', String(retryAfter))
  discardRest(ctx)
  if (!isApi(path) && wantsPage(ctx.req)) {
    ctx.set({ ...wordsHeaders, 'cache-control': 'private, no-store' })
    ctx.status = status
    ctx.body = pageOf(body.message, path)
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

const wordsByStatus: Readonly<Record<number, string | undefined>> = statusWords

/** Gives words to what a router refuses by status alone. */
export const answerNothing: Middleware = async (ctx, next) => {
  await next()
  const message = wordsByStatus[ctx.status]
  if (message === undefined || ctx.body != null) return
  discardRest(ctx)
  sendSmallJson(ctx, ctx.status, { message })
}
