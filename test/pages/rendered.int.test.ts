import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ContactOutcome, PageData, PageRequest, RenderOutput } from '#web/contract/pages.ts'
import {
  fileHash,
  makeBlogPost,
  makeArtwork,
  makePageData,
  makeSiteContent,
  uuid,
} from '#web/contract/testing/make-page-data.ts'
import type { ClientBuild } from '#web/server/pages/dev-build.ts'
import { dashboardFiles, isLibrary, sentBytes } from '../support/client-weight.ts'
import { freshClientBuild } from './client-build.ts'

/** The real renderer over made-up data: what a browser gets before any script runs. */

let build: ClientBuild
beforeAll(async () => {
  build = await freshClientBuild()
})

const HOME: PageRequest = { kind: 'home', category: null }
const PUBLIC_URL = 'https://art.example'

const render = async (page: PageRequest, data: PageData, contact?: ContactOutcome): Promise<RenderOutput> => {
  const { render: renderPage } = await build.loadRenderer()
  return renderPage({
    page,
    data,
    publicUrl: PUBLIC_URL,
    assets: build.assets,
    ...(contact ? { contact } : {}),
  })
}

const blocks = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map((match) => match[1] ?? '')
const jsonLdOf = (html: string): { '@graph': Record<string, unknown>[] } =>
  JSON.parse(blocks(html, /<script type="application\/ld\+json">(.*?)<\/script>/gs)[0] ?? '')
/** What the page brings for the program's cache, by the name of each list. */
const listsIn = (html: string): Record<string, unknown> =>
  JSON.parse(blocks(html, /<script type="application\/json" id="page-data">(.*?)<\/script>/gs)[0] ?? '').lists
const artworksIn = (html: string) =>
  // As `on-page.ts` makes them.
  listsIn(html)['artworks'] as {
    id: string
    title: string
    description: string | null
  }[]
const typed = (html: string, type: string) =>
  jsonLdOf(html)['@graph'].find((thing) => [thing['@type']].flat().includes(type))
