import { describe, expect, it } from 'vitest'
import { keepRendered, type CachedPage } from './cached-page.ts'
import { pageCache } from './page-cache.ts'

const pageOf = (bytes: number): CachedPage =>
  keepRendered({ status: 200, contentType: 'text/html', policy: '', body: Buffer.alloc(bytes) }, '1', {})

describe('pageCache', () => {
  it('keeps one page for each key', () => {
    const cache = pageCache(1000)
    const page = pageOf(10)
    cache.put('/', pageOf(10))
    cache.put('/', page)
    expect(cache.get('/')).toBe(page)
  })

  it('lets go of the pages kept longest when room runs out', () => {
    const cache = pageCache(100)
    for (const key of ['a', 'b', 'c']) cache.put(key, pageOf(40))
    expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([false, true, true])
  })

  it('counts a renewed page as the newest', () => {
    const cache = pageCache(100)
    for (const key of ['a', 'b', 'a', 'c']) cache.put(key, pageOf(40))
    expect(cache.get('b')).toBeUndefined()
    expect(cache.get('a')).toBeDefined()
  })

  it('keeps a page that is bigger than the room alone', () => {
    const cache = pageCache(100)
    cache.put('a', pageOf(10))
    cache.put('b', pageOf(500))
    expect(cache.get('a')).toBeUndefined()
    expect(cache.get('b')).toBeDefined()
  })
})
