import { expect, it } from 'vitest'
import { newestChangeIn, versionOf } from './view-versions.ts'

const view = (name: string) => ({ name, version: 3, indexes: [] })

it('of several views tell where one of them changed last', () => {
  const versions = [
    versionOf(view('artworks'), '0000000000000007'),
    versionOf(view('images'), null),
    versionOf(view('blog-posts'), '0000000000000012'),
    // One that is not there yet.
    'categories@',
  ]
  expect(newestChangeIn(versions.join(' '))).toBe('0000000000000012')
  expect(newestChangeIn('images@3: categories@')).toBe('')
})
