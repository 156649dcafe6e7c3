import anyAscii from 'any-ascii'

const longest = 80

/**
 * A title as it stands in an address: transliterated to ASCII, words joined by hyphens, at most 80
 * characters; `work` when nothing is left.
 */
export const slugOf = (title: string): string => {
  const words = anyAscii(title.normalize('NFC'))
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
  const cut = words.length > longest ? words.slice(0, longest).replace(/-[^-]*$/, '') : words
  return cut.replace(/-+$/, '') || 'work'
}
