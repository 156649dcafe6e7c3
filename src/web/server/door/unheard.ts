import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { STATUS_CODES } from '#application/kernel/node-http.ts'
import type { Listener } from './ports.ts'
import { commonHeaders, isTarget } from './exchange.ts'
import { jsonType } from './headers.ts'
import { oneAtATime, readNoMore } from './one-at-a-time.ts'

/** What Node's own reader of requests refuses before there is a request; it answers 400 to all else. */
const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of this request are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'This is too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive. Please try again'],
}
const malformed = [400, 'This is no HTTP request that can be read'] as const

/**
 * Headers that a request may not have as many of: browsers and proxies send some thirty. In memory each takes ten times what
 * it is on the line, also of a head that never ends.
 */
const tooManyHeaders = 100

/** Whether an answer has begun on this connection: another in its middle would only be taken for its rest. */
const isAnswering = (socket: Duplex): boolean => {
  // Node's own answer asks the same; it tells nobody else which message a connection is at.
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return typeof message === 'object' && message !== null && Reflect.get(message, '_headerSent') === true
}

/** Headers of an answer after which the connection is closed: nobody knows what else is on it. */
const lastHeaders = (publicUrl: string): Readonly<Record<string, string>> => ({
  ...commonHeaders(publicUrl),
  'cache-control': 'no-store',
  'content-type': jsonType,
  connection: 'close',
})

/** Node keeps the first of several and tells nobody of the others. */
const hostsOf = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number => {
  let hosts = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

/** What keeps a request from being understood by everybody in the same way, in words; null: nothing. */
const unclear = (request: IncomingMessage): readonly [status: number, message: string] | null => {
  // Older versions of Node throw away those beyond, and nobody knows what they said.
  if (request.rawHeaders.length >= 2 * tooManyHeaders) return [431, 'This request has too many headers']
  if (!isTarget(request)) return [400, 'The address of this request cannot be read']
  const hosts = hostsOf(request)
  if (hosts > 1) return [400, 'This request names two hosts']
  // Of the older HTTP/1.0 nobody is asked for one.
  return hosts === 0 && request.httpVersion === '1.1' ? [400, 'This request names no host'] : null
}

/**
 * Makes one that asks for another protocol the last of its connection, and has nothing read behind it: nobody here speaks
 * another, and Node would read on and throw away without an end.
 */
const readNothingBehind = (request: IncomingMessage, response: ServerResponse): void => {
  const { headers, socket } = request
  if (headers.upgrade === undefined) return
  response.shouldKeepAlive = false
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return
  // Node lets it go on by itself once a request is whole.
  socket.on('resume', () => socket.pause()).pause()
  // Nor does it hear that the other side has ended.
  socket.once('finish', () => socket.destroy())
}

/** Refuses what Node's own reader takes, though its target is no address, it does not name one host or has too many headers. */
export const onlyClear = (listener: Listener, publicUrl: string): Listener => {
  const headers = lastHeaders(publicUrl)
  return (request: IncomingMessage, response: ServerResponse) => {
    const refusal = unclear(request)
    if (refusal === null) {
      readNothingBehind(request, response)
      listener(request, response)
      return
    }
    const [status, message] = refusal
    response.writeHead(status, { ...headers, 'x-request-id': randomUUID() })
    response.end(JSON.stringify({ message }))
  }
}

/** Longer than anybody takes who reads what he is told, in ms. */
const lastWordsMs = 5_000

/**
 * Lets a connection go once its last words are written. One that is not read from any more, as while a request of it waits,
 * hears of no end and no reset: it would stay for ever.
 */
const leaveAfterLastWords = (socket: Duplex): void => {
  const late = setTimeout(() => socket.destroy(), lastWordsMs)
  late.unref()
  socket.once('close', () => clearTimeout(late))
  socket.once('finish', () => socket.destroy())
}

/** Answers on the bare connection, which is over then: another answer in the middle of one that has begun is none. */
const refuse = (
  socket: Duplex,
  [status, message]: readonly [status: number, message: string],
  common: Readonly<Record<string, string>>,
): void => {
  if (!socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  const body = JSON.stringify({ message })
  const headers = { ...common, 'content-length': Buffer.byteLength(body), 'x-request-id': randomUUID() }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  leaveAfterLastWords(socket)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'))
}

/**
 * Lets a server answer in the form of all other errors where no listener is asked: requests that
 * cannot be read, expectations that nobody can meet, and `CONNECT`, after which Node would only close: a proxy takes
 * that for a server that is not well.
 */
export const answerUnheard = (server: Server, publicUrl: string): void => {
  const common = lastHeaders(publicUrl)
  server.maxHeadersCount = tooManyHeaders
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else refuse(socket, refusals[error.code ?? ''] ?? malformed, common)
  })
  server.on('connect', (_request, socket) => {
    // Nobody else listens on it from here on.
    socket.on('error', () => undefined)
    refuse(socket, [405, 'This site is no proxy'], { ...common, allow: 'GET, HEAD' })
  })
  // It may stand behind others on its connection.
  const refuseExpectation = oneAtATime((request, response) => {
    readNoMore(request.socket)
    response.writeHead(417, { ...common, connection: 'close', 'x-request-id': randomUUID() })
    response.end(JSON.stringify({ message: 'The only expectation that is met here is 100-continue' }))
  })
  server.on('checkExpectation', refuseExpectation)
}
