import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeReturnTo } from './accounts.ts'

describe('the way back after signing in', () => {
  it.each(['/', '/admin?tab=messages', '/artwork/sea-1#top', '/?category=A%20B'])('%s is kept', (path) => {
    expect(safeReturnTo(path)).toBe(path)
  })

  it.each([
    undefined,
    7,
    ['/a', '/b'],
    '',
    'admin',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/a\r\nset-cookie: x=y',
    'javascript:alert(1)',
  ])('%j leads to the dashboard', (wanted) => {
    expect(safeReturnTo(wanted)).toBe('/admin')
  })

  it('never leaves the site, whatever is asked for', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('/', '\\', '.', ':', '@', '?', '#', '%', '\t', '\n', 'a', '2', 'f'),
        }),
        (wanted) => {
          const here = 'https://art.example'
          expect(new URL(safeReturnTo(wanted), here).origin).toBe(here)
        },
      ),
    )
  })
})
