/** The paragraphs of a text typed into a plain field: empty lines part them, single line breaks too. */
export function paragraphs(text: string): string[] {
  return text
    .split(/\n+/)
    .map((part) => part.trim())
    .filter(Boolean)
}
