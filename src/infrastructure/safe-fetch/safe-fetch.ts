import { lookup as resolve } from 'node:dns'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Agent, Response } from 'undici'
import {
  type SafeFetch,
  type SafeFetchAnswer,
  SafeFetchError,
  type SafeFetchRequest,
} from '#application/ports/safe-fetch.ts'
import { isPublicAddress, literalAddress } from '#infrastructure/safe-fetch/addresses.ts'

const defaultTimeout = 30_000
const defaultRedirects = 5
const privateMessage = 'This address leads to a private network, which the site does not reach'

/** Thrown by the connection's name look-up; found again as the cause of undici's error. */
class PrivateAddress extends Error {}

/** Resolves a name, and refuses it when any of its addresses is private: no second, different answer later. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '')
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new PrivateAddress(privateMessage), '')
    }
    if (options.all === true) return callback(null, addresses)
    const [first] = addresses
    return callback(null, first?.address ?? '', first?.family)
  })
}

const checkedUrl = (address: string, base: string | undefined, allowPrivate: boolean): URL => {
  const url = URL.parse(address, base)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new SafeFetchError('address', 'This is not a web address that begins with http:// or https://')
  }
  if (url.username !== '' || url.password !== '') {
    throw new SafeFetchError('address', 'The address must not hold a user name or password')
  }
  // A look-up never happens for an address written as numbers, so it is checked here.
  const literal = literalAddress(url.hostname)
  if (literal !== null && !allowPrivate && !isPublicAddress(literal)) {
    throw new SafeFetchError('private', privateMessage)
  }
  return url
}

const tooLarge = (maxBytes: number): SafeFetchError =>
  new SafeFetchError('too-large', `The other site sends more than ${Math.floor(maxBytes / 1024 / 1024)} MB`)

/** Counts what passes and breaks off behind the limit. */
const limited = (maxBytes: number, counted: (bytes: number) => void): Transform => {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      counted(bytes)
      done(bytes > maxBytes ? tooLarge(maxBytes) : null, chunk)
    },
  })
}

/** A failure of the exchange in words for the owner; an abort by the caller's own signal stays what it is. */
const failure = (error: unknown, request: SafeFetchRequest, deadline: AbortSignal): unknown => {
  if (error instanceof SafeFetchError) return error
  if (request.signal?.aborted === true) return request.signal.reason
  if (deadline.aborted) return new SafeFetchError('too-slow', 'The other site is too slow', { cause: error })
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof PrivateAddress) return new SafeFetchError('private', privateMessage)
  }
  return new SafeFetchError('unreachable', 'The other site cannot be reached', { cause: error })
}

const answerOf = (response: Response, url: URL): SafeFetchAnswer => {
  const type = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    url: url.href,
    contentType: type.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    charset: /;\s*charset="?([\w-]+)/i.exec(type)?.[1]?.toLowerCase() ?? null,
    validators: {
      etag: response.headers.get('etag'),
      lastModified: response.headers.get('last-modified'),
    },
  }
}

const headersOf = ({ accept, validators }: SafeFetchRequest): Record<string, string> => ({
  'user-agent': 'Atelier (artist website)',
  accept: accept ?? '*/*',
  ...(validators?.etag == null ? {} : { 'if-none-match': validators.etag }),
  ...(validators?.lastModified == null ? {} : { 'if-modified-since': validators.lastModified }),
})

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * The guarded way out, by undici's own fetch: the global one of Node does not take an agent of this package.
 * @param options.allowPrivate lets it reach private addresses, for development and tests
 */
export const openSafeFetch = (options: { readonly allowPrivate: boolean }): SafeFetch => {
  const { allowPrivate } = options
  let agent: Agent | undefined

  const exchange = async <T>(
    request: SafeFetchRequest,
    take: (response: Response, answer: SafeFetchAnswer) => Promise<T>,
  ): Promise<T> => {
    const deadline = AbortSignal.timeout(request.timeoutMs ?? defaultTimeout)
    const signal = request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal])
    try {
      const undici = await import('undici')
      agent ??= new undici.Agent({ connect: allowPrivate ? {} : { lookup: publicLookup } })
      let url = checkedUrl(request.url, undefined, allowPrivate)
      for (let hops = 0; ; hops += 1) {
        const response = await undici.fetch(url, {
          dispatcher: agent,
          redirect: 'manual',
          headers: headersOf(request),
          signal,
        })
        const location = response.headers.get('location')
        if (!redirects.has(response.status) || location === null)
          return await take(response, answerOf(response, url))
        await response.body?.cancel()
        if (hops >= (request.maxRedirects ?? defaultRedirects)) {
          throw new SafeFetchError('redirects', 'The other site redirects too often')
        }
        url = checkedUrl(location, url.href, allowPrivate)
      }
    } catch (error) {
      throw failure(error, request, deadline)
    }
  }

  /** The body, counted after decompression; refuses early what announces too much. */
  const bodyOf = (response: Response, maxBytes: number, counted: (bytes: number) => void): Readable => {
    const announced = Number(response.headers.get('content-length') ?? 0)
    if (announced > maxBytes && response.headers.get('content-encoding') === null) throw tooLarge(maxBytes)
    if (response.body === null) return Readable.from([])
    const gate = limited(maxBytes, counted)
    const source = Readable.fromWeb(response.body)
    source.on('error', (error) => gate.destroy(error))
    gate.on('close', () => source.destroy())
    return source.pipe(gate)
  }

  return {
    get: (request) =>
      exchange(request, async (response, answer) => {
        const chunks: Buffer[] = []
        for await (const chunk of bodyOf(response, request.maxBytes, () => {})) {
          // The gate passes on the bytes it was given.
          chunks.push(chunk as Buffer)
        }
        return { ...answer, body: Buffer.concat(chunks) }
      }),
    download: (request, path) =>
      exchange(request, async (response, answer) => {
        if (response.status !== 200) {
          await response.body?.cancel()
          return { ...answer, bytes: 0 }
        }
        let bytes = 0
        const body = bodyOf(response, request.maxBytes, (count) => {
          bytes = count
        })
        try {
          await pipeline(body, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
        } catch (error) {
          await rm(path, { force: true })
          throw error
        }
        return { ...answer, bytes }
      }),
    close: async () => {
      await agent?.destroy()
    },
  }
}
