import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Encoding } from './encoding.ts'

/**
 * The one constant style that a Radix part writes into the page by itself (Select's viewport); allowed by its
 * hash. A test holds it against the package.
 */
export const selectViewportStyle =
  '[data-radix-select-viewport]{scrollbar-width:none;-ms-overflow-style:none;-webkit-overflow-scrolling:touch;}[data-radix-select-viewport]::-webkit-scrollbar{display:none}'

/** The policy's name for an inline text: `'sha256-…'`. */
export const hashSource = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** The content security policy of a page with these inline texts. */
export const policyOf = (inline: {
  styles: readonly string[]
  scripts: readonly string[]
  dev: boolean
}): string => {
  const scripts = ["'self'", ...inline.scripts.map(hashSource)]
  const styles = ["'self'", ...inline.styles.map(hashSource), hashSource(selectViewportStyle)]
  return [
    "default-src 'none'",
    // The dev server injects its own scripts and styles; nothing else ever runs with this leniency.
    inline.dev ? "script-src 'self' 'unsafe-inline'" : `script-src ${scripts.join(' ')}`,
    inline.dev ? "style-src 'self' 'unsafe-inline'" : `style-src ${styles.join(' ')}`,
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    inline.dev ? "connect-src 'self' ws: wss:" : "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const yearSeconds = 31_536_000

/** Caching of what stands at an address that names its content: it never changes. */
export const forEver = `public, max-age=${yearSeconds}, immutable`

/** What images and icons say instead: they may be shown on any page. */
export const sharedAnywhere = { 'cross-origin-resource-policy': 'cross-origin' } as const

/** The headers that every answer of the site should carry, page or not. `https`: the site is served by TLS. */
export const securityHeaders = (https: boolean): Record<string, string> => {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    // Images say otherwise: they are shown wherever their address is given.
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...(https ? { 'strict-transport-security': `max-age=${yearSeconds}` } : {}),
  }
}

/** What shared and private caches may do with an answer. */
export type Keeping = 'shared' | 'private'

/** Caching headers of a page: everybody's is checked at each use, the owner's is kept by nobody. */
export const cachingHeaders = (
  keeping: Keeping,
  encoding: Encoding,
  etag: string,
): Record<string, string> => {
  return {
    ...(keeping === 'shared'
      ? { 'cache-control': 'public, no-cache', etag }
      : { 'cache-control': 'private, no-store' }),
    vary: 'Cookie, Accept-Encoding',
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  }
}

/** The type of every JSON answer. */
export const jsonType = 'application/json; charset=utf-8'

/** What is behind a tag or address that names its content, of 132 bits. */
export const hashOf = (content: Buffer): string => hash('sha256', content, 'base64url').slice(0, 22)

/** Whether an `If-None-Match` header names this strong tag (RFC 9110 §13.1.2: compared weakly). */
export const matchesTag = (ifNoneMatch: string | undefined, etag: string): boolean => {
  if (ifNoneMatch === undefined) return false
  // No quote stands within a tag; taken apart, the longest header that Node takes would cost half a millisecond.
  return ifNoneMatch === '*' || ifNoneMatch.includes(etag)
}

/** The name of the cookie that holds the session; bound to the host where the site is served by TLS. */
export const sessionCookieOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-atelier' : 'atelier'

/**
 * Whoever sends this wants to be refused with 401 where a visitor would be answered: the dashboard must not take the
 * visitors' lists for its own.
 */
export const demandsSession = (headers: IncomingHttpHeaders): boolean => headers['x-session'] === 'required'
