import Koa, { type Context, type Middleware } from 'koa'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { asError, codeOf } from '#application/kernel/reason.ts'
import { doneOnce } from '#application/kernel/sharing.ts'
import { beginStep, type Step } from '#application/kernel/traced.ts'
import { clientAddress, countedAddress } from './client-address.ts'
import type { Listener } from './ports.ts'
import { discardRest, hasBody } from './discard-rest.ts'
import { ReaderLeft, SiteBusy } from './errors.ts'
import { commonHeaders, type Ended, endExchange, type Exchange, exchangeOf } from './exchange.ts'
import { countLeftBehind } from './left-behind.ts'
import { createHealth, type HealthDeps } from './health.ts'
import { answerClosed } from './in-words.ts'
import type { PageAnswer } from './cached-page.ts'
import { boundUnread, ofFile } from './unread-bytes.ts'
import { untilLeft } from './until-left.ts'

/** Methods of which no call takes a body. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What Node says of a connection that the other end has closed, and of an answer that was on its way there. */
const gone: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
])

/** Whether an answer failed because nobody waits for it any more: a closed tab, a lost network. */
const isReaderGone = (error: unknown): boolean => gone.has(codeOf(error) ?? '')

export interface DoorDeps extends HealthDeps {
  /** hears of every request that names other addresses in front of it although no proxy is trusted */
  readonly unreadForwarding?: () => void
  /** The answer to a reading request from ready bytes, at once or later; null where only the app can tell. */
  readonly ready: (
    request: IncomingMessage,
    exchange: Exchange,
  ) => PageAnswer | Promise<PageAnswer | null> | null
  /** What answers everything else; loaded when it is first needed, once. */
  readonly loadApp: (koa: Koa) => Promise<Middleware>
}

/** Who hears of the end of one answer: the parts of the door, the app, and half a dozen of Node's own behind a file. */
const mostHearers = 20

const closedWords = {
  starting: 'The site is starting. Please try again in a moment',
  lost: 'The site cannot be shown just now. Please try again later',
  busy: new SiteBusy().message,
} as const

/** The headers of ready answers as the socket takes them, made once for each. */
const raw = new WeakMap<PageAnswer, readonly string[]>()
const rawHeaders = (answer: PageAnswer): readonly string[] => {
  const known = raw.get(answer)
  if (known) return known
  const made = Object.entries(answer.headers).flat()
  raw.set(answer, made)
  return made
}

const endStep = (step: Step, method: string, { route, status }: Ended): void =>
  step.end({
    name: `${method} ${route}`,
    attributes: { 'http.route': route, 'http.response.status_code': status },
    ...(status >= 500 && { failure: status }),
  })

/**
 * The one door of the web role: a Koa application. How the process stands is answered first, then what stands ready
 * as bytes; everything else is for the app, whose modules are loaded when they are first needed.
 */
export const createDoor = (deps: DoorDeps): Listener => {
  const { settings, readiness, log, ready } = deps
  const health = createHealth(deps)
  const common = commonHeaders(settings.publicUrl)
  const hold = boundUnread(({ req }) => countedAddress(clientAddress(req, settings.trustProxy)))
  const koa = new Koa()
  // What comes after the answer has begun. Of a reader who left the request's own line in the log tells enough.
  koa.on('error', (error: unknown) => {
    if (!isReaderGone(error)) log.warn({ err: error }, 'An answer was broken off')
  })

  const answerProcess: Middleware = (ctx, next) => {
    const exchange = exchangeOf(ctx.req)
    let step: Step | null = null
    const end = (): Ended => endExchange(deps, ctx.req, ctx.res, exchange)
    ctx.res.setMaxListeners(mostHearers).once('close', () => {
      if (step === null) end()
      else endStep(step, ctx.method, step.within(end))
    })
    if (settings.trustProxy === 0 && ctx.req.headers['x-forwarded-for'] !== undefined)
      deps.unreadForwarding?.()
    const closed = readiness.closed()
    // Nobody reads it: whoever sends one is answered, and not listened to without an end.
    if (hasBody(ctx.req) && (closed !== null || bodiless.has(ctx.method))) discardRest(ctx)
    const isAnswered =
      health.answer(ctx.req, ctx.res, exchange) || (closed !== null && unavailable(ctx, closedWords[closed]))
    if (isAnswered) {
      ctx.respond = false
      return undefined
    }
    step = beginStep(
      ctx.method,
      { 'http.request.method': ctx.method },
      { kind: 'request', requestId: exchange.id, headers: ctx.req.headers },
    )
    exchange.correlationId = step.correlationId ?? exchange.id
    return step.within(next)
  }

  const unavailable = (ctx: Context, message: string): true => {
    answerClosed(ctx.req, ctx.res, common, message)
    return true
  }

  const leftBehind = countLeftBehind()
  const refuseBusy = (ctx: Context): void => {
    if (hasBody(ctx.req)) discardRest(ctx)
    ctx.respond = false
    unavailable(ctx, closedWords.busy)
  }

  const answerReady: Middleware = (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    const exchange = exchangeOf(ctx.req)
    const send = (answer: PageAnswer): void => {
      ctx.respond = false
      ctx.res.writeHead(answer.status, [...rawHeaders(answer), 'x-request-id', exchange.id])
      if (ctx.method !== 'HEAD') hold(ctx.res, answer.body.buffer)
      ctx.res.end(ctx.method === 'HEAD' ? undefined : answer.body)
    }
    const fail = async (error: unknown): Promise<void> => {
      if (error instanceof ReaderLeft) {
        ctx.respond = false
        return
      }
      // The app knows the words and the status of every error.
      exchange.failure = asError(error)
      await next()
    }
    try {
      const answer = ready(ctx.req, exchange)
      if (answer === null) return next()
      if (!(answer instanceof Promise)) return send(answer)
      const waited = untilLeft(ctx.res, answer)
      if (leftBehind.areTooMany()) {
        // It goes on, for others who wait for it.
        waited.catch(() => undefined)
        return refuseBusy(ctx)
      }
      return waited.then((found) => (found === null ? next() : send(found)), fail)
    } catch (error) {
      return fail(error)
    }
  }

  const loadedApp = doneOnce(() => deps.loadApp(koa))
  const answerByApp: Middleware = async (ctx, next) => {
    if (leftBehind.areTooMany()) return refuseBusy(ctx)
    let middleware: Middleware
    try {
      middleware = await loadedApp()
    } catch (error) {
      // Asked again with the next request: what failed may have passed.
      log.error({ err: error, requestId: exchangeOf(ctx.req).id }, 'The app could not be loaded')
      ctx.respond = false
      unavailable(ctx, closedWords.starting)
      return
    }
    await middleware(ctx, next)
    if (Buffer.isBuffer(ctx.body)) hold(ctx.res, ctx.body.buffer)
    // Of the streams an answer without an end has no length.
    else if (ctx.body instanceof Readable && ctx.response.length !== undefined) hold(ctx.res, ofFile())
  }

  koa.use(answerProcess)
  koa.use(answerReady)
  koa.use(answerByApp)
  return leftBehind.count(koa.callback())
}
