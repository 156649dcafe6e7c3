import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BuiltFiles } from './door/built-files.ts'
import type { FrontDeps } from './deps.ts'
import type { Listener } from './door/deps.ts'
import { demandsSession, sessionCookieOf } from './door/deps.ts'
import { beginExchange, commonHeaders, endExchange, type Exchange, handOn } from './door/exchange.ts'
import { createHealth, noStore } from './door/health.ts'
import type { PageAnswer } from './door/kept-page.ts'
import { TEXTS } from './pages/texts.ts'
import { isPublicList, type PublicLists } from './public-lists.ts'

interface FastDeps extends FrontDeps {
  readonly lists: PublicLists
  readonly builtFiles: BuiltFiles
  /** The app that answers everything else; loaded when it is first needed, once. */
  readonly loadApp: () => Promise<Listener>
}

const comeBackSeconds = '2'
const closedWords = {
  starting: 'The site is starting. Please try again in a moment',
  lost: 'The site cannot be shown just now. Please try again later',
} as const
/** Answered before the read models are up to date, and by processes without the web role too. */
const alwaysAnswered: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** The category a reader asks for in the query of the list of works; undefined where only the app can tell. */
const categoryOf = (query: string): string | null | undefined => {
  if (query === '') return null
  const asked = new URLSearchParams(query)
  const categories = asked.getAll('category')
  if (asked.has('deleted') || categories.length > 1) return undefined
  const category = categories[0]?.trim() === '' ? undefined : categories[0]
  return category === undefined || category === 'all' ? null : category
}

const isPage = (path: string): boolean =>
  path === '/' || path === '/admin' || path.startsWith('/artwork/') || Object.hasOwn(TEXTS, path)

/**
 * The listener in front: answers pages, public lists and the program's files from ready bytes, and health checks,
 * without loading the app; hands everything else to it. Answers carry the same headers, whoever of the two gives them.
 */
export const createFastListener = (deps: FastDeps): Listener => {
  const { lists, builtFiles, pages, settings, readiness, log } = deps
  const cookie = sessionCookieOf(settings.publicUrl)
  const cookiePattern = new RegExp(`(?:^|;\\s*)${cookie}=`)
  const common = commonHeaders(settings.publicUrl)
  const health = createHealth(deps)
  const raw = new WeakMap<PageAnswer, readonly string[]>()
  let app: Listener | null = null
  let loading: Promise<Listener> | null = null

  const load = (): Promise<Listener> => {
    loading ??= deps.loadApp().catch((error: unknown) => {
      // Asked again with the next request: what failed may have passed.
      loading = null
      throw error
    })
    return loading
  }

  const headersOf = (answer: PageAnswer): readonly string[] => {
    const known = raw.get(answer)
    if (known) return known
    const made = Object.entries(answer.headers).flat()
    raw.set(answer, made)
    return made
  }

  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    answer: PageAnswer,
  ): void => {
    response.writeHead(answer.status, [...headersOf(answer), 'x-request-id', exchange.id])
    response.end(request.method === 'HEAD' ? undefined : answer.body)
    endExchange(deps, request, response, exchange)
  }

  const forward = (request: IncomingMessage, response: ServerResponse, exchange: Exchange): void => {
    handOn(request, exchange)
    response.setHeader('x-request-id', exchange.id)
    response.once('close', () => endExchange(deps, request, response, exchange))
    if (app !== null) {
      app(request, response)
      return
    }
    load().then(
      (loaded) => {
        app = loaded
        loaded(request, response)
      },
      (error: unknown) => {
        log.error({ err: error, requestId: exchange.id }, 'The app could not be loaded')
        response.writeHead(503, { ...common, ...noStore, 'retry-after': comeBackSeconds })
        response.end(JSON.stringify({ message: closedWords.starting }))
      },
    )
  }

  /** The answer from ready bytes, or null, at once or later, where only the app can tell. */
  const readyAnswer = (
    request: IncomingMessage,
    exchange: Exchange,
  ): PageAnswer | Promise<PageAnswer | null> | null => {
    const { path, query } = exchange
    const { headers } = request
    const session = headers.cookie !== undefined && cookiePattern.test(headers.cookie)
    const asked = { acceptEncoding: headers['accept-encoding'], ifNoneMatch: headers['if-none-match'] }
    if (isPage(path)) return pages.page(path, query, { ...asked, session })
    if (path.startsWith('/assets/')) return builtFiles.answer(path, asked)
    if (session || demandsSession(headers) || !isPublicList(path)) return null
    const category = path === '/api/artworks' ? categoryOf(query) : null
    if (category === undefined) return null
    exchange.route = path
    return lists.answer(path, category, asked)
  }

  const readyOrNull = (
    request: IncomingMessage,
    exchange: Exchange,
  ): PageAnswer | Promise<PageAnswer | null> | null => {
    try {
      return readyAnswer(request, exchange)
    } catch (error) {
      log.warn({ err: error, requestId: exchange.id }, 'Ready bytes cannot be told from old ones')
      return null
    }
  }

  const answerSoon = async (
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    coming: Promise<PageAnswer | null>,
  ): Promise<void> => {
    let answer: PageAnswer | null
    try {
      answer = await coming
    } catch {
      // The app asks once more, and knows the words and the status of every error.
      answer = null
    }
    if (answer === null) forward(request, response, exchange)
    else send(request, response, exchange, answer)
  }

  return (request, response) => {
    const exchange = beginExchange(request)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (settings.trustProxy === 0 && request.headers['x-forwarded-for'] !== undefined)
      deps.unreadForwarding?.()
    if (health.answer(request, response, exchange)) return
    const closed = readiness.closed()
    if (closed !== null && !alwaysAnswered.has(exchange.path)) {
      const more = { 'retry-after': comeBackSeconds }
      health.send(request, response, exchange, { status: 503, value: { message: closedWords[closed] }, more })
      return
    }
    const answer = isRead ? readyOrNull(request, exchange) : null
    if (answer === null) forward(request, response, exchange)
    else if (answer instanceof Promise) void answerSoon(request, response, exchange, answer)
    else send(request, response, exchange, answer)
  }
}
