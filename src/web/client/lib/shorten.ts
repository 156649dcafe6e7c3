/** The first characters of a text, at most `most` as browsers count them; none is cut in half, which no address can hold. */
export const beginningOf = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '')

/** One paragraph of at most `most` characters, cut between words. */
export function shorten(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const cut = line.slice(0, most - 1)
  const kept = beginningOf(cut, Math.max(cut.lastIndexOf(' '), most / 2))
  return `${kept.replace(/[\s,.;:–-]+$/, '')}…`
}
