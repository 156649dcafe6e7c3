import { resolveSrv } from 'node:dns/promises'
import { partsOf } from '../../config/server-address.ts'
import type { ServerAddress } from '../reach.ts'

const usualPort = 27_017

/**
 * Where the servers of an address are, which was checked with the settings.
 * @throws what looking up the names says, where the address leaves them to the name service
 */
export const placesOf = async (url: string): Promise<readonly ServerAddress[]> => {
  const { scheme = '', hosts = [], behind = '' } = partsOf(url) ?? {}
  const given = new URLSearchParams(behind.split('?')[1] ?? '')
  const options = new Map([...given].map(([name, value]) => [name.toLowerCase(), value]))
  const isSrv = scheme === 'mongodb+srv'
  const allows = (...names: readonly string[]): boolean => names.some((name) => options.get(name) === 'true')
  const [file, password] = [
    options.get('tlscertificatekeyfile'),
    options.get('tlscertificatekeyfilepassword'),
  ]
  const common = {
    kind: 'mongodb',
    tls: (options.get('tls') ?? options.get('ssl') ?? String(isSrv)) === 'true',
    caFile: options.get('tlscafile') ?? null,
    ...(file === undefined
      ? {}
      : { own: { certFile: file, keyFile: file, ...(password === undefined ? {} : { password }) } }),
    anyCertificate: allows('tlsinsecure', 'tlsallowinvalidcertificates'),
    anyHost: allows('tlsinsecure', 'tlsallowinvalidhostnames'),
  } as const
  if (isSrv) {
    const found = await resolveSrv(`_${options.get('srvservicename') ?? 'mongodb'}._tcp.${hosts[0]}`)
    return found.map(({ name, port }) => ({ ...common, host: name, port }))
  }
  return hosts.flatMap((each) => {
    // A socket in the file system has no place on the net.
    if (/%2f/i.test(each)) return []
    const [, host = '', port = ''] = /^\[?(.*?)\]?(?::(\d*))?$/.exec(each) ?? []
    return { ...common, host, port: Number(port || usualPort) }
  })
}
