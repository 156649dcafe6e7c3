/**
 * Where the rows of the wall end. CSS alone fills a row and gives its images one height, but it breaks rows as it
 * comes to them, so that the last one is what is left over: a stamp beside emptiness. Here all rows of a wall are
 * chosen together, for each of a few widths of the window; between those the rows only grow and shrink.
 */

/** Windows by their width in rem, each up to the next; `gallery.module.css` knows the same steps. */
const WINDOWS = [20, 25, 32, 41, 52, 66, 84, 108, 144] as const

const REM = 16
const clamp = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most)

/** The wall's own width and the gap between artworks, in pixels, as tokens.css has them. */
function wallIn(viewport: number): { width: number; gap: number } {
  const margin = clamp(1.25 * REM, 0.2 * REM + 0.046 * viewport, 6 * REM)
  const gutter = Math.min(0.045 * viewport, clamp(REM, 0.5 * REM + 0.016 * viewport, 2.5 * REM))
  return {
    width: Math.min(viewport, 112 * REM) - 2 * margin,
    gap: viewport < 44 * REM ? REM : gutter,
  }
}

/** How high a row should be, in pixels. */
const wishedHeight = (viewport: number): number => clamp(190, 0.28 * viewport, 400)

/** A label needs so much width, in pixels. */
const LEAST_WIDTH = 120
/** No image hangs higher than this, as in `hang.module.css`: a row that would be higher does not fill the wall. */
const tallestIn = (viewport: number): number => (viewport < 44 * REM ? 30 : 40) * REM
/** An empty half of a row is worse than a label that is somewhat narrow; a tenth is hardly seen. */
const EMPTINESS = 30
/** More artworks than this side by side are too small at any width. */
const MOST_IN_ROW = 8

type Span = { width: number; gap: number }
/** The wall in the middle of a window, and at its narrowest. */
type Wall = Span & { atLeast: Span; wish: number; tallest: number }

/** How bad a row is: too high, too low, not filled, or with artworks that are too narrow for their labels. */
function cost(row: readonly number[], { width, gap, atLeast, wish, tallest }: Wall): number {
  const sum = row.reduce((all, ratio) => all + ratio, 0)
  const gaps = row.length - 1
  const height = (width - gaps * gap) / sum
  if (height <= 0) return Number.POSITIVE_INFINITY
  const empty = Math.max(0, 1 - tallest / height)
  let total = Math.log(height / wish) ** 2 + EMPTINESS * empty ** 2
  if (gaps === 0) return total
  for (const ratio of row) {
    const label = (ratio * (atLeast.width - gaps * atLeast.gap)) / sum
    if (label < LEAST_WIDTH) total += 4 + (LEAST_WIDTH / label) ** 2
  }
  return total
}

/** The index of the last artwork of every row but the last, for the least cost of all rows together. */
function breaks(ratios: readonly number[], wall: Wall): number[] {
  const best = [{ cost: 0, from: 0 }]
  for (let end = 1; end <= ratios.length; end += 1) {
    let found = { cost: Number.POSITIVE_INFINITY, from: end - 1 }
    for (let from = Math.max(0, end - MOST_IN_ROW); from < end; from += 1) {
      const total = (best[from]?.cost ?? 0) + cost(ratios.slice(from, end), wall)
      if (total < found.cost) found = { cost: total, from }
    }
    best.push(found)
  }
  const ends: number[] = []
  for (let at = best.at(-1)?.from ?? 0; at > 0; at = best[at]?.from ?? 0) ends.push(at - 1)
  return ends.toReversed()
}

const WALLS = WINDOWS.slice(0, -1).map((from, index): Wall => {
  const to = WINDOWS[index + 1] ?? from
  const middle = ((from + to) / 2) * REM
  return {
    ...wallIn(middle),
    atLeast: wallIn(from * REM),
    wish: wishedHeight(middle),
    tallest: tallestIn(middle),
  }
})

/**
 * After which artworks a row ends, and in which windows.
 * @param ratios width over height of each artwork, in order
 * @returns for each artwork the digits of the windows, from 1 for the narrowest, in which its row ends with it; empty for
 *   none. The last row ends by itself
 */
export function rowEnds(ratios: readonly number[]): string[] {
  const ends = ratios.map(() => '')
  for (const [index, wall] of WALLS.entries()) {
    for (const at of breaks(ratios, wall)) ends[at] += String(index + 1)
  }
  return ends
}
