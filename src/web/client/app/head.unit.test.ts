import { describe, expect, it } from 'vitest'
import { escapeHtml } from '#web/contract/escape.ts'
import { metaOf } from './head.ts'

describe('metaOf', () => {
  const names = { title: 't', artist: 'A & B', description: 'd' }
  const facts = {
    title: '"><script>',
    description: '',
    canonical: 'https://a.example/',
    image: null,
    type: 'website' as const,
  }

  it('escapes every value and leaves out what is empty', () => {
    const html = metaOf(facts, names)
    expect(html).toContain('<title>&quot;&gt;&lt;script&gt;</title>')
    expect(html).toContain('content="A &amp; B"')
    expect(html).not.toContain('name="description"')
    expect(html).toContain('<meta name="twitter:card" content="summary">')
  })

  it('keeps a page without an address of its own out of search', () => {
    expect(metaOf({ ...facts, canonical: null }, names)).toContain('noindex')
  })
})

describe('escapeHtml', () => {
  it('escapes the five characters', () => {
    expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;')
  })
})
