/** "12 works, 3 texts and 1 category"; empty for nothing. */
export const listInWords = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

/** So many names stand in a sentence. */
const mostNamed = 12

/** The first names of a list, and how many more there are. */
export const firstOf = (names: readonly string[]): string => {
  const more = names.length - mostNamed
  return names.slice(0, mostNamed).join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** `1 event`, `1,204 events`. @param noun in the singular; its plural takes an s */
export const counted = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
