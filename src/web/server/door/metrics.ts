import type { Logger } from '#application/kernel/ports/logger.ts'
import type { IncomingMessage } from 'node:http'
import type { Listener } from './ports.ts'
import { commonHeaders, sendText } from './exchange.ts'
import { jsonType } from './headers.ts'
import { type InsiderSettings, mayLookInside } from './insiders.ts'

interface MetricsOptions extends InsiderSettings {
  readonly render: () => Promise<{ readonly contentType: string; readonly text: string }>
  readonly log: Logger
}

/** Why somebody may not read the metrics; null when he may. */
const refusal = (
  request: IncomingMessage,
  options: MetricsOptions,
): { status: number; message: string } | null => {
  if (mayLookInside(request, options)) return null
  if (options.token !== null) return { status: 401, message: 'Unauthorized' }
  return {
    status: 403,
    message:
      'Metrics are for this machine and a site of its own only: set METRICS_TOKEN to read them otherwise',
  }
}

/** Answers `/metrics` for Prometheus. */
export const createMetricsListener = (options: MetricsOptions): Listener => {
  const common = { ...commonHeaders(options.publicUrl), 'cache-control': 'no-store' }
  const answerOf = async (
    request: IncomingMessage,
  ): Promise<{ readonly status: number; readonly type: string; readonly body: string }> => {
    const refused = refusal(request, options)
    if (refused !== null) {
      return { status: refused.status, type: jsonType, body: JSON.stringify({ message: refused.message }) }
    }
    try {
      const { contentType, text } = await options.render()
      return { status: 200, type: contentType, body: text }
    } catch (error) {
      options.log.error({ err: error }, 'The metrics cannot be told')
      const message = 'The metrics cannot be told; the log of the server says why'
      return { status: 503, type: jsonType, body: JSON.stringify({ message }) }
    }
  }
  return (request, response) => {
    void answerOf(request).then(({ status, type, body }) => {
      const asks = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
      sendText(request, response, status, { ...common, 'content-type': type, ...asks }, body)
    })
  }
}
