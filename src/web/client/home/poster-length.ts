/** Widths of letters in the poster's light serif, in em; measured coarsely, which is enough to choose a size. */
function letterWidth(letter: string): number {
  if (/[ijltfr.,'’|!:;·]/.test(letter)) return 0.27
  if (/[MW@]/.test(letter)) return 0.88
  if (/[mw]/.test(letter)) return 0.76
  if (/\s/.test(letter)) return 0.2
  if (/\p{Lu}/u.test(letter)) return 0.64
  if (/\p{M}/u.test(letter)) return 0.1
  return 0.45
}

/** The widest name, in em, that the poster's large size holds on one line. */
const ONE_LINE_EM = 5.5

/**
 * How the poster sets a name: `short` spans the grid on one line, `medium` wraps at full size, `long` at half.
 * Up to 14 letters are short unless they are unusually wide; over 28 are long.
 */
export function posterLength(name: string): 'short' | 'medium' | 'long' {
  const letters = Array.from(name)
  if (letters.length > 28) return 'long'
  const em = letters.reduce((total, letter) => total + letterWidth(letter), 0)
  return letters.length <= 14 && em <= ONE_LINE_EM ? 'short' : 'medium'
}
