import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { hashSource, matchesTag, policyOf, securityHeaders, selectViewportStyle } from './headers.ts'

describe('policyOf', () => {
  it('names every inline text by its hash and allows nothing inline besides', () => {
    const policy = policyOf({ styles: ['a{}'], scripts: ['go()'], dev: false })
    const expected = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy).toContain(`script-src 'self' ${expected('go()')};`)
    expect(policy).toContain(`style-src 'self' ${expected('a{}')} ${hashSource(selectViewportStyle)};`)
    expect(policy).not.toContain('unsafe')
  })

  it('has the directives that were decided', () => {
    expect(policyOf({ styles: [], scripts: [], dev: false }).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' ${hashSource(selectViewportStyle)}`,
      "img-src 'self' data: blob: https:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
  })
})

describe('SELECT_VIEWPORT_STYLE', () => {
  it('is what the installed Select writes', () => {
    const require = createRequire(createRequire(import.meta.url).resolve('radix-ui'))
    const source = readFileSync(require.resolve('@radix-ui/react-select'), 'utf8')
    expect(source).toContain(selectViewportStyle)
  })
})

describe('securityHeaders', () => {
  it('promises TLS only where the site is served by it', () => {
    expect(securityHeaders(false)).not.toHaveProperty('strict-transport-security')
    expect(securityHeaders(true)).toHaveProperty('strict-transport-security')
  })
})

describe('matchesTag', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"x", "a"', true],
    ['*', true],
    ['"b"', false],
    ['"ba", "ab"', false],
    [undefined, false],
  ])('%s matches "a": %s', (header, expected) => {
    expect(matchesTag(header, '"a"')).toBe(expected)
  })
})
