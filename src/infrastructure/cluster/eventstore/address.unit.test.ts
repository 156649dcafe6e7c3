import { describe, expect, it } from 'vitest'
import { addressFor, addressMistakes, placesOf, sendsNoAccount } from './address.ts'

describe('an address of the event log', () => {
  it.each([
    'esdb://localhost',
    'esdb://localhost:2113?tls=false',
    'esdb://localhost:2113/?tls=false',
    'esdb://admin:p%40ss%3Aword@log.example:2113?tlsCAFile=/etc/ca.pem',
    'esdb://a:2111,b:2112,c:2113?nodePreference=leader&gossipTimeout=5',
    'esdb+discover://admin:changeit@cluster.example?keepAliveInterval=15000',
  ])('may be %s', (address) => {
    expect(addressMistakes(address)).toEqual([])
  })

  it.each([
    ['another protocol', 'kurrentdb://localhost:2113', 'begins with esdb:// or esdb+discover://'],
    ['a path', 'esdb://localhost:2113/site', 'must look like'],
    ['a password with a /', 'esdb://user:sec/ret@localhost:2113', 'write %2F'],
    ['a host by its IPv6 address', 'esdb://[::1]:2113', 'give it by a name'],
    ['a port with letters', 'esdb://user:secret@localhost:21x3', 'has a port'],
    ['a port that is too large', 'esdb://localhost:99999', 'has a port'],
    ['a password with an @', 'esdb://user:sec@ret@localhost', 'write %40'],
    ['a password with a colon', 'esdb://user:sec:ret@localhost', 'write %3A'],
    ['a password with a %', 'esdb://user:sec%ret@localhost', 'write %25'],
    ['a name without a password', 'esdb://secret@localhost', 'name:password'],
    ['an option nobody knows', 'esdb://user:secret@localhost?tsl=false', 'not known'],
    ['an option the client does not act on', 'esdb://localhost?tlsVerifyCert=false', 'not known'],
    ['answers for failed appends', 'esdb://localhost?throwOnAppendFailure=false', 'not known'],
    ['followers to read from', 'esdb://localhost?nodePreference=follower', 'nodePreference'],
    ['keep-alives the server is annoyed by', 'esdb://localhost?keepAliveInterval=500', 'keepAliveInterval'],
  ])('is refused with %s, in words that hold no secret', (_, address, words) => {
    const mistakes = addressMistakes(address).join('\n')
    expect(mistakes).toContain(words)
    expect(mistakes).not.toContain('secret')
    expect(mistakes).not.toContain('sec')
  })

  it('is taken to the leader, and differs for each client that stands in for another', () => {
    const first = addressFor('esdb://localhost:2113?tls=false', 0)
    expect(first).toBe(
      'esdb://localhost:2113?tls=false&keepAliveInterval=10000&nodePreference=leader&connectionName=atelier',
    )
    expect(addressFor('esdb://localhost:2113?tls=false', 1)).not.toBe(first)
    expect(addressFor('esdb://localhost:2113', 3)).toContain('2113?keepAliveInterval=10003&')
    expect(addressFor('esdb://localhost?keepAliveInterval=-1', 3)).not.toContain('10003')
    expect(addressFor('esdb://localhost?keepAliveInterval=20000', 3)).toContain('keepAliveInterval=20003')
  })

  it('names its options in any case, with dashes and underscores, as the library takes them', () => {
    const address = 'esdb://localhost?tlsCaFile=/etc/ca.pem&keep-alive-interval=20000'
    expect(addressMistakes(address)).toEqual([])
    expect(addressMistakes('esdb://localhost?TLS=perhaps').join()).toContain('a value for tls')
    expect(sendsNoAccount('esdb://admin:changeit@localhost?TLS=false')).toBe(true)
    expect(addressFor(address, 3)).toContain('keepAliveInterval=20003')
  })

  it('says where its servers are', () => {
    expect(placesOf('esdb+discover://admin:changeit@a,b:2111?tls_ca_file=/etc/ca.pem')).toEqual([
      { kind: 'log', host: 'a', port: 2113, tls: true, caFile: '/etc/ca.pem' },
      { kind: 'log', host: 'b', port: 2111, tls: true, caFile: '/etc/ca.pem' },
    ])
    expect(placesOf('esdb://localhost?userCertFile=/etc/own.pem&userKeyFile=/etc/own.key')).toMatchObject([
      { own: { certFile: '/etc/own.pem', keyFile: '/etc/own.key' } },
    ])
    expect(placesOf('esdb://localhost?tls=false')).toMatchObject([{ tls: false, caFile: null }])
  })

  it('tells when the account in it is not sent', () => {
    expect(sendsNoAccount('esdb://admin:changeit@localhost?tls=false')).toBe(true)
    expect(sendsNoAccount('esdb://admin:changeit@localhost')).toBe(false)
    expect(sendsNoAccount('esdb://localhost?tls=false')).toBe(false)
  })
})
