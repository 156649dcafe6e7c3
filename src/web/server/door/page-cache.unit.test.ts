import { describe, expect, it } from 'vitest'
import { cacheRendered, type CachedPage } from './cached-page.ts'
import { pageCache } from './page-cache.ts'

const pageOf = (bytes: number): CachedPage =>
  cacheRendered({ status: 200, contentType: 'text/html', policy: '', body: Buffer.alloc(bytes) }, '1', {})

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

  it('counts the forms that were made of a page since', async () => {
    const room = 150_000
    const cache = pageCache(room)
    const text = (key: string) => Buffer.from(Array.from({ length: 4_000 }, (_, n) => key + n * n).join(' '))
    const pages = ['a', 'b', 'c'].map((key) => {
      const rendered = { status: 200, contentType: 'text/html', policy: '', body: text(key) }
      const page = cacheRendered(rendered, '1', {})
      cache.put(key, page)
      return page
    })
    for (const page of pages)
      for (const acceptEncoding of ['br', 'gzip', 'identity'])
        for (const session of [false, true]) {
          await page.prepare({ acceptEncoding, session })
          cache.weigh()
        }
    const kept = pages.filter((page, index) => cache.get('abc'[index] ?? '') === page)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.reduce((sum, page) => sum + page.size(), 0)).toBeLessThanOrEqual(room)
  })

  it('keeps the homepage whatever else is asked for', () => {
    const cache = pageCache(100)
    for (const key of ['/', 'a', 'b', 'c', 'd']) cache.put(key, pageOf(40))
    expect(['/', 'a', 'b', 'c', 'd'].filter((key) => cache.get(key))).toEqual(['/', 'd'])
  })
})
