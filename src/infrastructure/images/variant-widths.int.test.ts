import { expect, it } from 'vitest'
import { widthsOf } from '#web/client/lib/images.ts'
import { variantWidths } from './variant-widths.ts'

it('are the widths that pages name', () => {
  for (const [width, height] of [
    [6000, 4000],
    [4000, 6000],
    [2560, 100],
    [1921, 4000],
    [1200, 9000],
    [640, 640],
    [50, 7000],
    [1, 1],
  ] as const)
    expect(variantWidths(width, height)).toEqual(widthsOf({ width, height }))
})
