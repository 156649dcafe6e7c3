const encoder = new TextEncoder()
/** What a text takes in JSON, the form in which the log keeps it: quotes and line breaks count twice. */
const bytes = (text: string): number => encoder.encode(JSON.stringify(text)).length - 2

/** Elements that never have an end tag. */
const empty = new Set(['br', 'hr', 'img'])

/**
 * Sanitised HTML of at most so many bytes of JSON: whole top-level blocks from the beginning, then a link to the
 * whole text where there is one.
 * @param html well-formed, as a sanitiser gives it
 * @param isBeginning it is itself only the beginning of the text
 */
export const cutAtBlock = (
  html: string,
  maxBytes: number,
  wholeAt: string | null,
  isBeginning: boolean = false,
): string => {
  const all = bytes(html)
  if (all <= maxBytes && !isBeginning) return html
  const more = readOn(wholeAt)
  const room = maxBytes - bytes(more)
  if (all <= room) return html + more
  let depth = 0
  let kept = 0
  let size = 0
  let measured = 0
  for (const match of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    const [tag, closing = '', name = ''] = match
    if (closing === '/') depth -= 1
    else if (!empty.has(name)) depth += 1
    if (depth > 0) continue
    const end = match.index + tag.length
    size += bytes(html.slice(measured, end))
    measured = end
    if (size > room) break
    kept = end
  }
  return html.slice(0, kept) + more
}

/** The end of a text that was cut: a link to the whole text where there is one. */
export const readOn = (wholeAt: string | null): string =>
  wholeAt === null
    ? '<p>…</p>'
    : `<p><a href="${escaped(wholeAt)}" rel="noopener noreferrer" target="_blank">Read on in the blog</a></p>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
