import { describe, expect, it } from 'vitest'
import { keptKey } from '#application/journal/post-ids.ts'
import { readFeed as readFeedOf } from './feed.ts'

const feedAddress = 'https://blog.example/feed'
const readFeed = (body: string, address: string) =>
  readFeedOf(body, address, { mostPosts: 10_000, room: Infinity })

describe('Atom', () => {
  const atom = (inside: string, attributes = ''): string =>
    `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:app="http://www.w3.org/2007/app" xmlns:openSearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:media="http://search.yahoo.com/mrss/" ${attributes}><id>x</id><title type="html">Notes &amp;amp; more</title>${inside}</feed>`

  it.each([
    ['7', 7],
    ['1e400', null],
    ['5.5', null],
    ['-1', null],
  ])('says how many posts there are, where %s is a count', (told, total) => {
    const page = readFeed(atom(`<openSearch:totalResults>${told}</openSearch:totalResults>`), feedAddress)
    expect(page?.total).toBe(total)
  })

  it('counts more posts than can be mirrored, and hands none of them over', () => {
    const entries = '<entry><id>a</id></entry>'.repeat(3)
    expect(readFeedOf(atom(entries), feedAddress, { mostPosts: 2, room: 1 })).toMatchObject({
      received: 3,
      entries: [],
      keys: [],
    })
    expect(readFeedOf(atom(entries), feedAddress, { mostPosts: 3, room: 1 })?.entries).toHaveLength(3)
  })

  it('reads a post with everything', () => {
    const page = readFeed(
      atom(`<openSearch:totalResults>1</openSearch:totalResults><link rel="next" href="?page=2"/>
        <entry><id>tag:1</id><title type="html">Lotus &lt;i&gt;tank&lt;/i&gt; &amp;amp; I</title>
        <published>2024-01-02T10:00:00+05:30</published><updated>2024-02-01T00:00:00Z</updated>
        <content type="html">&lt;p&gt;Long &amp;amp; good&lt;/p&gt;</content><summary>Short &amp; good</summary>
        <link href="/2024/lotus"/><media:thumbnail url="/t.jpg"/></entry>`),
      feedAddress,
    )
    expect(page).toMatchObject({
      title: 'Notes & more',
      total: 1,
      received: 1,
      next: 'https://blog.example/feed?page=2',
    })
    expect(page?.entries).toEqual([
      {
        externalId: 'tag:1',
        title: 'Lotus tank & I',
        contentHtml: '<p>Long &amp; good</p>',
        excerpt: 'Long & good',
        publishedAt: '2024-01-02T04:30:00.000Z',
        url: 'https://blog.example/2024/lotus',
        imageUrl: 'https://blog.example/t.jpg',
      },
    ])
  })

  it('drops drafts, but counts them, since the feed does too', () => {
    const page = readFeed(
      atom(
        '<entry><id>1</id><app:control><app:draft>yes</app:draft></app:control></entry><entry><id>2</id></entry>',
      ),
      feedAddress,
    )
    expect(page).toMatchObject({
      received: 2,
      keys: ['1', '2'],
      entries: [{ externalId: '2', title: '', publishedAt: null }],
    })
  })

  it('takes the address as the key when there is none, and no post without either', () => {
    const page = readFeed(
      atom('<entry><link href="https://blog.example/a"/></entry><entry><title>Nobody</title></entry>'),
      feedAddress,
    )
    expect(page).toMatchObject({ received: 2, keys: ['https://blog.example/a'] })
  })

  it('makes paragraphs of plain text, in which nothing is a tag', () => {
    const page = readFeed(
      atom('<entry><id>1</id><content type="text">a &lt;b&gt;\n\nc</content></entry>'),
      feedAddress,
    )
    expect(page?.entries[0]?.contentHtml).toBe('<p>a &lt;b&gt;</p><p>c</p>')
  })

  it('reads a post behind a frame that closes itself, as XHTML writes it', () => {
    const frame = '<iframe src="https://video.example/1"/>'
    const page = readFeed(
      atom(
        `<entry><id>1</id><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">${frame}<p>a</p><img src="https://a.example/b.jpg"/></div></content></entry>`,
      ),
      feedAddress,
    )
    expect(page?.entries[0]).toMatchObject({
      contentHtml: '<p>a</p><img src="https://a.example/b.jpg"/>',
      excerpt: 'a',
      imageUrl: 'https://a.example/b.jpg',
    })
  })

  it('never takes an address that is not the web’s', () => {
    const page = readFeed(
      atom('<entry><id>1</id><link href="javascript:alert(1)"/><media:thumbnail url="data:x"/></entry>'),
      feedAddress,
    )
    expect(page?.entries[0]).toMatchObject({ url: null, imageUrl: null })
  })

  it('takes no address that is longer than any that is kept, and no day on which nobody wrote', () => {
    const long = `https://blog.example/${'a'.repeat(2_048)}`
    const dates = [
      '+275760-09-13T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '2200-01-01T00:00:00Z',
      '1900-01-01T00:00:00Z',
    ]
    const entries = dates.map(
      (date, id) =>
        `<entry><id>${id}</id><link href="${long}"/><media:thumbnail url="${long}"/><published>${date}</published></entry>`,
    )
    const page = readFeed(atom(entries.join('')), feedAddress)
    expect(page?.entries.map(({ publishedAt }) => publishedAt)).toEqual([
      null,
      null,
      null,
      '1900-01-01T00:00:00.000Z',
    ])
    expect(page?.entries[0]).toMatchObject({ url: null, imageUrl: null })
  })

  it('is none where its next page has no address that can be asked', () => {
    const next = (href: string) => readFeed(atom(`<link rel="next" href="${href}"/>`), feedAddress)
    expect(next(`https://blog.example/${'a'.repeat(2_048)}`)).toBeNull()
    expect(next('/feed?page=2')?.next).toBe('https://blog.example/feed?page=2')
    expect(next('')?.next).toBeNull()
  })

  it('knows a feed that says it is whole', () => {
    const fh = 'xmlns:fh="http://purl.org/syndication/history/1.0"'
    expect(readFeed(atom('<fh:complete/>', fh), feedAddress)?.whole).toBe(true)
    expect(readFeed(atom('', fh), feedAddress)?.whole).toBe(false)
  })

  it('is not a feed when it was cut off', () => {
    const whole = atom('<entry><id>1</id></entry><entry><id>2</id></entry>')
    expect(readFeed(whole.slice(0, -30), feedAddress)).toBeNull()
    expect(readFeed(`${whole}\n<!-- cached -->`, feedAddress)?.received).toBe(2)
    expect(readFeed(`${whole} <!-- 1 --> <!-- 2\n-->\n`, feedAddress)?.received).toBe(2)
    expect(readFeed(`${whole}<!-- begun`, feedAddress)).toBeNull()
  })

  it('is not kept busy by many comments at its end', () => {
    const whole = atom('<entry><id>1</id></entry>')
    expect(readFeed(`${whole}${'<!---->'.repeat(1_000)}`, feedAddress)?.received).toBe(1)
    expect(readFeed(`${whole}${'<!---->'.repeat(1_000)}x`, feedAddress)).toBeNull()
    expect(readFeed(`${whole}${'<!--'.repeat(1_900)}`, feedAddress)).toBeNull()
  })
})

