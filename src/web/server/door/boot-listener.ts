import type { IncomingMessage } from 'node:http'
import type { IsInsider, Listener } from './ports.ts'
import { discardRest, hasBody } from './discard-rest.ts'
import { commonHeaders, exchangeOf, sendText } from './exchange.ts'
import { noStore } from './health.ts'
import { answerClosed } from './in-words.ts'

/**
 * Answers while the engines are being opened: the process is alive, everything else has to wait. Loads next to
 * nothing, so that a start is seen at once.
 */
export const createBootListener = (
  settings: {
    readonly version: string
    readonly publicUrl: string
  },
  /** who is told in full why the start waits; nobody unless told */
  isInsider: IsInsider = () => false,
  /** why the start waits for a server, in words; null while it does not */
  waitsFor: () => string | null = () => null,
): Listener => {
  const common = commonHeaders(settings.publicUrl)
  const reasonsFor = (request: IncomingMessage): readonly string[] => {
    const waits = waitsFor()
    if (waits === null) return ['The site is starting']
    return ['The site is starting', isInsider(request) ? waits : 'An engine does not answer']
  }
  return (request, response) => {
    const { path } = exchangeOf(request)
    if (hasBody(request)) discardRest({ req: request, res: response })
    const asked: Readonly<Record<string, { status: number; value: unknown } | undefined>> = {
      '/healthz': { status: 200, value: { status: 'ok', version: settings.version } },
      '/readyz': { status: 503, value: { ready: false, reasons: reasonsFor(request), degraded: [] } },
    }
    const of = asked[path]
    if (!of) {
      answerClosed(request, response, common, 'The site is starting. Please try again in a moment')
      return
    }
    const headers = { ...common, ...noStore, ...(of.status === 503 && { 'retry-after': '2' }) }
    sendText(request, response, of.status, headers, JSON.stringify(of.value))
  }
}
