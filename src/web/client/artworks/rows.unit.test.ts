import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowEnds } from './rows.ts'

/** The rows of a window, by its digit. */
function rowsIn(window: number, ratios: readonly number[]): number[][] {
  const rows: number[][] = [[]]
  for (const [index, ends] of rowEnds(ratios).entries()) {
    rows.at(-1)?.push(ratios[index] ?? 1)
    if (ends.includes(String(window))) rows.push([])
  }
  return rows
}

/** Height and least width of each row on a wall of that width, in pixels. */
const hung = (rows: readonly number[][], width: number, gap: number) =>
  rows.map((row) => {
    const height = (width - (row.length - 1) * gap) / row.reduce((sum, ratio) => sum + ratio, 0)
    return { height, narrowest: height * Math.min(...row) }
  })

const SAMPLES = [1.504, 1, 0.714, 0.737, 1.339, 0.803, 2, 0.8, 1.605, 0.752, 1.326, 0.754]

test('a phone shows wide works alone and narrow ones in pairs', () => {
  expect(rowsIn(1, [1.5, 0.75, 0.8, 2])).toEqual([[1.5], [0.75, 0.8], [2]])
})

test('no work is a stamp and no row a tower, whatever is left for the last row', () => {
  for (let count = 4; count <= SAMPLES.length; count += 1) {
    const ratios = SAMPLES.slice(0, count)
    // Windows of 1280 and 1440 pixels.
    for (const [window, width, gap] of [
      [6, 1156, 28],
      [7, 1301, 31],
    ] as const) {
      for (const { height, narrowest } of hung(rowsIn(window, ratios), width, gap)) {
        expect(height, `${count} works in ${width} px`).toBeLessThan(720)
        expect(height).toBeGreaterThan(190)
        expect(narrowest).toBeGreaterThan(136)
      }
    }
  }
})

test('on a phone nobody is narrower than a label needs, unless it cannot be helped', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { maxLength: 40 }), (ratios) => {
      for (const row of rowsIn(1, ratios).filter(({ length }) => length > 1)) {
        for (const { narrowest } of hung([row], 280, 14.4)) expect(narrowest).toBeGreaterThanOrEqual(119.9)
      }
    }),
  )
})

test('no tall work hangs alone beside emptiness, also in a middle row and among wide ones', () => {
  const wide = [2, 1.78, 1.5]
  const tall = [0.5, 0.5625, 0.667, 0.75]
  const walls = wide.flatMap((one) =>
    wide.flatMap((two) =>
      tall.flatMap((narrow) => [
        [one, two, narrow, two],
        [narrow, one, two],
        [one, two, narrow],
      ]),
    ),
  )
  // Windows of 600, 768, 1280 and 1440 pixels, with the highest an image hangs there.
  for (const [window, width, tallest] of [
    [3, 538, 480],
    [4, 691, 640],
    [6, 1156, 640],
    [7, 1301, 640],
  ] as const) {
    for (const ratios of walls) {
      for (const row of rowsIn(window, ratios)) {
        const filled = (row.reduce((sum, ratio) => sum + ratio, 0) * tallest) / width
        expect(filled, `${row.join()} of ${ratios.join()} in ${width} px`).toBeGreaterThan(0.75)
      }
    }
  }
})

test('every work hangs once, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.2, max: 5, noNaN: true }), { maxLength: 60 }), (ratios) => {
      for (let window = 1; window <= 8; window += 1) expect(rowsIn(window, ratios).flat()).toEqual(ratios)
    }),
  )
})
