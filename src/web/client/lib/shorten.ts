/** One paragraph of at most `most` characters, cut between words; half a character at its end goes as commas do. */
export function shorten(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const cut = line.slice(0, most - 1)
  const kept = cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2))
  return `${kept.replace(/[\ud800-\udbff\s,.;:–-]+$/, '')}…`
}
