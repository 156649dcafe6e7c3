import { describe, expect, it } from 'vitest'
import { plainText } from './plain-text.ts'
import { createHtmlSanitiser } from './sanitiser.ts'

const html = createHtmlSanitiser()
const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<svg><script>alert(1)</script></svg>',
  '<svg onload=alert(1)>',
  '<math><mtext><table><mglyph><style><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<form action="https://evil.example"><input name=a></form>',
  '<base href="https://evil.example/">',
  '<!--<img src="--><img src=x onerror=alert(1)>">',
]
const live = /<script|on\w+=|javascript:|<svg|<iframe|<math|<form|<input|<base|style=|srcdoc|data:/i

describe('site texts', () => {
  it('keep what the editor makes', () => {
    const text =
      '<p><strong>Oil</strong> <em>and</em> ink<br /></p><ul><li><p>one</p></li></ul><ol><li>two</li></ol><blockquote><p>said</p></blockquote>'
    expect(html.siteText(text)).toBe(text)
  })

  it.each(attacks)('make harmless: %s', (attack) => {
    expect(html.siteText(attack)).not.toMatch(live)
  })

  it('keep links with the four schemes only', () => {
    const links = [
      'https://a.example/',
      'mailto:a@b.example',
      'tel:+9122',
      'ftp://a.example',
      '//a.example/x',
    ]
    const kept = links.map((href) => html.siteText(`<a href="${href}">x</a>`))
    expect(kept.map((link) => link.includes('href='))).toEqual([true, true, true, false, false])
  })

  it('open other sites without a hand on our window', () => {
    expect(html.siteText('<a href="https://a.example/">x</a>')).toContain('rel="noopener noreferrer"')
    for (const href of ['HTTPS://a.example/', ' https://a.example/', 'ht&#10;tps://a.example/'])
      expect(html.siteText(`<a href="${href}">x</a>`)).toContain('rel="noopener noreferrer" target="_blank"')
  })

  it.each(['mailto:a@b.example', 'tel:+9122', '/journal', '#top'])(
    'leaves a link to %s no say in how it opens',
    (href) => {
      const link = `<a href="${href}" rel="opener" target="x">x</a>`
      expect(html.siteText(link)).toBe(`<a href="${href}">x</a>`)
      expect(html.journal(link, { baseUrl: null })).not.toMatch(/rel=|target=/)
    },
  )

  it('drop pictures and headings but keep their words', () => {
    expect(html.siteText('<h2>Rain</h2><img src="https://a.example/a.jpg">')).toBe('Rain')
  })

  it('stay the same when sanitised again', () => {
    for (const text of [...attacks, '<p>a &amp; b &lt; c</p>', '<b>x</b>']) {
      const once = html.siteText(text)
      expect(html.siteText(once)).toBe(once)
    }
  })
})

describe('HTML that is nested deeper than anybody writes', () => {
  const wholeAt = 'https://blog.example/1'
  const deep = (tags: string): string => `<p>Before</p>${tags}behind`
  const depthOf = (text: string): number => {
    let [depth, deepest] = [0, 0]
    for (const [tag] of text.matchAll(/<\/?(?:b|blockquote|div)>/g)) {
      depth += tag.startsWith('</') ? -1 : 1
      deepest = Math.max(deepest, depth)
    }
    return deepest
  }

  it.each([
    ['open', '<b>'.repeat(300)],
    ['closed', `${'<blockquote>'.repeat(300)}x${'</blockquote>'.repeat(300)}`],
    ['closed by other tags', '<blockquote></i>'.repeat(300)],
    ['closed by a tag that closes what is not there', '<p><div></p>'.repeat(300)],
  ])('ends there and leads to the whole: %s', (_name, tags) => {
    const kept = html.journal(deep(tags), { baseUrl: wholeAt, maxBytes: 100_000 })
    expect(kept).toMatch(/^<p>Before<\/p>/)
    expect(kept).not.toContain('behind')
    expect(kept).toContain(`<a href="${wholeAt}"`)
    expect(depthOf(kept)).toBeLessThanOrEqual(200)
    expect(plainText(deep(tags))).not.toContain('behind')
    expect(html.siteText(deep(tags))).not.toContain('behind')
  })

  it('is not there in a frame, which is text to us and HTML to others', () => {
    const framed = deep(`<iframe>${'<b>'.repeat(300)}x</iframe>`)
    expect(html.journal(framed, { baseUrl: wholeAt })).toBe('<p>Before</p>behind')
    expect(html.siteText(framed)).toBe('<p>Before</p>behind')
  })

  it('is whole where it is just not too deep', () => {
    const tags = `${'<blockquote>'.repeat(200)}in${'</blockquote>'.repeat(200)}`
    expect(html.journal(deep(tags), { baseUrl: wholeAt, maxBytes: 100_000 })).toBe(deep(tags))
  })

  it('ends where it is longer than anything that is kept', () => {
    const long = '<p>words</p>'.repeat(100_000)
    expect(plainText(`${long}behind`)).not.toContain('behind')
    expect(html.journal(long, { baseUrl: wholeAt, maxBytes: 2_000_000 })).toContain('Read on in the blog')
  })
})

