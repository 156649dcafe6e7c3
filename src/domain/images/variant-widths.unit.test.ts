import { describe, expect, it } from 'vitest'
import { heightFor, variantWidths } from './variant-widths.ts'

describe('the widths of a picture', () => {
  it.each([
    [6000, 4000, [320, 640, 960, 1280, 1920, 2560]],
    [2560, 1700, [320, 640, 960, 1280, 1920, 2560]],
    [2559, 1700, [320, 640, 960, 1280, 1920, 2559]],
    [1200, 1680, [320, 640, 960, 1200]],
    [320, 200, [320]],
    [100, 100, [100]],
    [1, 1, [1]],
    [1000, 40_000, [320, 500]],
  ])('a picture %i px wide and %i px high comes in %j', (width, height, widths) => {
    expect(variantWidths({ width, height })).toEqual(widths)
  })

  it('lets a 24-megapixel portrait have its full 2560', () => {
    expect(variantWidths({ width: 4000, height: 6000 }).at(-1)).toBe(2560)
  })

  it('bounds the pixels of a very tall picture, since its encoder would need their memory', () => {
    const widest = variantWidths({ width: 4000, height: 20_000 }).at(-1) ?? 0
    expect(widest * heightFor(widest, { width: 4000, height: 20_000 })).toBeLessThanOrEqual(10_010_000)
    expect(widest).toBeGreaterThan(1280)
  })

  it('never makes a height of nothing', () => {
    expect(heightFor(320, { width: 30_000, height: 10 })).toBe(1)
  })
})