const metaOf = (html: string, name: string): string | undefined =>
  blocks(html, new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`, 'g'))[0]

const HOSTILE = '</script><script>alert(1)</script><!--<script> & "quotes" \u2028'

describe('the homepage', () => {
  it('carries only what its screens show of each list', async () => {
    const posts = [0, 1, 2, 3].map((number) => makeBlogPost(number, { excerpt: 'Turmeric. '.repeat(40) }))
    const { html } = await render(HOME, makePageData(1, { blogPosts: posts }))
    const lists = listsIn(html)
    const { posts: shown, hasMore } = Object(lists['blog-posts'])
    expect(hasMore).toBe(true)
    expect(shown).toHaveLength(3)
    for (const { excerpt } of shown) expect(html).toContain(`<p dir="auto">${excerpt}</p>`)
    const keys = [lists['site-content'], lists['artworks'], shown]
      .flat()
      .flatMap((each) => Object.keys(Object(each)))
    const unshown =
      /^(?:upiId|upiPayeeName|upiKind|version|createdAt|updatedAt|isVisible|isAvailable|isExternal|content|overrides)$/
    expect(keys.filter((key) => unshown.test(key))).toEqual([])
    expect(keys).toEqual(expect.arrayContaining(['artistName', 'title', 'externalUrl']))
  })

  it('arrives complete: name, works with price, posts, form', async () => {
    const { status, html } = await render(HOME, makePageData(5))
    expect(status).toBe(200)
    for (const text of ['Leela Marathe', 'Study 4 of the monsoon', '₹12,000', 'Letter 2 from the studio']) {
      expect(html).toContain(text)
    }
    expect(html).toContain(`href="/artwork/study-4-of-the-monsoon-${uuid(4)}"`)
    expect(html).toContain('action="/contact#contact"')
  })

  it('asks phones to make no links of numbers and addresses in its texts', async () => {
    const { html } = await render(HOME, makePageData(1))
    expect(html).toMatch(/<meta name="format-detection" content="telephone=no,[^"]*address=no">/)
  })

  it('hands back exactly the styles and scripts that stand in it, and has no attributes of either kind', async () => {
    const { html, styles, scripts } = await render(HOME, makePageData(30))
    expect([...new Set(blocks(html, /<style[^>]*>(.*?)<\/style>/gs))]).toEqual(styles)
    expect(html).not.toMatch(/<[^>]+\sstyle=/)
    expect(html).not.toMatch(/<[^>]+\son[a-z]+="/)
    expect(blocks(html, /<script type="module" async>(.*?)<\/script>/gs)).toEqual(scripts)
    expect(blocks(html, /<script( [^>]*)>/g)).toEqual([
      ' type="application/json" id="program"',
      ' type="module" async',
      ' type="application/ld+json"',
      ' type="application/json" id="page-data"',
    ])
    expect(html).toContain(JSON.stringify(build.assets.scripts))
  })

  it('carries what varies per work in one style block', async () => {
    const { styles } = await render(HOME, makePageData(30))
    const rules = styles.at(-1) ?? ''
    expect(rules).toMatch(
      new RegExp(
        `\\.w-${uuid(0)}\\{--ratio:1\\.5;--natural:1200px;--color:#[0-9a-f]{6};--placeholder:url\\(data:`,
      ),
    )
    expect(rules.match(/--placeholder/g)).toHaveLength(24)
    expect(rules.match(/--ratio/g)).toHaveLength(30)
  })

  it('cannot be broken out of by any text of the data', async () => {
    const data = makePageData(0, {
      siteContent: makeSiteContent({ artistName: HOSTILE, artistBio: HOSTILE, heroSubtitle: HOSTILE }),
      artworks: [
        makeArtwork(0, {
          title: HOSTILE,
          description: HOSTILE,
          medium: HOSTILE,
          image: { width: 10, height: 10, placeholder: '</style>', color: '};}</style>', ready: true },
        }),
      ],
    })
    for (const page of [HOME, { kind: 'artwork', id: uuid(0) } as const]) {
      const { html, styles } = await render(page, data)
      expect(html).not.toContain('<script>alert')
      expect(html).not.toContain('<!--<script')
      expect([...new Set(blocks(html, /<style[^>]*>(.*?)<\/style>/gs))]).toEqual(styles)
      expect(artworksIn(html)[0]?.title).toBe(HOSTILE)
      expect(JSON.stringify(jsonLdOf(html))).toContain('alert(1)')
    }
  })

  it('says what it is: title, description, canonical, card, artist, site and list', async () => {
    const data = makePageData(3, { cards: { [uuid(0)]: 'c4rd' } })
    const { html } = await render(HOME, data)
    expect(html).toContain('<title>Leela Marathe: paintings</title>')
    expect(html).toContain('<link rel="canonical" href="https://art.example/">')
    expect(metaOf(html, 'description')).toContain('Byculla')
    expect(metaOf(html, 'og:image')).toBe('https://art.example/images/c4rd/card.jpg')
    expect(metaOf(html, 'og:image:width')).toBe('1200')
    expect(metaOf(html, 'twitter:card')).toBe('summary_large_image')
    expect(typed(html, 'Person')).toMatchObject({ name: 'Leela Marathe' })
    expect(typed(html, 'WebSite')).toMatchObject({ url: 'https://art.example/' })
    expect(typed(html, 'ItemList')).toMatchObject({ numberOfItems: 3 })
  })

  it('asks ahead for one picture and the letters of the name; the first layout asks for what else is in view', async () => {
    const { html } = await render(HOME, makePageData(6))
    const images = blocks(html, /<img([^>]*loading="eager"[^>]*)>/g)
    expect(images).toHaveLength(1)
    expect(images[0]).toMatch(/fetchpriority="high"/i)
    expect(images[0]).toContain(fileHash(0))
    expect(html).not.toContain('rel="preload"')
  })

  it('asks for no fonts before the first view is painted, unless no script runs', async () => {
    const { html } = await render(HOME, makePageData(12))
    const [, waiting, otherwise] =
      /<style id="fonts" media="not all">(.*?)<\/style>(.*?<\/noscript>)/s.exec(html) ?? []
    expect(waiting?.match(/@font-face/g)?.length).toBeGreaterThan(8)
    expect(otherwise).toMatch(
      /^<noscript><link rel="stylesheet" href="\/assets\/fonts-[\w-]+\.css"><\/noscript>$/,
    )
    expect(html.replaceAll(waiting ?? '', '')).not.toContain('.woff2')
  })

  it('names every built file it asks for', async () => {
    const { html } = await render({ kind: 'artwork', id: uuid(0) }, makePageData(1))
    const asked = blocks(html, /"(\/assets\/[^"]+)"/g)
    expect(asked).toEqual(expect.arrayContaining([...build.assets.scripts]))
    expect(asked.length).toBeGreaterThan(3)
    for (const file of asked) expect(() => readFileSync(join(build.clientFolder, file))).not.toThrow()
  })

  it('shows the works of the category in the address', async () => {
    const { html } = await render({ kind: 'home', category: 'Still Life' }, makePageData(12))
    const gallery = html.slice(html.indexOf('data-list="gallery"'))
    expect(gallery).toContain('>Study 11 of the monsoon<')
    expect(gallery).not.toContain('>Study 10 of the monsoon<')
  })

  it('shows portrait and posts in the size of their place once their variants are there', async () => {
    const portrait = `/images/${fileHash(70)}/original-view.jpg`
    const siteContent = makeSiteContent({ profileImageUrl: portrait })
    const sources = (html: string) => blocks(html, new RegExp(`/images/${fileHash(70)}/(\\d+\\.\\w+) `, 'g'))
    const known = await render(
      HOME,
      makePageData(1, { siteContent, images: { [portrait]: { width: 800, height: 1000 } } }),
    )
    expect(sources(known.html)).toEqual([
      '320.avif',
      '640.avif',
      '800.avif',
      '320.webp',
      '640.webp',
      '800.webp',
    ])
    expect(sources((await render(HOME, makePageData(1, { siteContent }))).html)).toEqual([])
  })

  it('is whole without any data of the artist', async () => {
    const { html } = await render(
      HOME,
      makePageData(0, { siteContent: makeSiteContent({ artistName: '' }), blogPosts: [] }),
    )
    expect(html).toContain('No artworks available. Check back soon for new additions!')
    expect(html).toContain('No blog posts available. Check back soon for updates!')
  })
})

