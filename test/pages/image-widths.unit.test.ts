import { describe, expect, it } from 'vitest'
import { variantWidths } from '#infrastructure/images/variant-widths.ts'
import { widthsOf } from '../../src/web/client/lib/images.ts'

describe('the widths that pages name', () => {
  it.each([
    [1, 1],
    [320, 200],
    [857, 1200],
    [2560, 1700],
    [6000, 4000],
    [2000, 12_000],
  ])('are those that are made of a picture of %i × %i px', (width, height) => {
    expect(widthsOf({ width, height })).toEqual(variantWidths(width, height))
  })
})
