/** What a request says about where it comes from; header values as they arrived. */
export interface Provenance {
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
  readonly host: string | undefined
  /** `X-Forwarded-Host`, undefined unless a proxy in front is trusted */
  readonly forwardedHost: string | undefined
}

/** Host and port as a browser writes them: lower case, without the scheme's own port. */
const hostIn = (scheme: string, host: string | undefined): string | null => {
  if (host === undefined || !URL.canParse(`${scheme}//${host}`)) return null
  const url = new URL(`${scheme}//${host}`)
  // A host with a path or a user in it is no host.
  return url.pathname === '/' && url.username === '' && url.search === '' && url.hash === '' ? url.host : null
}

/**
 * Whether another site's page made the browser send this. A sender without `Origin` is no browser, or one that proves
 * by `Sec-Fetch-Site` that the page is of this site.
 * @param site.publicUrl the site's own address
 * @param site.publicUrlIsSet somebody has said so: then a page under that name that came by another scheme is foreign,
 *   for whoever is in between can write one
 */
export const isCrossSite = (
  from: Provenance,
  site: { readonly publicUrl: string; readonly publicUrlIsSet: boolean },
): boolean => {
  if (from.fetchSite === 'cross-site') return true
  if (from.origin === undefined) return false
  if (!URL.canParse(from.origin)) return true
  const origin = new URL(from.origin)
  if (origin.protocol !== 'http:' && origin.protocol !== 'https:') return true
  const known = new URL(site.publicUrl)
  if (site.publicUrlIsSet && origin.hostname === known.hostname && origin.protocol !== known.protocol) {
    return true
  }
  const own = [
    hostIn(origin.protocol, from.host),
    hostIn(origin.protocol, from.forwardedHost?.split(',')[0]?.trim()),
    known.host,
  ]
  return !own.includes(origin.host)
}