describe('a form posted without script', () => {
  it('comes back with its errors and what was typed, as 422', async () => {
    const { status, html } = await render(HOME, makePageData(1), {
      status: 'refused',
      message: 'Please correct the marked fields',
      fields: { email: 'Email must look like name@example.com' },
      values: { name: 'Ravi "R" <K>', email: 'ravi@' },
    })
    expect(status).toBe(422)
    expect(html).toContain('Email must look like name@example.com')
    expect(html).toContain('value="Ravi &quot;R&quot; &lt;K&gt;"')
  })

  it('is thanked for', async () => {
    const { status, html } = await render(HOME, makePageData(1), { status: 'sent' })
    expect(status).toBe(200)
    expect(html).toContain('Message Sent!')
  })
})

describe('the page of a work', () => {
  it('asks for its own picture before those that it covers', async () => {
    const { html } = await render({ kind: 'artwork', id: uuid(4) }, makePageData(6))
    const urgent = blocks(html, /<img([^>]*fetchpriority="high"[^>]*)>/gi)
    expect(urgent).toHaveLength(1)
    expect(urgent[0]).toContain(fileHash(4))
    expect(blocks(html, /<img([^>]*loading="eager"[^>]*)>/g)).toHaveLength(1)
  })

  const page: PageRequest = { kind: 'artwork', id: uuid(1) }

  it('shows the work readably above the homepage, with a way home', async () => {
    const { status, html } = await render(page, makePageData(3))
    expect(status).toBe(200)
    expect(html).toContain('<dialog open=""')
    expect(html).toContain('when the river stood 1 hands above the ghat')
    expect(html).toContain('formAction="/"')
    expect(html).toContain('<title>Study 1 of the monsoon, Leela Marathe</title>')
    expect(html).toContain(
      `<link rel="canonical" href="https://art.example/artwork/study-1-of-the-monsoon-${uuid(1)}">`,
    )
  })

  it.each([
    ['for_sale', 'https://schema.org/InStock'],
    ['reserved', 'https://schema.org/Reserved'],
    ['sold', 'https://schema.org/SoldOut'],
  ] as const)('offers a work that is %s as %s', async (saleStatus, availability) => {
    const data = makePageData(0, { artworks: [makeArtwork(1, { saleStatus, price: 125_000 })] })
    const { html } = await render(page, data)
    expect(typed(html, 'VisualArtwork')).toMatchObject({
      '@type': ['Product', 'VisualArtwork'],
      width: { value: 122, unitCode: 'CMT' },
      offers: { '@type': 'Offer', price: '125000', priceCurrency: 'INR', availability },
    })
  })

  it.each([
    ['unsaid', null],
    ['framed_glass', 'Framed under glass'],
  ] as const)('tells the framing %s on the label and to search engines as %s', async (framing, words) => {
    const data = makePageData(0, { artworks: [makeArtwork(1, { framing, price: 125_000 })] })
    const { html } = await render(page, data)
    const told = { '@type': 'PropertyValue', name: 'Framing', value: words }
    expect(typed(html, 'VisualArtwork')).toEqual(
      words === null
        ? expect.not.objectContaining({ additionalProperty: expect.anything() })
        : expect.objectContaining({ additionalProperty: [told] }),
    )
    expect(blocks(html, /<li>((?:Not said|Unframed|Framed)[^<]*)<\/li>/g)).toEqual(
      words === null ? [] : [words],
    )
  })

  it.each([
    ['price on request', { price: 0 }],
    ['not for sale', { saleStatus: 'not_for_sale' as const }],
  ])('offers nothing for a work with %s', async (_, change) => {
    const { html } = await render(page, makePageData(0, { artworks: [makeArtwork(1, change)] }))
    const artwork = typed(html, 'VisualArtwork')
    expect(artwork).toMatchObject({ '@type': 'VisualArtwork' })
    expect(artwork).not.toHaveProperty('offers')
  })
})

