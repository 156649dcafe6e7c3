import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopbackHost } from '#application/kernel/loopback-host.ts'

const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/**
 * One spelling for each address: an IPv4 address in its IPv6 coat is the IPv4 address, however the coat is written, and
 * an IPv6 address is in lower case and short, without its zone. What is no address stays as it is.
 */
const plainAddress = (address: string): string => {
  const bare = address.split('%')[0] ?? ''
  if (isIP(bare) !== 6) return address
  const short = new URL(`http://[${bare}]/`).hostname.slice(1, -1)
  const [, high, low] = mapped.exec(short) ?? []
  if (high === undefined || low === undefined) return short
  const [front, back] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [front >> 8, front & 255, back >> 8, back & 255].join('.')
}

/** Whether an address is this machine's own. */
export const isLoopback = (address: string): boolean => {
  const plain = plainAddress(address)
  return isLoopbackHost(isIP(plain) === 6 ? `[${plain}]` : plain) && isIP(plain) !== 0
}

/**
 * The address of who sent the request.
 * @param proxies how many proxies in front are trusted: that many entries of `X-Forwarded-For`, counted from
 *   its end, were written by them; whatever stands before could be made up by the sender
 */
export const clientAddress = (
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  proxies: number,
): string => {
  const direct = plainAddress(request.socket.remoteAddress ?? '')
  if (proxies === 0) return direct
  const forwarded = request.headers['x-forwarded-for']
  const entries = (typeof forwarded === 'string' ? forwarded : '').split(',').map((entry) => entry.trim())
  const claimed = plainAddress(entries.slice(-proxies)[0] ?? '')
  return isIP(claimed) === 0 ? direct : claimed
}

/**
 * Under what an address is counted: itself, or the first 64 bits of an IPv6 address, which is what one
 * household or machine is given whole.
 */
export const countedAddress = (address: string): string => {
  const plain = plainAddress(address)
  if (isIP(plain) !== 6) return plain
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}
