import { describe, expect, it } from 'vitest'
import { shorten } from './shorten.ts'

describe('shorten', () => {
  it('cuts between words and says so', () => {
    const text = shorten('word '.repeat(60), 160)
    expect(text.length).toBeLessThanOrEqual(160)
    expect(text).toMatch(/word…$/)
  })

  it('leaves a short text, in one line', () => {
    expect(shorten('a\n\nb  c ', 160)).toBe('a b c')
  })

  it('cuts a word that has no end', () => {
    expect(shorten('x'.repeat(500), 160).length).toBeLessThanOrEqual(160)
  })

  it.each(['', 'x'])('cuts no character in half, behind %j', (before) => {
    const text = shorten(before + '😀'.repeat(300), 160)
    expect(text).toMatch(/^x?(?:😀)+…$/u)
  })
})
