/** Widths of letters in the poster's light serif with its tight setting, in em; coarse, but enough to choose a size. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,'’|!:;·\s]/, 0.19],
  [/[IJftr-]/, 0.29],
  [/[MW@]/, 0.94],
  [/[mw]/, 0.79],
  [/\p{M}/u, 0.1],
  [/\p{Lu}/u, 0.66],
  [/\p{Ll}/u, 0.46],
]
const OTHER_WIDTH = 0.6

const characterWidth = (letter: string): number =>
  WIDTHS.find(([kind]) => kind.test(letter))?.[1] ?? OTHER_WIDTH

/** The widest name, in em, that the poster's large size holds on one line. */
const ONE_LINE_EM = 5.8

/**
 * How the poster sets a name: `short` spans the grid on one line, `medium` wraps at full size, `long` at half.
 * Up to 14 letters are short unless they are unusually wide; over 28 are long.
 */
export function posterLength(name: string): 'short' | 'medium' | 'long' {
  const letters = Array.from(name)
  if (letters.length > 28) return 'long'
  const em = letters.reduce((total, letter) => total + characterWidth(letter), 0)
  return letters.length <= 14 && em <= ONE_LINE_EM ? 'short' : 'medium'
}

/** Scripts of India with signs above and below the line, which a tight poster would cut. */
const TALL_SCRIPT = /[\u0900-\u0DFF]/

/** Whether a name is written in such a script. */
export function isTallScript(name: string): boolean {
  return TALL_SCRIPT.test(name)
}
