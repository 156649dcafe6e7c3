import { expect, it } from 'vitest'
import { isComplete, type FeedPage } from './page.ts'

const page = (change: Partial<FeedPage>): FeedPage => ({
  title: '',
  entries: [],
  received: 2,
  keys: [],
  total: null,
  isNumbered: true,
  next: null,
  whole: false,
  ...change,
})

it.each<[string, boolean, readonly FeedPage[], number, number]>([
  ['the count of the feed is met', true, [page({ total: 4 }), page({ total: 4 })], 4, 4],
  ['an empty blog says that it is empty', true, [page({ total: 0, received: 0 })], 0, 0],
  ['posts are missing', false, [page({ total: 5 }), page({ total: 5 })], 4, 4],
  ['there are more than the feed counts', false, [page({ total: 1 })], 2, 2],
  ['the count changed meanwhile', false, [page({ total: 4 }), page({ total: 5 })], 4, 4],
  [
    'a post came twice, so another may have slipped by',
    false,
    [page({ total: 4 }), page({ total: 4 })],
    4,
    3,
  ],
  ['a post had no key', false, [page({ total: 2 })], 2, 1],
  ['a single page without a count', false, [page({})], 2, 2],
  ['nothing at all without a count', false, [page({ received: 0 })], 0, 0],
  ['pages followed to the last one', true, [page({ next: 'b' }), page({})], 4, 4],
  ['pages followed to an empty one', true, [page({ next: 'b' }), page({ next: 'c', received: 0 })], 2, 2],
  ['pages that were not followed to their end', false, [page({ next: 'b' }), page({ next: 'a' })], 4, 4],
  ['the feed says that it is whole', true, [page({ whole: true })], 2, 2],
])('%s: complete is %s', (_why, complete, pages, received, unique) => {
  expect(isComplete(pages, received, unique)).toBe(complete)
})
