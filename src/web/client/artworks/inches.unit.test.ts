import { expect, test } from 'vitest'
import { sizeInInches } from './inches.ts'

test.each([
  ['122 × 81 cm', '48 × 31.9 in'],
  ['30.5x20,3 CM', '12 × 8 in'],
  ['40 X 40 x 12 cm', '15.7 × 15.7 × 4.7 in'],
])('%s is %s', (dimensions, inches) => {
  expect(sizeInInches(dimensions)).toBe(inches)
})

test.each(['', '24 × 36 in', 'A4', 'about 40 × 50 cm', '122 cm'])(
  '%j has no size in inches',
  (dimensions) => {
    expect(sizeInInches(dimensions)).toBeNull()
  },
)
