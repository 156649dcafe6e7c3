import { describe, expect, it } from 'vitest'
import { makeArtwork } from '#web/contract/testing/make-page-data.ts'
import { ratioOf, artworkClass, artworkRules } from './artwork-styles.ts'

const image = {
  width: 1200,
  height: 800,
  placeholder: 'data:image/webp;base64,UklG',
  color: '#2b4483',
  ready: true,
}

describe('artworkRules', () => {
  it('gives a work its proportions, colour and placeholder', () => {
    expect(artworkRules([{ id: 'a1', image }])).toBe(
      `.${artworkClass('a1')}{--ratio:1.5;--natural:1200px;--color:#2b4483;--placeholder:url(data:image/webp;base64,UklG)}`,
    )
  })

  it('leaves placeholders out from the 25th work on', () => {
    const rules = artworkRules(Array.from({ length: 26 }, (_, number) => makeArtwork(number)))
    expect(rules.match(/--placeholder/g)).toHaveLength(24)
    expect(rules.match(/--color/g)).toHaveLength(26)
  })

  it('has no rule for a work without a picture', () => {
    expect(artworkRules([{ id: 'a1', image: null }])).toBe('')
  })

  it.each([
    ['placeholder', { ...image, placeholder: 'data:image/webp;base64,x)}</style><script>' }],
    ['placeholder', { ...image, placeholder: 'https://elsewhere.example/x.webp' }],
    ['color', { ...image, color: 'red;}body{display:none' }],
    ['ratio', { ...image, width: Number.NaN }],
  ])('leaves out a --%s that is not of its form', (name, bad) => {
    const rules = artworkRules([{ id: 'a1', image: bad }])
    expect(rules).not.toContain(`--${name}`)
    expect(rules).not.toMatch(/[<]|NaN|display|elsewhere/)
    expect(rules).toMatch(/^\.w-a1\{[^{}]+\}$/)
  })

  it('has no rule for an id that is none', () => {
    expect(artworkRules([{ id: 'a1{}</style>', image }])).toBe('')
  })
})

describe('ratioOf', () => {
  it.each([
    [{ width: 857, height: 1200 }, 0.714],
    [{ width: 0, height: 10 }, 1],
    [null, 1],
  ])('%o is %d', (size, ratio) => {
    expect(ratioOf(size)).toBe(ratio)
  })
})