describe('journal content', () => {
  const at = { baseUrl: 'https://blog.example/2025/11/post.html' }

  it.each(attacks)('is made harmless: %s', (attack) => {
    expect(html.journal(attack, at)).not.toMatch(live)
  })

  it('keeps headings below the page’s own, tables and figures', () => {
    const post =
      '<h1>Rain</h1><table><tr><td colspan="2">x</td></tr></table><figure><figcaption>y</figcaption></figure>'
    expect(html.journal(post, at)).toBe(post.replaceAll('h1', 'h2'))
  })

  it('resolves links and pictures against the post', () => {
    expect(html.journal('<a href="../x">x</a><img src="a.jpg" alt="A">', at)).toBe(
      '<a href="https://blog.example/2025/x" rel="noopener noreferrer" target="_blank">x</a><img src="https://blog.example/2025/11/a.jpg" alt="A" loading="lazy" />',
    )
  })

  it('shows pictures from where they are kept, and leaves out those that are not', () => {
    const imageFor = (source: string) => (source.endsWith('a.jpg') ? '/images/h/original-view.jpg' : null)
    expect(html.journal('<img src="a.jpg"><img src="b.jpg">', { ...at, imageFor })).toBe(
      '<img src="/images/h/original-view.jpg" alt="" loading="lazy" />',
    )
  })

  it('leaves a picture out without a trace in the end tags that follow', () => {
    expect(html.journal('<p><img></p><table><tr><td>x</td></tr></table><p>after</p>', at)).toBe(
      '<p></p><table><tr><td>x</td></tr></table><p>after</p>',
    )
    expect(html.journal('<p>&lt;img /&gt;</p><p title="<img />">x</p>', at)).toBe(
      '<p>&lt;img /&gt;</p><p>x</p>',
    )
  })

  it('has no address that is longer than any that is kept', () => {
    const long = `https://blog.example/${'a'.repeat(2_048)}`
    expect(html.journal(`<a href="${long}">x</a><img src="${long}">`, at)).toBe('<a>x</a>')
    expect(html.imagesOf(`<img src="${long}">`, null)).toEqual([])
  })

  it('has no half characters, nor any that no screen shows', () => {
    const given = '<p title="\ud800">a\ud800b&#1;c\u0000d\u0085e\tf\r\n</p><a href="java\u0085script:x">x</a>'
    const kept = html.journal(given, { baseUrl: null })
    expect(kept).toBe('<p>a\ufffdb c d e\tf\r\n</p><a>x</a>')
  })

  it('is measured as the log keeps it', () => {
    const kept = html.journal('<p>"</p>'.repeat(20_000), { ...at, maxBytes: 200_000 })
    expect(kept.length).toBeLessThan(180_000)
    expect(JSON.stringify(kept).length).toBeLessThanOrEqual(200_002)
  })

  it('names each picture once, in reading order', () => {
    expect(html.imagesOf('<img src="b.jpg"><p><img src="/a.jpg"><img src="b.jpg"></p>', at.baseUrl)).toEqual([
      'https://blog.example/2025/11/b.jpg',
      'https://blog.example/a.jpg',
    ])
  })

  it('is cut behind a whole block, with a link to the rest', () => {
    const post = `<p>${'a'.repeat(200)}</p><p>${'b'.repeat(200)}</p><p>${'c'.repeat(400)}</p>`
    const cut = html.journal(post, { ...at, maxBytes: 620 })
    expect(cut).toMatch(/^<p>a+<\/p><p>b+<\/p><p><a href="https:\/\/blog\.example\/2025\/11\/post\.html"/)
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(620)
  })

  it('that fits is not cut', () => {
    expect(html.journal('<p>x</p>', { ...at, maxBytes: 620 })).toBe('<p>x</p>')
  })
})

describe('plain text', () => {
  it('has no tags, single blanks and real characters', () => {
    expect(plainText('<p>Salt &amp; <b>pans</b></p><p>2&nbsp;&lt; 3</p><script>x</script>')).toBe(
      'Salt & pans 2 < 3',
    )
  })

  it('has no more marks on a letter than any writing', () => {
    const flood = '\u0301\u0e49\u200d'.repeat(300)
    expect(plainText(`a${flood}b${flood}`)).toBe(`a${flood.slice(0, 10)}b${flood.slice(0, 10)}`)
    for (const text of ['\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', 'नमस्ते', 'ཧྐྵྨླྺྼྻྂ'])
      expect(plainText(text)).toBe(text)
  })

  it('is cut at a word for an excerpt', () => {
    expect(html.excerptOf('<p>At noon the pans turn pink and nobody can look.</p>', 24)).toBe(
      'At noon the pans turn…',
    )
  })

  it('that is short is its own excerpt', () => {
    expect(html.excerptOf('<p>At noon.</p>')).toBe('At noon.')
  })
})
