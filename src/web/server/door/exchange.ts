import type { Logger } from '#application/kernel/ports/logger.ts'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MeasureRequest } from './ports.ts'
import { securityHeaders } from './headers.ts'

/** One request and its answer, as the log and the answer's headers name it. */
export interface Exchange {
  readonly id: string
  /** what all that the request causes carries: its id, or what a tracer has made of it */
  correlationId: string
  /** as in the request, percent-encoded, without the query */
  readonly path: string
  /** without the question mark; may be empty */
  readonly query: string
  readonly startedAt: number
  /** what answers it, of a small number of names, for measuring; set by whoever knows */
  route: string | null
  /** why there is no ready answer, where there should be one */
  failure: Error | null
}

const longestPath = 300
const begun = new WeakMap<IncomingMessage, Exchange>()

const begin = (request: IncomingMessage): Exchange => {
  const target = request.url ?? '/'
  const own = target.startsWith('/') ? target : pathOfAbsolute(target)
  // A target may be absolute (`GET http://host/path`): only its path is of interest, to whoever is asked next too.
  if (own !== target) request.url = own
  const queryAt = own.indexOf('?')
  const id = randomUUID()
  return {
    id,
    correlationId: id,
    path: queryAt < 0 ? own : own.slice(0, queryAt),
    query: queryAt < 0 ? '' : own.slice(queryAt + 1),
    startedAt: performance.now(),
    route: null,
    failure: null,
  }
}

/** The exchange of a request, which begins where somebody asks for it first. */
export const exchangeOf = (request: IncomingMessage): Exchange => {
  const known = begun.get(request)
  if (known) return known
  const exchange = begin(request)
  begun.set(request, exchange)
  return exchange
}

/** A parser of addresses would take the first part of a path for a host that is not there. */
const absolute = (target: string): URL | null =>
  /^https?:\/\/[^/?#\\]/i.test(target) ? URL.parse(target) : null

const pathOfAbsolute = (target: string): string => {
  const url = absolute(target)
  return url === null ? '/' : url.pathname + url.search
}

/** Whether the target of a request is a path, a whole address, or the `*` of OPTIONS. */
export const isTarget = ({ url = '', method }: Pick<IncomingMessage, 'url' | 'method'>): boolean =>
  url.startsWith('/') || (url === '*' ? method === 'OPTIONS' : absolute(url) !== null)

/** The policy of everything that is no page: it may load and do nothing, also when opened by itself. */
const barePolicy = "default-src 'none'; frame-ancestors 'none'"

/** Headers of every answer that is no page. */
export const commonHeaders = (publicUrl: string): Readonly<Record<string, string>> => ({
  ...securityHeaders(publicUrl.startsWith('https:')),
  'content-security-policy': barePolicy,
})

/** Answers with what stands in the body, straight to the connection. */
export const sendText = (
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): void => {
  response.writeHead(status, {
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': exchangeOf(request).id,
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}

/** Whether a path is that of a call: below it every answer is JSON. */
export const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/')

/** Whether a path is that of an image or a code. */
export const isImage = (path: string): boolean => path.startsWith('/images/') || path.startsWith('/qr/')

/** Where nobody has named the route: by the place of its path. */
const routeOf = ({ path, route }: Exchange): string => {
  if (route !== null) return route
  if (isImage(path)) return 'picture'
  if (path.startsWith('/assets/')) return 'asset'
  return path.startsWith('/api/') ? 'unknown call' : 'page'
}

/** How a request was answered. */
export interface Ended {
  readonly route: string
  readonly status: number
}

/** Where a proxy asks whether visitors may be sent here: a process that leaves says no and goes on answering them. */
export const openPath = '/openz'

/**
 * One line for each request: never the query, a body or a header, which may hold what is personal.
 * An answer that the client did not wait for is logged as 499.
 */
export const endExchange = (
  { log, measure }: { readonly log: Logger; readonly measure?: MeasureRequest | undefined },
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
): Ended => {
  const ms = performance.now() - exchange.startedAt
  const status = response.writableEnded ? response.statusCode : 499
  const route = routeOf(exchange)
  measure?.({ method: request.method ?? '', route, status, ms })
  // Asked each second.
  if (exchange.path === openPath) return { route, status }
  log.info(
    {
      requestId: exchange.id,
      ...(exchange.correlationId !== exchange.id && { correlationId: exchange.correlationId }),
      method: request.method,
      path: exchange.path.slice(0, longestPath),
      status,
      ms: Math.round(ms * 10) / 10,
    },
    'request',
  )
  return { route, status }
}
