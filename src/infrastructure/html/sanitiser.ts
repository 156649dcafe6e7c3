import { createRequire } from 'node:module'
import type sanitizeHtml from 'sanitize-html'
import type { HtmlSanitiser, JournalHtmlOptions } from '#application/ports/html.ts'
import { cutAtBlock } from './cut.ts'
import { excerptOf } from './plain-text.ts'
import { readableBeginning } from './walk.ts'
import { webAddress } from './web-address.ts'

/** Schemes of links in site texts and in the journal. */
const schemes = ['http', 'https', 'mailto', 'tel']

/** Site texts: what the editor can make. */
const siteTags = ['p', 'br', 'strong', 'em', 'a', 'ul', 'ol', 'li', 'blockquote']

/** The journal: what blog editors make, without anything that runs, frames or styles. */
const journalTags =
  'h2 h3 h4 h5 h6 hr b i u s sub sup small code pre cite q figure figcaption img table caption thead tbody tfoot tr th td dl dt dd'
    .split(' ')
    .concat(siteTags)

/**
 * What goes with its tag. The library's own list, and a frame: it would read what stands in one as HTML of its own, as deep
 * as that is, which our walk takes for text, as browsers do.
 */
const goWithTheirTag = ['script', 'style', 'textarea', 'option', 'xmp', 'iframe']

/** What a link may carry. How it opens is for this site to say: others get neither our address nor a hand on our window. */
const linkAttributes = ['href', 'rel', 'target']
const withRel = (tagName: string, { rel: _rel, target: _target, ...own }: Record<string, string>) => ({
  tagName,
  // A browser reads a scheme in any case, with blanks and line ends in it.
  attribs: /^https?:/i.test((own['href'] ?? '').replaceAll(/[\p{Cc}\s]+/gu, ''))
    ? { ...own, rel: 'noopener noreferrer', target: '_blank' }
    : own,
})

/**
 * How an image without an address comes out; no text can look like it. It is taken out afterwards: the library's own
 * filter copies everything read so far for each element that it takes out, and an image that is given the name of a
 * tag that is not allowed leaves that name to a later end tag.
 */
const leftOut = '<img />'

/** What no screen shows. A blank comes in its place: without one, two harmless halves could be something else. */
const invisible = /(?![\t\n\r])\p{Cc}/gu

/**
 * The sanitiser, by sanitize-html. The library is loaded when it is first used: most processes never need it
 * while they start.
 */
export const createHtmlSanitiser = (): HtmlSanitiser => {
  let loaded: typeof sanitizeHtml | undefined
  const require = createRequire(import.meta.url)
  const sanitise = (html: string, options: sanitizeHtml.IOptions): string => {
    // CommonJS: `require` knows no types, and @types/sanitize-html describes exactly this value.
    loaded ??= require('sanitize-html') as typeof sanitizeHtml
    return loaded(html, { ...options, nonTextTags: goWithTheirTag })
  }

  const journal = (html: string, options: JournalHtmlOptions): string => {
    const beginning = readableBeginning(html)
    const baseUrl = options.baseUrl ?? undefined
    const sanitised = sanitise(beginning, {
      allowedTags: journalTags,
      allowedAttributes: {
        a: linkAttributes,
        img: ['src', 'alt', 'width', 'height', 'loading'],
        th: ['colspan', 'rowspan', 'scope'],
        td: ['colspan', 'rowspan'],
        ol: ['start', 'reversed'],
      },
      allowedSchemes: schemes,
      // Images kept here have an address without scheme and host.
      allowProtocolRelative: false,
      transformTags: {
        // The page's own headings stand above those of a post.
        h1: 'h2',
        a: (tagName, attribs) => {
          const { href, ...rest } = attribs
          const resolved =
            href === undefined || /^(?:mailto|tel):/i.test(href) ? href : webAddress(href, baseUrl)
          return withRel(tagName, resolved == null ? rest : { ...rest, href: resolved })
        },
        img: (tagName, attribs) => {
          const source = webAddress(attribs['src'], baseUrl)
          const shown = source === null || options.imageFor === undefined ? source : options.imageFor(source)
          const { alt = '', width, height } = attribs
          if (shown === null) return { tagName, attribs: {} }
          return {
            tagName,
            attribs: {
              src: shown,
              alt,
              loading: 'lazy',
              ...(width !== undefined && /^\d{1,5}$/.test(width) ? { width } : {}),
              ...(height !== undefined && /^\d{1,5}$/.test(height) ? { height } : {}),
            },
          }
        },
      },
    })
    const clean = sanitised.replaceAll(leftOut, '').toWellFormed().replace(invisible, ' ')
    return options.maxBytes === undefined
      ? clean
      : cutAtBlock(clean, options.maxBytes, options.baseUrl, beginning.length < html.length)
  }

  return {
    siteText: (html) =>
      sanitise(readableBeginning(html), {
        allowedTags: siteTags,
        allowedAttributes: { a: linkAttributes },
        allowedSchemes: schemes,
        allowProtocolRelative: false,
        // What people paste: the same meaning in the tags that are kept.
        transformTags: { a: withRel, b: 'strong', i: 'em' },
      }),
    journal,
    imagesOf: (html, baseUrl) => {
      const found = new Set<string>()
      journal(html, {
        baseUrl,
        imageFor: (source) => {
          found.add(source)
          return source
        },
      })
      return [...found]
    },
    excerptOf,
  }
}
