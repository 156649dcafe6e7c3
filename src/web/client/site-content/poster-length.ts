/** Widths of letters in the poster's light serif with its tight setting, in em; coarse, but enough to choose a size. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,'’|!:;·\s]/, 0.19],
  [/[IJftr-]/, 0.29],
  [/[MW@]/, 0.94],
  [/[mw]/, 0.79],
  // Tamil and Malayalam, whose signs stand beside the letters, and what is as wide as high.
  [/[\u0B80-\u0BFF\u0D00-\u0D7F]/, 0.7],
  [/[\u2E80-\uD7FF]/, 1],
  [/\p{M}/u, 0.1],
  [/\p{Lu}/u, 0.66],
  [/\p{Ll}/u, 0.46],
]
const OTHER_WIDTH = 0.6

const characterWidth = (character: string): number =>
  WIDTHS.find(([kind]) => kind.test(character))?.[1] ?? OTHER_WIDTH

const widthOf = (text: string): number =>
  Array.from(text).reduce((total, character) => total + characterWidth(character), 0)

/** The widest name, in em, that the poster's large size holds on one line. */
const ONE_LINE_EM = 5.8

/**
 * How the poster sets a name: `short` spans the grid on one line, `medium` wraps at full size, `long` at half.
 * Up to 14 letters are short unless they are unusually wide; over 28 are long.
 */
export function posterLength(name: string): 'short' | 'medium' | 'long' {
  const { length } = name
  return length > 28 ? 'long' : length <= 14 && widthOf(name) <= ONE_LINE_EM ? 'short' : 'medium'
}

/** The estimate may fall short by so much. */
const MARGIN = 1.05
/** From here on the poster takes the same size. */
const WIDEST_WORD = 8

/**
 * How many em the line of a phone has to hold, so that no word of a name is split where no hyphen may stand.
 * @param name with soft hyphens where it may be broken
 */
export function posterWord(name: string): number {
  const widest = Math.max(...name.split(/[\s\u00ad-]/).map(widthOf))
  return Math.min(WIDEST_WORD, Math.ceil(widest * MARGIN))
}

/** Scripts of India with signs above and below the line, which a tight poster would cut. */
const TALL_SCRIPT = /[\u0900-\u0DFF]/

/** Whether a name is written in such a script. */
export function isTallScript(name: string): boolean {
  return TALL_SCRIPT.test(name)
}
