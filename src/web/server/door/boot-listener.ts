import type { Listener } from './ports.ts'
import { commonHeaders, exchangeOf } from './exchange.ts'

/**
 * Answers while the engines are being opened: the process is alive, everything else has to wait. Loads next to
 * nothing, so that a start is seen at once.
 */
export const createBootListener = (settings: {
  readonly version: string
  readonly publicUrl: string
}): Listener => {
  const common = {
    ...commonHeaders(settings.publicUrl),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  }
  return (request, response) => {
    const { id, path } = exchangeOf(request)
    const alive = path === '/healthz'
    response.writeHead(alive ? 200 : 503, {
      ...common,
      'x-request-id': id,
      ...(alive ? {} : { 'retry-after': '2' }),
    })
    const reasons =
      path === '/readyz' ? { ready: false, reasons: ['The site is starting'], degraded: [] } : null
    const body = alive
      ? { status: 'ok', version: settings.version }
      : (reasons ?? { message: 'The site is starting. Please try again in a moment' })
    response.end(JSON.stringify(body))
  }
}
