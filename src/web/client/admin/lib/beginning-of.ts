/** The first characters of a text, at most `most` as browsers count them; none is cut in half, which no address can hold. */
export const beginningOf = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
