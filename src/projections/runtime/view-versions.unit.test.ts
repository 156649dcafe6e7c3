import { expect, it } from 'vitest'
import { isAsNew, newestChangeIn, versionOf } from './view-versions.ts'

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

it('of several views are as new as others where each of them has come as far', () => {
  const texts = (artworks: string, posts: string, newest: string): string =>
    [
      versionOf(view('artworks'), artworks),
      versionOf(view('blog-posts'), posts),
      `blog-posts@newest:${newest}`,
    ].join(' ')
  const known = texts('07', '12', '2026-11-02')
  const newer = [
    texts('08', '12', '2026-11-02'),
    texts('07', '12', '2026-11-03'),
    texts('07', '13', '2026-11-01'),
  ]
  const others = [texts('08', '11', '2026-11-02'), known.replace('artworks@3', 'artworks@4'), 'blog-posts@']
  expect([known, ...newer].map((each) => isAsNew(each, known))).toEqual([true, true, true, true])
  expect([...newer, ...others].map((each) => isAsNew(known, each))).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ])
  expect(others.map((each) => isAsNew(each, known))).toEqual([false, false, false])
})
