import { describe, expect, it } from 'vitest'
import { standsAt } from './stands-at.ts'

describe('where a page stands', () => {
  it.each([
    ['/', '/'],
    ['/', '/?utm_source=letter#gallery'],
    ['/', '/?category=all'],
    ['/?category=Still+Life', '/?utm=1&category=Still%20Life'],
    ['/artwork/haldi-7', '/artwork/haldi-7?utm=1'],
  ])('%s is still there at %s', (address, current) => {
    expect(standsAt(address, new URL(current, 'https://example.org'))).toBe(true)
  })

  it.each([
    ['/', '/?category=Still+Life'],
    ['/?category=Still+Life', '/'],
    ['/artwork/haldi-7', '/'],
    ['/', '/admin'],
  ])('%s is left at %s', (address, current) => {
    expect(standsAt(address, new URL(current, 'https://example.org'))).toBe(false)
  })
})
