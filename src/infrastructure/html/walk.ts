import { createRequire } from 'node:module'
import type { Parser } from 'htmlparser2'

type Handler = NonNullable<ConstructorParameters<typeof Parser>[0]>

const require = createRequire(import.meta.url)
let loaded: typeof import('htmlparser2') | undefined

/**
 * Walks through HTML, however broken, and calls back for tags and text. The parser is loaded when it is first
 * used: it takes 15 MB, and most processes never need it.
 */
export function walkHtml(html: string, handler: Handler): void {
  // `require` knows no types; the type import above describes exactly this value.
  loaded ??= require('htmlparser2') as typeof import('htmlparser2')
  new loaded.Parser(handler).end(html)
}
