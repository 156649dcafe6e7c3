import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inGroups } from './in-groups.ts'

it('writes numbers as they are read in India', () => {
  const formatter = new Intl.NumberFormat('en-IN')
  fc.assert(fc.property(fc.nat(), (number) => inGroups(number) === formatter.format(number)))
  expect([0, 999, 1_000, 99_999, 1_00_000, 10_00_00_000].map(inGroups)).toEqual([
    '0',
    '999',
    '1,000',
    '99,999',
    '1,00,000',
    '10,00,00,000',
  ])
})
