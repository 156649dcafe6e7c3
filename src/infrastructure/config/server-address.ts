/** An address of a server, or of several, taken apart as it stands. */
export interface AddressParts {
  readonly scheme: string
  /** the name, with the password behind a colon; null where nobody is named */
  readonly account: string | null
  readonly hosts: readonly string[]
  /** from the first `/`, `?` or `#` behind the hosts on */
  readonly behind: string
}

/** @returns null for what does not begin as an address does */
export const partsOf = (address: string): AddressParts | null => {
  const [, scheme, authority = '', behind = ''] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(address.trim()) ?? []
  if (scheme === undefined) return null
  const at = authority.lastIndexOf('@')
  return {
    scheme: scheme.toLowerCase(),
    account: at === -1 ? null : authority.slice(0, at),
    hosts: authority.slice(at + 1).split(','),
    behind,
  }
}

const mustBeEncoded = (sign: string): string =>
  `has a ${sign} in its name or password, which must be percent-encoded there: write ${encodeURIComponent(sign)}`

/** One that ends what stands before the host too early. */
const cutMistake = ({ hosts, behind }: AddressParts): string | null => {
  const at = behind.indexOf('@')
  if (at === -1) return null
  // The value of an option may hold an @.
  const mayBeOption = behind.slice(0, at).includes('=') && hosts.every((host) => hostMistake(host) === null)
  return mayBeOption ? null : mustBeEncoded(behind.charAt(0))
}

const percentMistake = ({ account }: AddressParts): string | null => {
  try {
    decodeURIComponent(account ?? '')
    return null
  } catch {
    return 'has a % in its name or password that is not percent-encoded: write %25'
  }
}

/** A name as it may stand in an address: of a machine, of a service, or of a socket (percent-encoded). */
const isName = (name: string): boolean =>
  name.startsWith('[') ? URL.canParse(`http://${name}`) : /^[^\s[\]<>"\\^`{|}]+$/.test(name)

/** What is wrong with one of the hosts of an address and its port; null when nothing is. */
const hostMistake = (host: string): string | null => {
  const [, name, port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(host) ?? []
  if (name === undefined) return 'has a host that is none'
  if (name === '') return 'names no host'
  if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    return 'has a port that is no number up to 65535'
  return isName(name) ? null : 'has a host that is none'
}

/**
 * What keeps an account from being read by a library that does not look for the last `@`, as those of EventStoreDB and
 * MongoDB do not.
 */
export const accountMistake = (address: string): string | null => {
  const account = partsOf(address)?.account ?? ''
  if (account.includes('@')) return mustBeEncoded('@')
  return account.split(':').length > 2 ? mustBeEncoded(':') : null
}

/**
 * What is wrong with the address of a server, in words without any part of it, which may hold a password; empty when
 * nothing is.
 * @param schemes with which it may begin
 */
export const addressMistakes = (address: string, schemes: readonly string[]): readonly string[] => {
  const parts = partsOf(address)
  if (parts === null || !schemes.includes(parts.scheme)) {
    return [`must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`]
  }
  // What stands behind it is none of what it seems.
  const cut = cutMistake(parts)
  if (cut !== null) return [cut]
  // Redis is looked for on this machine where nobody is named.
  const isHere = parts.scheme.startsWith('redis') && parts.account === null && parts.hosts.join('') === ''
  // A mail server's library takes the account as it stands.
  const isMail = parts.scheme.startsWith('smtp')
  const mistakes = [isMail ? null : percentMistake(parts), ...(isHere ? [] : parts.hosts.map(hostMistake))]
  return [...new Set(mistakes.filter((mistake) => mistake !== null))]
}