it('reads RSS 2.0', () => {
  const page = readFeed(
    `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>R</title>
      <atom:link rel="next" href="https://blog.example/feed?paged=2"/>
      <item><title>A &amp;amp; B</title><link>https://blog.example/1</link><guid isPermaLink="false">g1</guid>
      <pubDate>Tue, 02 Jan 2024 10:00:00 +0530</pubDate><description>Short</description>
      <content:encoded><![CDATA[<p>Long</p>]]></content:encoded><enclosure url="https://blog.example/a.jpg" type="image/jpeg" length="9"/></item>
      <item><description>&lt;p&gt;Only this&lt;/p&gt;</description><link>https://blog.example/2</link></item></channel></rss>`,
    feedAddress,
  )
  expect(page).toMatchObject({ next: 'https://blog.example/feed?paged=2', total: null, received: 2 })
  expect(page?.entries).toMatchObject([
    {
      externalId: 'g1',
      title: 'A & B',
      contentHtml: '<p>Long</p>',
      excerpt: 'Long',
      publishedAt: '2024-01-02T04:30:00.000Z',
      imageUrl: 'https://blog.example/a.jpg',
    },
    { externalId: 'https://blog.example/2', contentHtml: '<p>Only this</p>', excerpt: 'Only this' },
  ])
})

it('reads RSS 1.0 and JSON Feed', () => {
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="x"><title>R</title></channel><item rdf:about="https://blog.example/1"><title>One</title><link>https://blog.example/1</link></item></rdf:RDF>`
  expect(readFeed(rdf, feedAddress)?.entries).toMatchObject([{ title: 'One', url: 'https://blog.example/1' }])
  const json = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'J',
    next_url: 'https://blog.example/j2',
    items: [{ id: '1', content_text: 'a < b', date_published: '2024-01-01T00:00:00Z' }],
  })
  expect(readFeed(json, feedAddress)).toMatchObject({
    next: 'https://blog.example/j2',
    entries: [{ contentHtml: '<p>a &lt; b</p>' }],
  })
})

it.each([
  [
    'JSON',
    `{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","title":"How &lt;b&gt; &amp; more"}]}`,
  ],
  [
    'RSS',
    '<rss version="2.0"><channel><title>R</title><item><link>https://a.b/</link><title>How &amp;lt;b&amp;gt; &amp;amp; more</title></item></channel></rss>',
  ],
])('decodes a title of %s once: what it says of HTML stays', (_format, feed) => {
  expect(readFeed(feed, feedAddress)?.entries[0]?.title).toBe('How <b> & more')
})

it('knows a post by an id that every store keeps as it is', () => {
  const json = (id: string): string =>
    JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'J', items: [{ id, title: 'T' }] })
  expect(readFeed(json('a\ud83d'), feedAddress)?.entries[0]?.externalId).toBe('a\ufffd')
})

