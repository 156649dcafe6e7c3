/** Every character that the shipped fonts can draw, as their character maps list them: code points in hex. */
const DRAWABLE =
  `20-7E A0-131 134-148 14A-17E 18F 192 1A0-1A1 1AF-1B0 1E6-1E7 1EA-1EB 1FA-21B 22A-22D 230-233 237 259
  2B9-2BC 2BE-2BF 2C6-2CC 2DA 2DC-2DD 300-301 303-304 308-309 323 900-94D 94F-977 979-97F 1E08-1E09 1E0C-1E0F
  1E14-1E17 1E1C-1E1D 1E20-1E21 1E24-1E25 1E2A-1E2B 1E2E-1E2F 1E36-1E37 1E3A-1E3B 1E42-1E49 1E4C-1E53 1E5A-1E5B
  1E5E-1E69 1E6C-1E6F 1E78-1E7B 1E80-1E85 1E8E-1E8F 1E92-1E93 1E97 1E9E 1EF2-1EF9 2009 200B-200D 2013-2014
  2018-201A 201C-201E 2020 2022 2026 2032-2033 2039-203A 2044 20A6 20AB-20AC 20B9-20BA 2122 2212 2215`
    .split(/\s+/u)
    .map((range) => range.split('-').map((point) => Number.parseInt(point, 16)))

const isDrawable = (character: string): boolean => {
  const point = character.codePointAt(0) ?? 0
  return DRAWABLE.some(([from = 0, to = from]) => point >= from && point <= to)
}

/**
 * A text as the card can letter it: what no shipped font holds (other scripts, emoji) is left out rather than
 * drawn as a box, blanks are collapsed. Empty when nothing remains.
 */
export function drawable(text: string): string {
  return Array.from(text.normalize('NFC'), (character) =>
    isDrawable(character) ? character : /\s/u.test(character) ? ' ' : '',
  )
    .join('')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

/** Text as Pango markup: nothing in it is taken for a tag. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The text without its last word, ended with an ellipsis; without words left, without its last third. */
export function shortened(text: string): string {
  const bare = text.replace(/…$/u, '').trimEnd()
  const blank = bare.lastIndexOf(' ')
  const kept =
    blank > 0
      ? bare.slice(0, blank)
      : Array.from(bare)
          .slice(0, -Math.ceil(bare.length / 3))
          .join('')
  return `${kept.replace(/[\s.,;:–—-]+$/u, '')}…`
}
