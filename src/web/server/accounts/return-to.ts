/** Where signing in leads when nothing else is asked for. */
const dashboard = '/admin'

/**
 * The address to go on to after signing in: a path of this site, else the dashboard.
 * @param wanted as it came in the query; anything at all
 */
export const safeReturnTo = (wanted: unknown): string => {
  // Browsers read a backslash as a slash, and drop tabs and line breaks before they read.
  if (typeof wanted !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted)) return dashboard
  const here = 'http://here.invalid'
  if (!URL.canParse(wanted, here)) return dashboard
  const url = new URL(wanted, here)
  return url.origin === here && !url.pathname.startsWith('//')
    ? url.pathname + url.search + url.hash
    : dashboard
}