describe('styles below the first view', () => {
  const sheets = (): readonly string[] => build.assets.below.map(({ href }) => href)
  const linkOf = (href: string): string => `<link rel="stylesheet" href="${href}"/>`

  it('are linked by the homepage where its first view ends', async () => {
    const { html } = await render(HOME, makePageData(5))
    expect(sheets().length).toBeGreaterThan(0)
    for (const { href, text } of build.assets.below) {
      const at = html.indexOf(linkOf(href))
      expect(at).toBeGreaterThan(html.indexOf('id="home"'))
      expect(at).toBeLessThan(html.indexOf('id="about"'))
      expect(html).not.toContain(text)
    }
  })

  it.each([
    ['an open artwork', { kind: 'artwork', id: uuid(1) }],
    ['the dashboard', { kind: 'admin' }],
    ['an unknown address', { kind: 'not-found' }],
  ] as const)('stand in the page of %s', async (_, page) => {
    const { html, styles } = await render(page, makePageData(5))
    for (const { href, text } of build.assets.below) {
      expect(styles).toContain(text)
      expect(html).not.toContain(linkOf(href))
    }
  })
})

describe('the styles that a page brings', () => {
  /** Names of classes as the build makes them. */
  const classesIn = (html: string): readonly string[] =>
    blocks(html, / class="([^"]+)"/g).flatMap((names) => names.split(' '))

  it.each<PageRequest>([HOME, { kind: 'artwork', id: uuid(1) }, { kind: 'admin' }, { kind: 'not-found' }])(
    'have a rule for every class in the page of $kind',
    async (page) => {
      const { html, styles } = await render(page, makePageData(5))
      const rules = [...styles, ...build.assets.below.map(({ text }) => text)].join('')
      const without = new Set(classesIn(html).filter((name) => !rules.includes(`.${name}`)))
      expect(classesIn(html).length).toBeGreaterThan(0)
      expect([...without]).toEqual([])
    },
  )
})

