import { expect, test } from 'vitest'
import { htmlWithSoftBreaks, textWithSoftBreaks, withSoftBreaks } from './soft-breaks.ts'

const shown = (title: string): string => withSoftBreaks(title).replaceAll('\u00ad', '-')

test('only very long words get places to break at, between syllables', () => {
  expect(shown('Monsoon over the Ghats')).toBe('Monsoon over the Ghats')
  expect(shown('Electroencephalographies at Dawn')).toMatch(/^[a-z]{4,}(?:-[a-z]{2,})+ at Dawn$/i)
  expect(shown('Donaudampfschifffahrtsgesellschaft')).toMatch(/^[a-z]{4,}(?:-[a-z]{2,})+$/i)
})

test('a word without vowels breaks too, and no letter is lost', () => {
  expect(shown('x'.repeat(20))).toBe('xxxxxxxx-xxxxxxxx-xxxx')
  expect(withSoftBreaks('Uninterruptedly').replaceAll('\u00ad', '')).toBe('Uninterruptedly')
})

test('other scripts stay as they are', () => {
  expect(withSoftBreaks('अंतरराष्ट्रीयकरण की')).toBe('अंतरराष्ट्रीयकरण की')
})

test('long words of running text break too, addresses in it stay whole', () => {
  const hyphens = (text: string): string => textWithSoftBreaks(text).replaceAll('\u00ad', '-')
  expect(hyphens('Of electroencephalographies, at dawn.')).toMatch(/^Of [a-z]{4,}(?:-[a-z]{2,})+, at dawn\.$/)
  const subtitle = 'Author of 11 books • Experimental, unconventional, and unique art'
  expect(hyphens(subtitle)).toBe(subtitle)
  for (const address of [
    'electroencephalographies@example.org',
    'https://example.org/electroencephalographies',
    'www.electroencephalographies.example',
    'electroencephalographies.example.org/paintings',
  ]) {
    expect(hyphens(`Write to ${address} today`)).toBe(`Write to ${address} today`)
  }
})

test('in the HTML of the editor only what is read gets places to break at', () => {
  const html =
    '<p>Of <a href="https://example.org/electroencephalographies">electroencephalographies</a>&nbsp;&amp; <em>rain</em></p>'
  const broken = htmlWithSoftBreaks(html)
  expect(broken).toContain('href="https://example.org/electroencephalographies"')
  expect(broken).toMatch(/>[a-z]{4,}(?:\u00ad[a-z]{2,})+<\/a>&nbsp;&amp; <em>rain/)
  expect(broken.replaceAll('\u00ad', '')).toBe(html)
})
