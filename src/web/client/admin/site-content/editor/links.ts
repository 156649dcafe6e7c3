import { RICH_TEXT_SCHEMES } from '../../../lib/constants.ts'

const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const EMAIL = /^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/
const PHONE = /^\+?[\d\s()-]{6,}$/
const HOST = /^[^\s/:]+\.[^\s/:.]{2,}(?:[/:?#]\S*)?$/

/** Whether a link may lead there: http, https, mailto or tel, nothing else. */
export function isAllowedLink(address: string): boolean {
  const scheme = SCHEME.exec(address.trim())?.[1]?.toLowerCase()
  const allowed: readonly string[] = RICH_TEXT_SCHEMES
  return scheme !== undefined && allowed.includes(scheme)
}

/**
 * The address that was meant: an e-mail address, a telephone number and a host get their scheme. Null when no
 * link may lead there.
 */
export function linkFrom(typed: string): string | null {
  const text = typed.trim()
  if (isAllowedLink(text)) return text
  if (EMAIL.test(text)) return `mailto:${text}`
  if (PHONE.test(text)) return `tel:${text.replace(/[^\d+]/g, '')}`
  // A colon in front of a port is no scheme.
  if (HOST.test(text) && !/^[a-z]+:(?!\d)/i.test(text)) return `https://${text}`
  return null
}
