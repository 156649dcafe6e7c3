import { readFile } from 'node:fs/promises'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectByTls, type ConnectionOptions, rootCertificates } from 'node:tls'
import { awakeFor } from '#application/kernel/awake-for.ts'
import { codeOf, isMissing, reasonOf } from '#application/kernel/reason.ts'
import { diskPlaceOf, mayNotBeUsed } from '../disk-words.ts'
import { findAt, type Found, givesSign, type ServerKind } from './greetings.ts'

/** Where a server is to be found. */
export interface ServerAddress {
  readonly kind: ServerKind
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** a file of certificates to trust instead of the usual ones; null without */
  readonly caFile: string | null
  /** files of the certificate that is shown to the server and its key, which may be one; absent without */
  readonly own?: { readonly certFile: string; readonly keyFile: string; readonly password?: string }
  /** absent: no */
  readonly anyCertificate?: boolean
  /** whether the certificate may be of any other host; absent: no */
  readonly anyHost?: boolean
}

/** Until a connection must stand, in ms. */
const connectMs = 2_000
/** Until a server that is greeted must answer, in ms. */
const greetMs = 1_500

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection is cut at once',
  ENOTFOUND: 'the name of the host is not known',
  ENODATA: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ESERVFAIL: 'the name of the host cannot be looked up now',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the host',
  ETIMEDOUT: `no connection within ${connectMs / 1_000} s`,
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS is spoken there',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no TLS is spoken there',
}
/** What comes of TLS with a server that speaks none: some answer in their way, some end, some wait for more. */
const withoutTls: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ECONNRESET',
  'ETIMEDOUT',
])

/** What is wrong with a file of certificates that is named; null where nothing is said of a file. */
const fileInWords = (error: unknown): string | null => {
  if (isMissing(error)) return `there is no file ${diskPlaceOf(error)}`
  return mayNotBeUsed(error)
    ? `the file ${diskPlaceOf(error)} may not be read by the user that runs this`
    : null
}

/**
 * What a connection failed for, in words. The advice that Node.js adds to what is wrong with a certificate is none for this
 * program.
 */
export const connectionInWords = (error: unknown): string =>
  words[codeOf(error) ?? ''] ?? fileInWords(error) ?? reasonOf(error).replace(/; if the root CA.*$/s, '')

/** How an address asks for TLS, and how for none. */
const tlsAdvice: Readonly<Record<ServerKind, { readonly on: string; readonly off: string }>> = {
  log: { on: 'take tls=false out of the address', off: 'add tls=false to the address' },
  mongodb: { on: 'add tls=true to the address', off: 'take tls=true out of the address' },
  redis: { on: 'begin the address with rediss://', off: 'begin the address with redis://' },
}

/** What an address says of certificates, with its files read. */
const certificatesOf = async ({
  kind,
  tls,
  caFile,
  own,
  anyCertificate = false,
  anyHost = false,
}: ServerAddress): Promise<ConnectionOptions> => {
  if (!tls) return {}
  // The library of the log trusts what its file holds, else what Node.js brings along; the others what Node.js is told to.
  const ca = caFile === null ? (kind === 'log' ? [...rootCertificates] : null) : await readFile(caFile)
  return {
    rejectUnauthorized: !anyCertificate,
    ...(ca === null ? {} : { ca }),
    ...(anyHost ? { checkServerIdentity: () => undefined } : {}),
    ...(own === undefined ? {} : { cert: await readFile(own.certFile), key: await readFile(own.keyFile) }),
    ...(own?.password === undefined ? {} : { passphrase: own.password }),
  }
}

const connected = (place: ServerAddress, certificates: ConnectionOptions): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { kind, host, port, tls } = place
    const socket = tls
      ? connectByTls({
          host,
          port,
          servername: isIP(host) === 0 ? host : '',
          ...certificates,
          ...(kind === 'log' ? { ALPNProtocols: ['h2'] } : {}),
        })
      : connectPlain({ host, port })
    const over = new AbortController()
    void awakeFor(connectMs, over.signal).then(() => {
      if (!over.signal.aborted)
        socket.destroy(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' }))
    })
    // One that comes later finds a listener, too.
    socket.on('error', (error) => {
      over.abort()
      socket.destroy()
      reject(error)
    })
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      over.abort()
      resolve(socket)
    })
  })

const foundInWords = (found: Found): string | null => {
  switch (found.is) {
    case 'right':
      return null
    case 'another':
      return `another kind of server answers there${found.server === null ? '' : `: ${found.server}`}`
    case 'closed':
      return 'the connection is cut at once'
    case 'silent':
      return 'the connection is taken, and nothing is answered'
  }
}

/** Whether TLS is spoken at a place, whatever the certificate. */
const speaksTls = async (place: ServerAddress): Promise<boolean> => {
  try {
    const socket = await connected({ ...place, tls: true }, { rejectUnauthorized: false })
    socket.destroy()
    return true
  } catch {
    return false
  }
}

/** What is found at a place, and is not what is looked for, in words; null where it is. */
const strangerAt = async (place: ServerAddress): Promise<string | null> => {
  const certificates = await certificatesOf(place)
  const found = await findAt(() => connected(place, certificates), place.kind, greetMs)
  if (!place.tls && found.is !== 'right' && (await speaksTls(place)))
    return `TLS is spoken there: ${tlsAdvice[place.kind].on}`
  return foundInWords(found)
}

/** Why TLS failed with a server, when it is because none is spoken there; null when that is not the cause. */
const whyNoTls = async (place: ServerAddress): Promise<string | null> => {
  const plain = { ...place, tls: false }
  const found = await findAt(() => connected(plain, {}), place.kind, greetMs).catch(() => null)
  if (found?.is === 'right') return `no TLS is spoken there: ${tlsAdvice[place.kind].off}`
  return found?.is === 'another' ? foundInWords(found) : null
}

/** Whether a server gives a sign of life within `ms`, of whatever kind it is. */
export const isHeard = async (place: ServerAddress, ms: number): Promise<boolean> => {
  const asked = certificatesOf(place)
    .then((certificates) => givesSign(() => connected(place, certificates), place.kind, ms))
    .catch(() => false)
  const over = new AbortController()
  try {
    return await Promise.race([asked, awakeFor(ms, over.signal).then(() => false)])
  } finally {
    over.abort()
  }
}

/**
 * Why a server cannot be connected to, in words without any part of its address but host and port; null when it can
 * be, and is one of the kind that is looked for. It is asked nothing that changes anything, and told no name.
 */
export const whyUnreachable = async (place: ServerAddress): Promise<string | null> => {
  const at = `${place.host}:${place.port}`
  const told = (cause: string): string => `${at}: ${cause}`
  try {
    const stranger = await strangerAt(place)
    return stranger === null ? null : told(stranger)
  } catch (error) {
    const noTls = place.tls && withoutTls.has(codeOf(error) ?? '') ? await whyNoTls(place) : null
    return told(noTls ?? connectionInWords(error))
  }
}
