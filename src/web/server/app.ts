import Router from '@koa/router'
import Koa, { type Middleware } from 'koa'
import { createChangeStreams } from './change-streams.ts'
import type { Listener, WebDeps } from './deps.ts'
import { answerErrors, answerNothing, isApi } from './error-answers.ts'
import { commonHeaders, exchangeOf } from './exchange.ts'
import { mountCalls } from './mount.ts'
import { pictureFiles } from './picture-files.ts'
import type { PublicLists } from './public-lists.ts'
import { putPrepared } from './prepared.ts'
import { allRoutes } from './routes.ts'
import { keepSessions, type SessionKeeper } from './session.ts'
import { staticFiles } from './static-files.ts'

/** The web role's server. Who listens on a port hands requests to `listener`. */
export interface WebServer {
  readonly listener: Listener
  /** Ends what would stay open by itself: the change streams. */
  readonly close: () => Promise<void>
}

/** Runs a middleware only where the path fits. */
const where =
  (fits: (path: string) => boolean, middleware: Middleware): Middleware =>
  (ctx, next) =>
    fits(exchangeOf(ctx.req).path) ? middleware(ctx, next) : next()

const isPicture = (path: string): boolean => path.startsWith('/images/') || path.startsWith('/qr/')

/**
 * Builds the Koa app: calls with their session under `/api`, pictures, the built client's files, pages.
 * @param lists the public lists' ready answers, shared with the listener in front
 */
export const createWebServer = (deps: WebDeps, lists: PublicLists): WebServer => {
  const { settings, log, pages } = deps
  const koa = new Koa()
  // Errors that come after the answer has begun: a client that left, mostly.
  koa.on('error', (error: unknown) => log.warn({ err: error }, 'An answer was broken off'))

  const keeper: SessionKeeper = keepSessions(
    koa,
    { sessions: deps.app.sessions, accounts: deps.app.accounts, clock: deps.app.clock, log },
    settings,
    deps.secret,
  )
  const streams = createChangeStreams({
    changes: deps.changes,
    onJobs: deps.jobs.onChange,
    eventStore: deps.app.eventStore,
    log,
  })
  const router = new Router({ sensitive: true })
  mountCalls(router, allRoutes(deps, lists, keeper, streams), deps, keeper)

  const common = { ...commonHeaders(settings.publicUrl) }
  koa.use(async (ctx, next) => {
    ctx.set(common)
    ctx.set('x-request-id', exchangeOf(ctx.req).id)
    await next()
  })
  koa.use(answerErrors(log))
  koa.use(where(isApi, answerNothing))
  koa.use(where(isApi, keeper.middleware))
  // Inside of the session too: an answer to an error must not lose the session's cookie.
  koa.use(where(isApi, answerErrors(log)))
  koa.use(router.routes())
  // It looks at what `routes` above has put into the context, which Koa's own type does not know.
  koa.use(where(isApi, router.allowedMethods() as unknown as Middleware))
  koa.use(where(isPicture, pictureFiles(deps)))
  koa.use(where((path) => !isApi(path) && !isPicture(path), staticFiles(deps.clientFolder)))
  koa.use(
    where(
      (path) => !isApi(path) && !isPicture(path),
      async (ctx) => {
        if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
          ctx.status = 405
          ctx.set('allow', 'GET, HEAD')
          return
        }
        const { path, query } = exchangeOf(ctx.req)
        const { headers } = ctx.req
        const answer = await pages.page(path, query, {
          session: keeper.hasCookie(ctx),
          acceptEncoding: headers['accept-encoding'],
          ifNoneMatch: headers['if-none-match'],
        })
        ctx.remove('content-security-policy')
        putPrepared(ctx, answer)
      },
    ),
  )
  const handle = koa.callback()
  return {
    listener: (request, response) => void handle(request, response),
    close: async () => streams.close(),
  }
}
