import { timingSafeEqual, createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Listener, WebLog } from './deps.ts'
import { isLoopback, isLoopbackHost } from './client-address.ts'
import { commonHeaders, exchangeOf } from './exchange.ts'

/** Headers by which a proxy says for whom it asks. */
const forwarding = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

/** A page of another site may lead its own name to this machine: the browser then asks here, under that name. */
const asksLoopback = (host: string | undefined): boolean =>
  host !== undefined && URL.canParse(`http://${host}`) && isLoopbackHost(new URL(`http://${host}`).hostname)

interface MetricsOptions {
  readonly token: string | null
  readonly publicUrl: string
  /** how many proxies in front are trusted */
  readonly trustProxy: number
  readonly render: () => Promise<{ readonly contentType: string; readonly text: string }>
  readonly log: WebLog
}

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())

/** Who may read the metrics: whoever has the token; without one only this machine, and only for a site of its own. */
const refusal = (
  request: IncomingMessage,
  { token, publicUrl, trustProxy }: MetricsOptions,
): { status: number; message: string } | null => {
  const { headers, socket } = request
  if (token !== null) {
    const [, given = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
    return isSame(given, token) ? null : { status: 401, message: 'Unauthorized' }
  }
  const isForwarded = forwarding.some((name) => headers[name] !== undefined)
  const isOwn = isLoopbackHost(new URL(publicUrl).hostname) && trustProxy === 0 && !isForwarded
  if (isOwn && isLoopback(socket.remoteAddress ?? '') && asksLoopback(headers.host)) return null
  return {
    status: 403,
    message:
      'Metrics are for this machine and a site of its own only: set METRICS_TOKEN to read them otherwise',
  }
}

/** Answers `/metrics` for Prometheus. */
export const createMetricsListener = (options: MetricsOptions): Listener => {
  const common = { ...commonHeaders(options.publicUrl), 'cache-control': 'no-store' }
  const json = 'application/json; charset=utf-8'
  const answerOf = async (
    request: IncomingMessage,
  ): Promise<{ readonly status: number; readonly type: string; readonly body: string }> => {
    const refused = refusal(request, options)
    if (refused !== null) {
      return { status: refused.status, type: json, body: JSON.stringify({ message: refused.message }) }
    }
    try {
      const { contentType, text } = await options.render()
      return { status: 200, type: contentType, body: text }
    } catch (error) {
      options.log.error({ err: error }, 'The metrics cannot be told')
      const message = 'The metrics cannot be told; the log of the server says why'
      return { status: 503, type: json, body: JSON.stringify({ message }) }
    }
  }
  return (request, response) => {
    void answerOf(request).then(({ status, type, body }) => {
      response.writeHead(status, {
        ...common,
        'content-type': type,
        'content-length': String(Buffer.byteLength(body)),
        'x-request-id': exchangeOf(request).id,
        ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      })
      response.end(request.method === 'HEAD' ? undefined : body)
    })
  }
}
