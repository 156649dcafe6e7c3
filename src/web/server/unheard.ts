import { randomUUID } from 'node:crypto'
import { type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { commonHeaders } from './exchange.ts'

/** What Node's own reader of requests refuses before there is a request; it answers 400 to all else. */
const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of this request are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'This is too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive. Please try again'],
}
const malformed = [400, 'This is no HTTP request that can be read'] as const

/** Whether an answer has begun on this connection: another in its middle would only be taken for its rest. */
const isAnswering = (socket: Duplex): boolean => {
  // Node's own answer asks the same; it tells nobody else which message a connection is at.
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return typeof message === 'object' && message !== null && Reflect.get(message, '_headerSent') === true
}

/**
 * Lets a server answer in the form of all other errors (decisions 1) where no listener is asked: requests that
 * cannot be read, and expectations that nobody can meet.
 */
export const answerUnheard = (server: Server, publicUrl: string): void => {
  const common = {
    ...commonHeaders(publicUrl),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const [status, message] = refusals[error.code ?? ''] ?? malformed
    const body = JSON.stringify({ message })
    const headers = { ...common, 'content-length': Buffer.byteLength(body), 'x-request-id': randomUUID() }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'))
  })
  server.on('checkExpectation', (_request, response) => {
    response.writeHead(417, { ...common, 'x-request-id': randomUUID() })
    response.end(JSON.stringify({ message: 'The only expectation that is met here is 100-continue' }))
  })
}
