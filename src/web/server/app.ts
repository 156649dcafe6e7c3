import Router from '@koa/router'
import Koa, { type Middleware } from 'koa'
import { canUndoCommand } from '#application/activity/undoable.ts'
import { findUndoable } from '#projections/activity/queries.ts'
import { createChangeStreams } from './live/change-streams.ts'
import type { WebDeps } from './deps.ts'
import type { Listener } from './door/deps.ts'
import { answerErrors, answerNothing, isApi } from './door/error-answers.ts'
import { commonHeaders, exchangeOf } from './door/exchange.ts'
import { isReaderGone } from './door/reader-gone.ts'
import { mountCalls } from './call/mount.ts'
import { imageFiles } from './images/image-files.ts'
import type { PublicLists } from './public-lists.ts'
import { putPrepared } from './call/prepared.ts'
import { allRoutes } from './routes.ts'
import { withUpload } from './images/upload.ts'
import { moduleErrors } from './module-errors.ts'
import { keepSessions, type SessionKeeper } from './call/session.ts'
import { staticFiles } from './door/static-files.ts'
import { testCode, testCodePath } from './images/test-code.ts'

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

/** Everything under `/api`, and the one picture that is drawn for its owner only. */
const asksWho = (path: string): boolean => isApi(path) || path === testCodePath

const isImage = (path: string): boolean => path.startsWith('/images/') || path.startsWith('/qr/')

/**
 * Builds the Koa app: calls with their session under `/api`, pictures, the built client's files, pages.
 * @param lists the public lists' ready answers, shared with the listener in front
 */
export const createWebServer = (deps: WebDeps, lists: PublicLists): WebServer => {
  const { settings, log, pages } = deps
  const koa = new Koa()
  // What comes after the answer has begun. Of a reader who left the request's own line in the log tells enough.
  koa.on('error', (error: unknown) => {
    if (!isReaderGone(error)) log.warn({ err: error }, 'An answer was broken off')
  })

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
  const { documents, app, idempotency, secret } = deps
  mountCalls(
    router,
    allRoutes(deps, lists, keeper, streams),
    {
      clock: app.clock,
      idempotency,
      secret,
      settings,
      modules: moduleErrors,
      hindrance: app.executor.hindrance,
      withUpload: (ctx, work) => withUpload(ctx, app, work),
      undo: {
        find: (commandId) => findUndoable({ documents, eventStore: app.eventStore }, commandId),
        isPossible: canUndoCommand,
      },
    },
    keeper,
  )

  const common = { ...commonHeaders(settings.publicUrl) }
  koa.use(async (ctx, next) => {
    ctx.set(common)
    ctx.set('x-request-id', exchangeOf(ctx.req).id)
    await next()
  })
  koa.use(answerErrors(moduleErrors, log))
  koa.use(where(isApi, answerNothing))
  koa.use(where(asksWho, keeper.middleware))
  // Inside of the session too: an answer to an error must not lose the session's cookie.
  koa.use(where(asksWho, answerErrors(moduleErrors, log)))
  koa.use(router.routes())
  // It looks at what `routes` above has put into the context, which Koa's own type does not know.
  koa.use(where(isApi, router.allowedMethods() as unknown as Middleware))
  koa.use(where((path) => path === testCodePath, testCode(deps, keeper)))
  koa.use(where(isImage, imageFiles(deps)))
  koa.use(where((path) => !isApi(path) && !isImage(path), staticFiles(deps.clientFolder)))
  koa.use(
    where(
      (path) => !isApi(path) && !isImage(path),
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
