import { expect, test } from 'vitest'
import { stripSizes } from './strip-sizes.ts'

test('on a laptop each picture takes the share of its proportion, and no more than its height allows', () => {
  expect(stripSizes([1.5, 1, 0.714]).map((sizes) => sizes.split(', ').slice(1).join(', '))).toEqual([
    'min(42vw, 87vh)',
    'min(28vw, 58vh)',
    'min(20vw, 41vh)',
  ])
})

test('on a phone a line breaks where the layout breaks it', () => {
  const onPhone = (ratios: number[]) => stripSizes(ratios).map((sizes) => /([\d]+)vw/.exec(sizes)?.[1])
  expect(onPhone([1.5, 1, 0.714])).toEqual(['89', '49', '35'])
  expect(onPhone([1.5])).toEqual(['89'])
})
