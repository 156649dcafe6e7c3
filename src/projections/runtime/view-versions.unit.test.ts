import { expect, it } from 'vitest'
import { movedViews, newestChangeIn, versionOf } from './view-versions.ts'

const view = (name: string) => ({ name, version: 3, indexes: [] })

it('of several views tell where one of them changed last', () => {
  const versions = [
    versionOf(view('artworks'), '0000000000000007', 1),
    versionOf(view('images'), null),
    versionOf(view('blog-posts'), '0000000000000012'),
    // One that is not there yet.
    'categories@',
  ]
  expect(newestChangeIn(versions.join(' '))).toBe('0000000000000012')
  expect(newestChangeIn('images@3: categories@')).toBe('')
})

it('a view was another one where an older copy was put back meanwhile', () => {
  const [before, now] = [0, 1].map((copies) => versionOf(view('artworks'), '0000000000000007', copies))
  expect([...movedViews(before ?? '', now ?? '')]).toEqual(['artworks'])
})