describe('other pages', () => {
  it('answer an unknown address with the demanded words', async () => {
    const { status, html } = await render({ kind: 'not-found' }, makePageData(1))
    expect(status).toBe(404)
    expect(html).toContain('404 Page Not Found')
    expect(html).toContain('Did you forget to add the page to the router?')
    expect(html).toContain('content="noindex"')
    expect(html).not.toContain('Study 0')
  })

  it('tell the owner that the dashboard is loading, and tell searchers nothing', async () => {
    const { html } = await render({ kind: 'admin' }, makePageData(1))
    expect(html).toContain('Loading...')
    expect(html).toContain('content="noindex"')
    expect(html).not.toContain('Study 0')
  })
})

describe('a gallery of 24 works', () => {
  it('is at most 120 kB, and 14 kB of brotli', async () => {
    // One image of twelve megapixels in all sizes: what each further one adds is its own address and placeholder.
    const { image, imageUrl } = makeArtwork(0)
    const shown = { imageUrl, image: image && { ...image, width: 4_000, height: 3_000 } }
    const artworks = Array.from({ length: 24 }, (_, number) => makeArtwork(number, shown))
    const { html } = await render(HOME, makePageData(24, { artworks }))
    expect(html.length).toBeLessThanOrEqual(120_000)
    expect(brotliCompressSync(html).length).toBeLessThanOrEqual(14_000)
  })
})

describe('a gallery of 500 works', () => {
  it('leaves descriptions out, but for the open work', async () => {
    const data = makePageData(500)
    const { html } = await render({ kind: 'artwork', id: uuid(7) }, data)
    const described = artworksIn(html).filter(({ description }) => description !== null)
    expect(described.map(({ id }) => id)).toEqual([uuid(7)])
  })

  it('is at most 120 kB of brotli, as it first goes out', async () => {
    const { html } = await render(HOME, makePageData(500))
    const quick = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
    expect(quick.length).toBeLessThanOrEqual(120_000)
  })
})

describe('what a visitor downloads', () => {
  it('is at most 3.25 kB of script until somebody uses the page', () => {
    expect(brotliCompressSync(build.assets.inline).length).toBeLessThanOrEqual(3_250)
  })

  const sum = (files: readonly string[]): number => sentBytes(build, files)

  it('is at most 110 kB of scripts once the page is used, 120 kB with a work open', () => {
    const home = sum(build.assets.scripts)
    expect(home).toBeLessThanOrEqual(110_000)
    expect(home + sum(build.assets.artwork.modules)).toBeLessThanOrEqual(120_000)
  })

  it('is at most 15 kB of scripts beyond React, router and Query, 10 kB more with an artwork open', () => {
    const own = build.assets.scripts.filter((file) => !isLibrary(file))
    expect(own.length).toBeLessThan(build.assets.scripts.length)
    expect(sum(own)).toBeLessThanOrEqual(15_000)
    expect(sum(build.assets.artwork.modules)).toBeLessThanOrEqual(10_000)
  })

  it('is at most 190 kB until the dashboard stands; its editor comes apart', () => {
    const { first, editor } = dashboardFiles(build)
    expect(sum(first)).toBeLessThanOrEqual(190_000)
    expect(editor.join()).toContain('/editor-')
  })

  it('holds no schemas, dialogs or dashboard in its first scripts', () => {
    const script = build.assets.scripts
      .map((file) => readFileSync(join(build.clientFolder, file), 'utf8'))
      .join('')
    for (const mark of ['ZodError', 'DismissableLayer', 'ProseMirror']) expect(script).not.toContain(mark)
  })

  it("holds no schemas in any script, the dashboard's neither", () => {
    const scripts = readdirSync(join(build.clientFolder, 'assets')).filter((file) => file.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(1)
    const withSchemas = scripts.filter((file) =>
      readFileSync(join(build.clientFolder, 'assets', file), 'utf8').includes('ZodError'),
    )
    expect(withSchemas).toEqual([])
  })

  it('is compressed once for good', () => {
    const entry = join(build.clientFolder, build.assets.scripts.at(-1) ?? '')
    expect(readFileSync(`${entry}.gz`).length).toBeLessThan(readFileSync(entry).length / 2)
  })

  it('gets a build whose name follows its sources', () => {
    expect(build.assets.build).toMatch(/^[0-9a-f]{32}$/)
  })
})
