import { describe, expect, it } from 'vitest'
import { clientAddress, countedAddress, isLoopback } from './client-address.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  // Only what is looked at.
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as Parameters<typeof clientAddress>[0]

describe('the address of the client', () => {
  it.each([
    ['is that of the connection', '203.0.113.5', undefined, 0, '203.0.113.5'],
    ['is plain for IPv4 in IPv6', '::ffff:203.0.113.5', undefined, 0, '203.0.113.5'],
    ['is plain in other spellings of that coat', '0:0:0:0:0:FFFF:CB00:7105', undefined, 0, '203.0.113.5'],
    ['is plain in that coat from a proxy', '10.0.0.1', '::FFFF:198.51.100.1', 1, '198.51.100.1'],
    ['is one spelling of IPv6', '10.0.0.1', '2001:0DB8:0:0::0001', 1, '2001:db8::1'],
    ['believes nobody without a proxy', '203.0.113.5', '198.51.100.1', 0, '203.0.113.5'],
    ['is what one proxy tells', '10.0.0.1', '198.51.100.1', 1, '198.51.100.1'],
    ['is not what the client makes up', '10.0.0.1', '1.1.1.1, 198.51.100.1', 1, '198.51.100.1'],
    ['counts two proxies from the end', '10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2', 2, '198.51.100.1'],
    ['takes the first where there are fewer', '10.0.0.1', '198.51.100.1', 3, '198.51.100.1'],
    ['is that of the connection where a proxy tells nonsense', '10.0.0.1', 'unknown', 1, '10.0.0.1'],
    ['is that of the connection where a proxy tells nothing', '10.0.0.1', undefined, 1, '10.0.0.1'],
  ])('%s', (_, remote, forwarded, proxies, address) => {
    expect(clientAddress(request(remote, forwarded), proxies)).toBe(address)
  })
})

describe('under what an address is counted', () => {
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['unknown', 'unknown'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::FFFF:cb00:7105', '203.0.113.5'],
    ['0:0:0:0:0:ffff:203.0.113.5', '203.0.113.5'],
  ])('%s is %s', (address, counted) => {
    expect(countedAddress(address)).toBe(counted)
  })
})

describe('this machine', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::FFFF:7f00:1'])(
    'is asked from %s',
    (address) => expect(isLoopback(address)).toBe(true),
  )

  it.each(['', 'localhost', '10.0.0.1', '::ffff:10.0.0.1', '::', '2001:db8::1', '1270.0.0.1'])(
    'is not asked from %s',
    (address) => expect(isLoopback(address)).toBe(false),
  )
})
