import { walkHtml } from './walk.ts'

/** Between these the words of two neighbours must not grow together. */
const blocks = new Set(
  'address article aside blockquote br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)
const silentElements = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'object',
  'svg',
  'math',
  'head',
  'title',
  'textarea',
  'select',
])

/** More marks than any writing sets on one letter: by the hundred they cover what stands around them, or run out of the page. */
const tooManyMarks = /([\p{M}\p{Cf}]{10})[\p{M}\p{Cf}]+/gu

/**
 * HTML or plain text as plain text: entities decoded, scripts and styles left out, blanks collapsed, and of marks on one letter
 * the first ten.
 */
export const plainText = (html: string): string => {
  let text = ''
  let silent = 0
  walkHtml(html, {
    onopentagname: (name) => {
      if (silentElements.has(name)) silent++
      if (blocks.has(name)) text += ' '
    },
    onclosetag: (name) => {
      if (silentElements.has(name)) silent--
      if (blocks.has(name)) text += ' '
    },
    ontext: (piece) => {
      if (silent === 0) text += piece
    },
  })
  return text.replaceAll(/\s+/gu, ' ').replaceAll(tooManyMarks, '$1').trim()
}

const defaultExcerpt = 220

/** The beginning of a text, at most `max` characters, cut at a word and ended with `…`. */
export const excerptOf = (html: string, max: number = defaultExcerpt): string => {
  const characters = Array.from(plainText(html))
  if (characters.length <= max) return characters.join('')
  const cut = characters.slice(0, Math.max(0, max - 1)).join('')
  // A cut inside a word goes back to the blank before it, unless the word is most of what there is.
  const inside = characters[max - 1] !== ' '
  const blank = cut.lastIndexOf(' ')
  const kept = inside && blank > cut.length / 2 ? cut.slice(0, blank) : cut
  return `${kept.replace(/[\s.,;:!?–—-]+$/u, '')}…`
}
