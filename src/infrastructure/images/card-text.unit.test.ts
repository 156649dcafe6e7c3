import { describe, expect, it } from 'vitest'
import { drawable, escapeMarkup, shortened } from './card.ts'

describe('text for the card', () => {
  it('keeps ₹, Devanagari with its joiners, and the letters of transliteration', () => {
    expect(drawable('₹1,25,000 क्ष\u200Dत्र Śrī Ṭhākur’s “wall” — 5 €')).toBe(
      '₹1,25,000 क्ष\u200Dत्र Śrī Ṭhākur’s “wall” — 5 €',
    )
  })
  it('leaves out what no shipped font holds, and the blank it leaves', () => {
    expect(drawable('Lotus 蓮 🪷 tank\n\tat four')).toBe('Lotus tank at four')
    expect(drawable('蓮')).toBe('')
  })
  it('composes letters that arrive in pieces', () => {
    expect(drawable('Neha\u0304')).toBe('Nehā')
  })
  it('takes no title for markup', () => {
    expect(escapeMarkup('<b>&amp;')).toBe('&lt;b&gt;&amp;amp;')
  })
  it('shortens by words, then inside a word, and never ends before it is short', () => {
    expect(shortened('one two, three')).toBe('one two…')
    expect(shortened('one two…')).toBe('one…')
    let text = 'x'.repeat(200)
    for (let i = 0; i < 50 && text.length > 2; i++) text = shortened(text)
    expect(text.length).toBeLessThanOrEqual(2)
  })
})
