import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { open, rm } from 'node:fs/promises'
import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { asError } from '#application/kernel/reason.ts'
import type { Dispatcher, Response } from 'undici'
import {
  SafeFetchError,
  type FetchedBody,
  type SafeFetch,
  type SafeFetchAnswer,
  type SafeFetchRequest,
} from '#application/kernel/ports/safe-fetch.ts'
import { isPublicAddress } from './addresses.ts'

export interface SafeFetchOptions {
  /** setting `FETCH_ALLOW_PRIVATE`: loopback and private addresses may be reached (development, tests) */
  readonly allowPrivate?: boolean
  /** which IP addresses may be reached; default the public ones (tests) */
  readonly isAllowed?: (address: string) => boolean
  /** name resolution; default the system's (tests) */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>
}

const answersWithinMs = 30_000
const connectTimeoutMs = 10_000
const maxRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])

const privateAddress = (host: string): SafeFetchError =>
  new SafeFetchError(
    'private',
    `${host} leads to a private network, where Atelier does not go. Give a public address.`,
  )

/** A piece of one byte takes as long as one of thousands: of a long body they are no shorter than this together, in bytes. */
const shortestPiece = 32
/** The first pieces may be: a page is sent as it is made. */
const shortPieces = 5_000

const inMegabytes = (bytes: number): string =>
  bytes >= 1_000_000 ? `${Math.round(bytes / 1_000_000)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`

const tooLarge = (url: URL, maxBytes: number): SafeFetchError =>
  new SafeFetchError('too-large', `What ${url.host} sends is larger than ${inMegabytes(maxBytes)}.`)

const inPieces = 'What is sent there comes in pieces of a few bytes, which takes too long.'

/** Answers that only say that one will come (RFC 9110 §15.2): servers send one or two, and each costs as much as a whole one. */
const mostForerunners = 20
const noAnswer = 'What is sent there goes on announcing an answer, and none comes.'

/**
 * Gives up a body in pieces of a few bytes before it is put together, and announcements without an end: only here they are
 * still told apart.
 */
const inWholePieces: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  let [bytes, pieces, forerunners, isGivenUp] = [0, 0, 0, false]
  const giveUp = (controller: Dispatcher.DispatchController, words: string): void => {
    isGivenUp = true
    const error = new SafeFetchError('too-slow', words)
    controller.abort(error)
    // The library tells of it once the connection has closed, which may be at the deadline.
    handler.onResponseError?.(controller, error)
  }
  return dispatch(options, {
    onRequestStart: (...started) => handler.onRequestStart?.(...started),
    onResponseStart: (controller, status, ...answered) => {
      if (isGivenUp) return
      if (status < 200) forerunners += 1
      if (forerunners > mostForerunners) giveUp(controller, noAnswer)
      else handler.onResponseStart?.(controller, status, ...answered)
    },
    onResponseData: (controller, piece) => {
      bytes += piece.byteLength
      pieces += 1
      if (isGivenUp) return
      if (pieces <= shortPieces || bytes >= pieces * shortestPiece)
        handler.onResponseData?.(controller, piece)
      else giveUp(controller, inPieces)
    },
    onResponseEnd: (...ended) => handler.onResponseEnd?.(...ended),
    onResponseError: (...failed) => {
      if (!isGivenUp) handler.onResponseError?.(...failed)
    },
  })
}

/** The error and its causes, outermost first. */
function* causesOf(error: unknown): Generator<unknown> {
  for (
    let each = error;
    each !== undefined && each !== null;
    each = each instanceof Error ? each.cause : undefined
  )
    yield each
}

/** What a failed connection means, for the owner. */
const inWords = (error: unknown, url: URL): SafeFetchError => {
  const texts: string[] = []
  for (const cause of causesOf(error)) {
    if (cause instanceof SafeFetchError) return cause
    if (cause instanceof AggregateError) texts.push(...cause.errors.map(String))
    if (cause instanceof Error) texts.push('code' in cause ? String(cause.code) : '', cause.message)
  }
  const all = texts.join(' ')
  const say = (words: string): SafeFetchError => new SafeFetchError('unreachable', words, { cause: error })
  if (/ENOTFOUND|EAI_AGAIN|ENODATA/.test(all))
    return say(`There is no site called ${url.hostname}, or this server is not connected to the internet.`)
  if (/ECONNREFUSED/.test(all)) return say(`${url.host} refuses connections.`)
  if (/bad port/.test(all))
    return new SafeFetchError('address', `${url.href} names a port that no web site uses.`)
  if (/CERT|SSL|TLS|certificate/.test(all)) return say(`${url.host} does not have a valid certificate.`)
  if (/TIMEOUT|timeout/.test(all))
    return new SafeFetchError('too-slow', `${url.host} does not answer.`, { cause: error })
  return say(`The connection to ${url.host} broke off.`)
}

/** http and https without a user name; everything else is refused before any name is looked up. */
const parse = (text: string, base?: URL): URL => {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new SafeFetchError(
      'address',
      `This is not the address of a web page: ${text.slice(0, 200)}. It should begin with https://`,
    )
  if (url.username !== '' || url.password !== '')
    throw new SafeFetchError('address', 'An address with a user name or password in it cannot be used.')
  url.hash = ''
  return url
}

