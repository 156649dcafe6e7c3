import { accountMistake, addressMistakes as mistakesOfAny } from '../../config/server-address.ts'
import type { ServerAddress } from '../reach.ts'

/** Options of the address that may be set; the library takes others in silence or does not act on them. */
const options = new Map<string, RegExp>([
  ['tls', /^(true|false)$/],
  ['tlsCAFile', /./],
  ['userCertFile', /./],
  ['userKeyFile', /./],
  ['connectionName', /./],
  ['nodePreference', /^leader$/i],
  ['maxDiscoverAttempts', /^\d+$/],
  ['discoveryInterval', /^\d+$/],
  ['gossipTimeout', /^\d+$/],
  ['keepAliveInterval', /^(-1|\d{5,9})$/],
  ['keepAliveTimeout', /^(-1|\d{5,9})$/],
  ['defaultDeadline', /^\d+$/],
])

/** The library takes the name of an option in any case, and with dashes or underscores in it. */
const flat = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '')
const names = new Map([...options.keys()].map((name) => [flat(name), name]))

const usualPort = 2113

interface Parts {
  readonly scheme: string
  readonly account: string | undefined
  readonly hosts: readonly string[]
  readonly query: readonly (readonly [string, string])[]
}

const split = (address: string): Parts | null => {
  const found = /^(esdb(?:\+discover)?):\/\/(?:([^@/?]*)@)?([^/?]+)\/?(?:\?(.*))?$/.exec(address.trim())
  if (!found) return null
  const [, scheme = '', account, hosts = '', query = ''] = found
  const pairs = query === '' ? [] : query.split('&').map((pair) => pair.split('='))
  return {
    scheme,
    account,
    hosts: hosts.split(','),
    query: pairs.map(([key = '', ...value]) => [names.get(flat(key)) ?? key, value.join('=')] as const),
  }
}

/** Where the servers of an address are, which was checked with {@link addressMistakes}. */
export const placesOf = (address: string): readonly ServerAddress[] => {
  const { hosts, query } = split(address) ?? { hosts: [], query: [] }
  const given = new Map(query)
  return hosts.map((each) => {
    const [host = '', port] = each.split(':')
    const [certFile, keyFile] = [given.get('userCertFile'), given.get('userKeyFile')]
    return {
      kind: 'log',
      host,
      port: Number(port ?? usualPort),
      tls: given.get('tls') !== 'false',
      caFile: given.get('tlsCAFile') ?? null,
      ...(certFile === undefined || keyFile === undefined ? {} : { own: { certFile, keyFile } }),
    }
  })
}

/** What is wrong with a host for the library; null when nothing is. */
const hostMistake = (host: string): string | null => {
  if (/^[\w.-]+(?::\d+)?$/.test(host)) return null
  return host.startsWith('[')
    ? 'has a host by its IPv6 address, which the client of the log cannot read: give it by a name'
    : 'has a host that is none'
}

const accountIsWhole = (account: string | undefined): boolean =>
  account === undefined || account.split(':').filter((part) => part !== '').length === 2

/**
 * What is wrong with an address of the event log, in words without any part of it: the library's own words
 * hold the whole address with its password, and it lets mistakes pass. Empty when it can be used.
 */
export const addressMistakes = (address: string): readonly string[] => {
  const general = [...mistakesOfAny(address, ['esdb', 'esdb+discover']), accountMistake(address)].filter(
    (mistake) => mistake !== null,
  )
  if (general.length > 0) return general
  const parts = split(address)
  if (parts === null) return ['must look like esdb://name:password@host:2113?tls=true']
  return [
    accountIsWhole(parts.account) ? null : 'has an account that is not name:password',
    ...parts.hosts.map(hostMistake),
    ...parts.query.map(([key, value]) => {
      const rule = options.get(key)
      if (rule === undefined) {
        return options.has(key.trim())
          ? 'has an option with blanks around it'
          : `has an option that is not known; known are ${[...options.keys()].join(', ')}`
      }
      return rule.test(value) ? null : `has a value for ${key} that cannot be used`
    }),
  ].filter((mistake) => mistake !== null)
}

/** Whether the address names an account that is not sent, because the connection is not encrypted. */
export const sendsNoAccount = (address: string): boolean => {
  const parts = split(address)
  return (
    parts?.account !== undefined && parts.query.some(([key, value]) => key === 'tls' && value === 'false')
  )
}

const usualKeepAliveMs = 10_000

/**
 * The address as the library takes it. Nobody but the leader is read or written: others may be behind. gRPC
 * hands connections on to new clients with the same options, dead ones too; a client that stands in for one
 * that gave no answer therefore differs in an option that does not matter.
 * @param generation how many clients there were before
 */
export const addressFor = (address: string, generation: number): string => {
  const own = split(address)?.query ?? []
  const interval = own.find(([key]) => key === 'keepAliveInterval')?.[1]
  const every = Math.max(Number(interval ?? usualKeepAliveMs), usualKeepAliveMs) + (generation % 1_000)
  const added = [
    ...(interval === '-1' ? [] : [`keepAliveInterval=${every}`]),
    'nodePreference=leader',
    ...(own.some(([key]) => key === 'connectionName') ? [] : ['connectionName=atelier']),
  ]
  return `${address.trim()}${address.includes('?') ? '&' : '?'}${added.join('&')}`
}
