import type { Logger } from '#application/kernel/ports/logger.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IsInsider, Listener, MeasureRequest, Readiness, WebSettings } from './ports.ts'
import { discardRest, hasBody } from './discard-rest.ts'
import { commonHeaders, endExchange, type Exchange, exchangeOf, openPath, sendText } from './exchange.ts'
import { jsonType } from './headers.ts'
import { answerClosed } from './in-words.ts'
import { shareWork } from '#application/kernel/sharing.ts'

/** What the answers about the process itself need. */
export interface HealthDeps {
  readonly settings: Pick<WebSettings, 'version' | 'publicUrl' | 'trustProxy'>
  readonly readiness: Readiness
  /** who is told in full why the process is not ready */
  readonly isInsider: IsInsider
  /** answers `/metrics`; without it there is nothing at that address */
  readonly metrics?: Listener
  readonly measure?: MeasureRequest
  readonly log: Logger
}

/** The answers that every process gives, whatever its roles and however its engines are. */
export interface Health {
  /** Answers a request for one of them; false when it is for something else. */
  readonly answer: (request: IncomingMessage, response: ServerResponse, exchange: Exchange) => boolean
  /** Answers with JSON that nobody keeps. */
  readonly send: (request: IncomingMessage, response: ServerResponse, status: number, value: unknown) => void
}

export const noStore = { 'cache-control': 'no-store', 'content-type': jsonType }

export const createHealth = (deps: HealthDeps): Health => {
  const { settings, readiness, isInsider, log } = deps
  const common = commonHeaders(settings.publicUrl)
  /** Strangers may ask as often as they like: one look at the engines serves all who ask meanwhile. */
  const shared = shareWork<Awaited<ReturnType<Readiness['report']>>>()

  const send: Health['send'] = (request, response, status, value) =>
    sendText(request, response, status, { ...common, ...noStore }, JSON.stringify(value))

  const reportReadiness = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { reasons, degraded } = await shared('readiness', readiness.report)
      const ready = reasons.length === 0
      const detail = isInsider(request) ? 'full' : 'short'
      const inDetail = (all: typeof reasons): readonly string[] => all.map((reason) => reason[detail])
      const report = { ready, reasons: inDetail(reasons), degraded: inDetail(degraded) }
      send(request, response, ready ? 200 : 503, report)
    } catch (error) {
      log.error({ err: error }, 'Readiness cannot be told')
      const reasons = ['The engines cannot be asked; the log of the server says why']
      send(request, response, 503, { ready: false, reasons, degraded: [] })
    }
  }

  return {
    send,
    answer: (request, response, exchange) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false
      exchange.route = exchange.path
      if (exchange.path === '/healthz') {
        send(request, response, 200, { status: 'ok', version: settings.version })
        return true
      }
      if (exchange.path === openPath) {
        const open = readiness.closed() !== 'starting'
        send(request, response, open ? 200 : 503, { open })
        return true
      }
      if (exchange.path === '/readyz') {
        void reportReadiness(request, response)
        return true
      }
      if (exchange.path !== '/metrics' || deps.metrics === undefined) {
        exchange.route = null
        return false
      }
      deps.metrics(request, response)
      return true
    },
  }
}

/** A proxy may send somebody here for a moment, where the address was that of a process with the web role before. */
const notWeb =
  'The site is not served here: the roles of this process do not include web. Please try again in a moment'

/** The listener of a process without the web role: how it is, and nothing else. */
export const createHealthListener = (deps: HealthDeps): Listener => {
  const health = createHealth(deps)
  const common = commonHeaders(deps.settings.publicUrl)
  return (request, response) => {
    const exchange = exchangeOf(request)
    response.once('close', () => endExchange(deps, request, response, exchange))
    if (hasBody(request)) discardRest({ req: request, res: response })
    if (health.answer(request, response, exchange)) return
    answerClosed(request, response, common, notWeb)
  }
}
