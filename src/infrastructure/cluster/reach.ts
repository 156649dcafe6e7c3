import { readFile } from 'node:fs/promises'
import { connect as connectPlain } from 'node:net'
import { connect as connectByTls, rootCertificates } from 'node:tls'
import { codeOf, reasonOf } from '#application/kernel/reason.ts'

/** Where a server is to be found. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** a file of certificates to trust instead of the usual ones; null without */
  readonly caFile: string | null
}

/** Until a connection must stand, in ms. */
const connectMs = 2_000

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection is cut at once',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS is spoken there',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no TLS is spoken there',
}

/** The advice that Node.js adds to what is wrong with a certificate is none for this program. */
const inWords = (error: unknown): string =>
  words[codeOf(error) ?? ''] ?? reasonOf(error).replace(/; if the root CA.*$/s, '')

const connected = ({ host, port, tls }: ServerAddress, ca: string | null): Promise<void> =>
  new Promise((resolve, reject) => {
    // The library of the log trusts what its file holds, else what Node.js brings along.
    const socket = tls
      ? connectByTls({ host, port, servername: host, ca: ca ?? [...rootCertificates], ALPNProtocols: ['h2'] })
      : connectPlain({ host, port })
    const end = (error?: Error): void => {
      socket.destroy()
      if (error) reject(error)
      else resolve()
    }
    socket.setTimeout(connectMs, () => end(new Error(`no connection within ${connectMs / 1_000} s`)))
    socket.once('error', end)
    socket.once(tls ? 'secureConnect' : 'connect', () => end())
  })

/**
 * Why a server cannot be connected to, in words without any part of its address but host and port; null when it can
 * be. A connection is opened for that, and nothing is sent.
 */
export const whyUnreachable = async (place: ServerAddress): Promise<string | null> => {
  const at = `${place.host}:${place.port}`
  try {
    const ca = place.caFile === null ? null : await readFile(place.caFile, 'utf8')
    await connected(place, ca)
    return null
  } catch (error) {
    return `${at}: ${inWords(error)}`
  }
}
