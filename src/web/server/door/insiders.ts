import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isLoopbackHost } from '#application/kernel/loopback-host.ts'
import { isLoopback } from './client-address.ts'

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

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))

export interface InsiderSettings {
  readonly token: string | null
  readonly publicUrl: string
  /** how many proxies in front are trusted */
  readonly trustProxy: number
}

/**
 * Whether somebody may look into how the process is doing: whoever has the token; without one only this machine, and only
 * for a site of its own.
 */
export const mayLookInside = (
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { token, publicUrl, trustProxy }: InsiderSettings,
): boolean => {
  if (token !== null) {
    const [, given = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
    return isSame(given, token)
  }
  const isForwarded = forwarding.some((name) => headers[name] !== undefined)
  const isOwn = isLoopbackHost(new URL(publicUrl).hostname) && trustProxy === 0 && !isForwarded
  return isOwn && isLoopback(socket.remoteAddress ?? '') && asksLoopback(headers.host)
}
