import { BlockList, isIP } from 'node:net'

/** Nothing here is a public web server: IANA's special-purpose registries for IPv4 and IPv6. */
const closed = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // link-local, and there the metadata service of most clouds
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // multicast, reserved, broadcast
  ['224.0.0.0', 3],
] as const)
  closed.addSubnet(network, prefix, 'ipv4')

/** Public IPv6 lies in 2000::/3, apart from what is carved out of it below. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of [
  // Teredo, benchmarking, ORCHID and the like
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 carries an IPv4 address that would have to be checked, and is switched off everywhere
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed.addSubnet(network, prefix, 'ipv6')

/** `64:ff9b::/96` (NAT64) and `::ffff:0:0/96` carry an IPv4 address: this one counts. */
const carrying = new BlockList()
carrying.addSubnet('64:ff9b::', 96, 'ipv6')
carrying.addSubnet('::ffff:0:0', 96, 'ipv6')

/** The IPv4 address in the last 32 bits of a valid IPv6 address. */
const carriedV4 = (address: string): string => {
  // The URL parser writes them as two groups, in whatever notation they were; of zeros it may leave out the digits.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2)
  const [high = 0, low = 0] = groups.map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * Whether an IP address (as text, any valid notation) is a public one: no loopback, private, link-local,
 * metadata, multicast or reserved address, also not in an IPv6 coat. Anything that is no IP address is not.
 */
export const isPublicAddress = (address: string): boolean => {
  const bare = address.replace(/%.*$/, '')
  switch (isIP(bare)) {
    case 4:
      return !closed.check(bare, 'ipv4')
    case 6:
      if (carrying.check(bare, 'ipv6')) return !closed.check(carriedV4(bare), 'ipv4')
      return globalUnicast.check(bare, 'ipv6') && !closed.check(bare, 'ipv6')
    default:
      return false
  }
}
