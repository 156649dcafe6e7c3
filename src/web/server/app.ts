import { createRequire } from 'node:module'
import type KoaRouter from '@koa/router'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import compose from 'koa-compose'
import { canUndoCommand } from '#application/activity/undoable.ts'
import { findUndoable } from '#projections/activity/queries.ts'
import { createChangeStreams } from './live/change-streams.ts'
import type { WebDeps } from './deps.ts'
import { answerErrors, answerNothing } from './door/error-answers.ts'
import { CallRefused, statusWords } from './door/errors.ts'
import { commonHeaders, exchangeOf, isApi, isImage } from './door/exchange.ts'
import { mountCalls } from './call/mount.ts'
import { imageFiles } from './images/image-files.ts'
import type { PublicLists } from './public-lists.ts'
import { allRoutes } from './routes.ts'
import { withUpload } from './images/upload.ts'
import { moduleErrors } from './module-errors.ts'
import { keepSessions, type SessionKeeper } from './call/session.ts'
import { testCode, testCodePath } from './images/codes.ts'

// Its file for `import` asks for all names of node:http (`kernel/node-http.ts` says what that brings). `require` knows no
// types, and these describe this value.
const Router = createRequire(import.meta.url)('@koa/router') as typeof KoaRouter

/** What answers all that does not stand ready. */
export interface App {
  readonly middleware: Middleware
  /** Ends the change streams of sessions that have ended. */
  readonly lookAtAccounts: () => Promise<void>
  /** Ends what would stay open by itself: the change streams. */
  readonly close: () => Promise<void>
}

/** Runs a middleware only where the path fits. */
const where =
  (fits: (path: string) => boolean, middleware: Middleware): Middleware =>
  (ctx, next) =>
    fits(exchangeOf(ctx.req).path) ? middleware(ctx, next) : next()

/** Everything under `/api`, and the one image that is drawn for its owner only. */
const asksWho = (path: string): boolean => isApi(path) || path === testCodePath

/**
 * Builds the app behind the door: calls with their session under `/api`, images, and the words for what should
 * have stood ready.
 * @param koa the door's, to which sessions belong
 * @param lists the public lists' ready answers, shared with the door
 */
export const createApp = (koa: Koa, deps: WebDeps, lists: PublicLists): App => {
  const { settings, log } = deps

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
  const middleware = compose<Context>([
    async (ctx, next) => {
      ctx.set(common)
      ctx.set('x-request-id', exchangeOf(ctx.req).id)
      await next()
    },
    answerErrors(moduleErrors, log),
    where(isApi, answerNothing),
    where(asksWho, keeper.middleware),
    // Inside of the session too: an answer to an error must not lose the session's cookie.
    where(asksWho, answerErrors(moduleErrors, log)),
    // What both put into the context Koa's own type does not know.
    router.routes() as unknown as Middleware,
    where(isApi, router.allowedMethods() as unknown as Middleware),
    where((path) => path === testCodePath, testCode(deps, keeper)),
    where(isImage, imageFiles(deps)),
    where((path) => !isApi(path) && !isImage(path), notReady),
  ])
  return { middleware, lookAtAccounts: streams.lookAtAccounts, close: async () => streams.close() }
}

/** What should have stood ready: it failed, or was asked for by a method that nothing ready takes. */
const notReady: Middleware = async (ctx) => {
  const { failure } = exchangeOf(ctx.req)
  if (failure !== null) throw failure
  ctx.set('allow', 'GET, HEAD')
  throw new CallRefused(405, statusWords[405])
}