/** One that is longer than anybody's is none: it would be remembered for each of thousands of pages. */
const longestValidator = 200

const answerOf = (response: Response, url: URL): SafeFetchAnswer => {
  const [, ...parameters] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='))
  const validator = (name: string): string | null => {
    const value = response.headers.get(name)
    return value === null || value.length > longestValidator ? null : value
  }
  return {
    status: response.status,
    url: url.href,
    charset: charset?.slice('charset='.length).replaceAll('"', '') ?? null,
    validators: { etag: validator('etag'), lastModified: validator('last-modified') },
  }
}

/** The body piece by piece, never more than allowed; counted as it is after decompression. */
async function* bounded(response: Response, url: URL, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (response.body === null) return
  if (Number(response.headers.get('content-length')) > maxBytes) {
    await response.body.cancel()
    throw tooLarge(url, maxBytes)
  }
  let bytes = 0
  // undici types the pieces of a body as `any`; the fetch standard says that they are bytes
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength
    if (bytes > maxBytes) throw tooLarge(url, maxBytes)
    yield piece
  }
}

/** Looks a name up for a connection, which gets no address that may not be reached. */
const guardedLookup =
  ({ resolve, isAllowed }: Required<Pick<SafeFetchOptions, 'resolve' | 'isAllowed'>>): LookupFunction =>
  (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const first = addresses[0]
        // One private address among public ones is a trick, not a mistake: nothing of it is used.
        if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
          callback(privateAddress(host), '', 0)
        else if (options.all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(asError(error), '', 0),
    )
  }

/**
 * The guarded way out. Addresses are checked where they are used: a literal IP address
 * before the request, a name in the very look-up that the connection is made with, both at every redirect.
 */
export const openSafeFetch = ({
  allowPrivate = false,
  isAllowed = allowPrivate ? () => true : isPublicAddress,
  resolve = (host) => promisify(systemLookup)(host, { all: true }),
}: SafeFetchOptions = {}): SafeFetch => {
  const lookup = guardedLookup({ resolve, isAllowed })
  // Loaded with the first request: a site without a blog never needs it.
  let agent: Dispatcher | null = null
  const send = async (url: URL, request: SafeFetchRequest, signal: AbortSignal): Promise<Response> => {
    const undici = await import('undici')
    agent ??= new undici.Agent({
      connect: { lookup, timeout: connectTimeoutMs },
      allowH2: false,
      // No connection outlives its answer: a server may ask to keep it for ten minutes, and a blog name a host for each image.
      pipelining: 0,
    }).compose(inWholePieces)
    const { etag = null, lastModified = null } = request.validators ?? {}
    return undici.fetch(url, {
      dispatcher: agent,
      redirect: 'manual',
      signal,
      headers: {
        'user-agent': 'Atelier',
        accept: request.accept ?? '*/*',
        ...(etag === null ? {} : { 'if-none-match': etag }),
        ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
      },
    })
  }

  /** Follows redirects, checking each, and gives the last answer with its body to `use`. */
  const exchange = async <T>(
    request: SafeFetchRequest,
    use: (response: Response, url: URL) => Promise<T>,
  ): Promise<T> => {
    const timeoutMs = request.timeoutMs ?? answersWithinMs
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal])
    let url = parse(request.url)
    try {
      for (let hop = 0; hop <= maxRedirects; hop++) {
        // Sockets skip the look-up for a literal address in whatever notation; the URL parser has made it plain.
        const literal = url.hostname.replace(/^\[|\]$/g, '')
        if (isIP(literal) !== 0 && !isAllowed(literal)) throw privateAddress(literal)
        const response = await send(url, request, signal)
        const location = response.headers.get('location')
        if (!redirectStatuses.has(response.status) || location === null) return await use(response, url)
        await response.body?.cancel()
        url = parse(location, url)
      }
      throw new SafeFetchError('redirects', `${new URL(request.url).host} redirects in circles.`)
    } catch (error) {
      request.signal?.throwIfAborted()
      if (deadline.aborted)
        throw new SafeFetchError(
          'too-slow',
          `${url.host} took longer than ${Math.round(timeoutMs / 1000)} s.`,
          { cause: error },
        )
      throw inWords(error, url)
    }
  }

  return {
    get: (request) =>
      exchange(request, async (response, url): Promise<FetchedBody> => {
        const pieces: Uint8Array[] = []
        for await (const piece of bounded(response, url, request.maxBytes)) pieces.push(piece)
        return { ...answerOf(response, url), body: Buffer.concat(pieces) }
      }),
    download: (request, path) =>
      exchange(request, async (response, url): Promise<SafeFetchAnswer> => {
        if (response.status !== 200) {
          await response.body?.cancel()
          return answerOf(response, url)
        }
        const file = await open(path, 'wx', 0o600)
        try {
          for await (const piece of bounded(response, url, request.maxBytes)) await file.writeFile(piece)
          await file.close()
        } catch (error) {
          await file.close()
          await rm(path, { force: true })
          throw error
        }
        return answerOf(response, url)
      }),
    close: async () => {
      await agent?.destroy()
      agent = null
    },
  }
}
