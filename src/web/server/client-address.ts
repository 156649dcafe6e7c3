import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const plain = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address)

/**
 * The address of who sent the request.
 * @param proxies how many proxies in front are trusted: that many entries of `X-Forwarded-For`, counted from
 *   its end, were written by them; whatever stands before could be made up by the sender
 */
export const clientAddress = (
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  proxies: number,
): string => {
  const direct = plain(request.socket.remoteAddress ?? '')
  if (proxies === 0) return direct
  const forwarded = request.headers['x-forwarded-for']
  const entries = (typeof forwarded === 'string' ? forwarded : '').split(',').map((entry) => entry.trim())
  const claimed = plain(entries.slice(-proxies)[0] ?? '')
  return isIP(claimed) === 0 ? direct : claimed
}

/**
 * Under what an address is counted: itself, or the first 64 bits of an IPv6 address, which is what one
 * household or machine is given whole.
 */
export const countedAddress = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