it.each(['', 'nothing', '<html><body>Hello</body></html>', '{"a":1}', '{'])('is no feed: %s', (text) => {
  expect(readFeed(text, feedAddress)).toBeNull()
})

it('reads no JSON that is nested deeper than any feed, and takes no text for nesting', () => {
  const feedWith = (text: string, levels: number): string =>
    `{"version":"https://jsonfeed.org/version/1.1","title":"J","_deep":${'['.repeat(levels)}${']'.repeat(levels)},` +
    `"items":[{"id":"1","content_text":${JSON.stringify(text)}}]}`
  expect(readFeed(feedWith('a', 1_000), feedAddress)).toBeNull()
  expect(readFeed(feedWith('"\\['.repeat(1_000), 50), feedAddress)?.entries).toHaveLength(1)
})

describe('of a blog that wants more room than there is', () => {
  const json = (items: readonly object[]): string =>
    JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'J'.repeat(1e6), items })
  const sizes = (feed: string, room: number): readonly number[] =>
    readFeedOf(feed, feedAddress, { mostPosts: 10_000, room })?.entries.map(
      (entry) => JSON.stringify(entry).length,
    ) ?? []

  it('takes no more than the room, also where a text grows when it is escaped', () => {
    const grows = { content_text: '&'.repeat(200_000) }
    const [first = 0, second = 0] = sizes(
      json([
        { id: '1', ...grows },
        { id: '2', ...grows },
      ]),
      1_000_001,
    )
    expect([first > 1_000_000, second < 3_000]).toEqual([true, true])
  })

  it.each([
    ['key', { id: 'k'.repeat(1e6) }],
    ['title', { id: '1', title: 't'.repeat(1e6) }],
    ['summary', { id: '1', summary: '&'.repeat(1e6) }],
    ['summary beside a content', { id: '1', content_html: 'a', summary: 's'.repeat(1e6) }],
  ])('takes no long %s', (_what, item) => {
    expect(sizes(json([item]), 1_000)[0]).toBeLessThan(10_000)
  })

  it('names a key that is too long by what it will be kept as', () => {
    const [entry] = readFeed(json([{ id: 'k'.repeat(3_000) }]), feedAddress)?.entries ?? []
    expect(entry?.externalId).toBe(keptKey('k'.repeat(3_000)))
  })

  it('leaves out images that stand in the text itself, which take the room and are never kept', () => {
    const inText = `<img alt="a" src="data:image/png;base64,${'iVBO'.repeat(1_000)}">`
    const [entry] =
      readFeed(json([{ id: '1', content_html: `<p>A</p>${inText}<p>B</p>` }]), feedAddress)?.entries ?? []
    expect(entry?.contentHtml).toBe('<p>A</p><img alt="a" src=""><p>B</p>')
  })

  it('reads what stands behind a frame that closes itself, as XHTML writes it', () => {
    const html =
      '<iframe src="https://video.example/1"/><p>Behind</p><img src="https://images.example/1.jpg">'
    const [entry] = readFeed(json([{ id: '1', content_html: html }]), feedAddress)?.entries ?? []
    expect(entry).toMatchObject({
      contentHtml: '<p>Behind</p><img src="https://images.example/1.jpg">',
      excerpt: 'Behind',
      imageUrl: 'https://images.example/1.jpg',
    })
  })

  it.each(['A', 'अ'])(
    'reads a text with an image within it that is as large as a page may be, also where it never ends: %s',
    (before) => {
      const data = 'iVBO'.repeat(2_300_000)
      const texts = ['"><p>B</p>', "'><p>B</p>", ''].map((end) => `${before}<img src="data:${data}${end}`)
      const read = texts.map(
        (text) =>
          readFeed(json([{ id: '1', content_html: text }]), feedAddress)?.entries[0]?.contentHtml.length,
      )
      expect(read).toEqual([`${before}<img src=""><p>B</p>`.length, 1_000_001, 1_000_001])
    },
  )

  it('leaves what only looks like an image in a text', () => {
    const long = 'iVBO'.repeat(1_000)
    const texts = [
      `src="data:${long}' src='data:${long}"`,
      `src="data:short"`,
      `src=data:${long}`,
      'src="data:',
    ]
    const entries = readFeed(
      json(texts.map((text, n) => ({ id: `${n}`, content_html: text }))),
      feedAddress,
    )?.entries
    expect(entries?.map(({ contentHtml }) => contentHtml)).toEqual(texts)
  })
})

it('takes in no more of a text than is looked at', () => {
  const feed = `<rss version="2.0"><channel><title>R</title><item><link>https://a.b/</link><description>${'ab '.repeat(2_000_000)}</description></item></channel></rss>`
  expect(readFeed(feed, feedAddress)?.entries[0]?.contentHtml).toHaveLength(1_000_001)
})

it('does not grow entities', () => {
  const lol = Array.from({ length: 12 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  const bomb = `<!DOCTYPE rss [<!ENTITY l0 "lol">${lol}]><rss version="2.0"><channel><title>&l12;</title><item><link>https://a.b/</link></item></channel></rss>`
  expect(readFeed(bomb, feedAddress)?.title.length ?? 0).toBeLessThan(100)
})
