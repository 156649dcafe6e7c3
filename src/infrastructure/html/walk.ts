import { createRequire } from 'node:module'
import type { Parser } from 'htmlparser2'

type Handler = NonNullable<ConstructorParameters<typeof Parser>[0]>

/** Deeper nesting is no text that somebody wrote, and the parser's work grows with the square of the depth. */
const mostNesting = 200
/** What follows after so many characters is not looked at: five times what is kept of a post. */
const mostCharacters = 1_000_000

/** So much of HTML as is looked at, and one character more: what is longer shows that it is only the beginning. */
export const lookedAt = (html: string): string => html.slice(0, mostCharacters + 1)

const require = createRequire(import.meta.url)
let loaded: typeof import('htmlparser2') | undefined

/**
 * Walks through HTML, however broken, and calls back for tags and text. Goes on to the end, or to the first tag
 * that is nested too deep, or until the text is too long; there it stops without closing what is open. The
 * parser is loaded when it is first used: it takes 15 MB, and most processes never need it.
 * @returns how many characters of the text lie before the place where it stopped
 */
export const walkHtml = (html: string, handler: Handler): number => {
  // `require` knows no types; the type import above describes exactly this value.
  loaded ??= require('htmlparser2') as typeof import('htmlparser2')
  let end = Math.min(html.length, mostCharacters)
  let depth = 0
  const parser = new loaded.Parser({
    ...handler,
    onopentagname: (name) => {
      depth += 1
      if (depth > mostNesting) {
        end = parser.startIndex
        parser.pause()
        return
      }
      handler.onopentagname?.(name)
    },
    onclosetag: (name, implied) => {
      depth -= 1
      handler.onclosetag?.(name, implied)
    },
  })
  parser.end(html.slice(0, end))
  return end
}

/** The beginning of HTML that can be read in time that grows with its length only; all of it, unless hostile. */
export const readableBeginning = (html: string): string => html.slice(0, walkHtml(html, {}))
