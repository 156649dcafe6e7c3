import { expect, it } from 'vitest'
import { makePageData, uuid } from '#web/contract/testing/make-page-data.ts'
import { amountIn, bootOf } from './boot-of.ts'

it.each([
  [48, 48],
  [49, 1],
])('in a gallery of %i artworks an opened one comes with %i descriptions', (artworks, described) => {
  const page = { kind: 'artwork', id: uuid(7) } as const
  const { lists } = bootOf(page, makePageData(artworks), null, { publicUrl: '', assets: { below: [] } })
  const withOne = lists.artworks?.filter(({ description }) => description !== null) ?? []
  expect(withOne).toHaveLength(described)
  expect(withOne.map(({ id }) => id)).toContain(page.id)
})

it('counts elements and characters as a browser reads them', () => {
  expect(amountIn('<p class="a">Ink &amp; gold&nbsp;leaf,\r\n<br/>it&#x27;s<!-- --> वर्षा</p>')).toBe(2 + 22)
})

it('takes what stands in a noscript for text', () => {
  expect(amountIn('<noscript class="a"><a href="/">No &amp; yes</a></noscript>')).toBe(1 + 25)
})
