import { BlockList, isIP } from 'node:net'

/**
 * Networks that the site must never be sent to: this machine, private and shared networks, link-local with
 * the clouds' metadata service, documentation, multicast and reserved ranges (RFC 6890, ASVS 1.3.6).
 */
const forbidden = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  forbidden.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  forbidden.addSubnet(network, prefix, 'ipv6')
}

/**
 * Whether an IP address may be reached: public ones only. Catches IPv4 addresses mapped into IPv6.
 * @param address as `net.isIP` knows it, without brackets or zone
 */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  return family !== 0 && !forbidden.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/**
 * The IP address that a URL's host is written as, or null when it is a name. WHATWG URL parsing has already
 * turned the odd forms (`2130706433`, `0x7f.1`, `127.1`) into four numbers.
 */
export const literalAddress = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}
