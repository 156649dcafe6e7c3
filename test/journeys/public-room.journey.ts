/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import { envWithFonts } from '../support/font-sets.ts'
import { visit } from '../support/visit.ts'
import { addressOf, expect, test } from './exhibition.ts'

/** Places in the list of a wide, a narrow and a very wide work. */
const ARTWORKS = [0, 1, 5]

const LOW = [
  [740, 360],
  [844, 390],
  // A laptop's windows at 200 %.
  [640, 400],
  [720, 450],
] as const
const UPRIGHT = [
  [768, 1024],
  [820, 1180],
  [1024, 1366],
] as const

for (const [width, height] of [...LOW, ...UPRIGHT]) {
  test(`the picture has three quarters of the height or all of the width at ${width} × ${height}`, async ({
    page,
    data,
  }) => {
    await page.setViewportSize({ width, height })
    for (const index of ARTWORKS) {
      await visit(page, addressOf(data, index))
      const frame = await page.locator('[data-frame]').boundingBox()
      const isHigh = (frame?.height ?? 0) >= 0.75 * height
      const isWide = (frame?.width ?? 0) >= width - 1
      // A phone turned sideways: a wide image leaves the label room beside it.
      const price = await page.getByRole('dialog').getByText('₹').first().boundingBox()
      const isBeside =
        height < 400 && (price?.x ?? 0) > (frame?.width ?? 0) && (frame?.width ?? 0) > 0.6 * width
      expect(isHigh || isWide || isBeside, `${frame?.width} × ${frame?.height}`).toBe(true)
      if (height < 400) expect(price?.y).toBeLessThan(height)
      expect(frame?.x).toBeGreaterThanOrEqual(0)
      expect((frame?.x ?? 0) + (frame?.width ?? 0)).toBeLessThanOrEqual(width + 1)
      for (const name of ['Close', 'Next work', 'Zoom']) {
        await page.getByRole('button', { name, exact: true }).click({ trial: true })
      }
    }
  })
}

const widthOf = async (page: Page): Promise<number> =>
  (await page.locator('[data-frame]').boundingBox())?.width ?? 0

test('the wheel, + and − zoom, and the picture falls back into its place', async ({ page, data }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await visit(page, addressOf(data, 0))
  const zoomed = page.getByRole('region', { name: /^Enlarged picture/ })
  const fitting = await widthOf(page)

  await page.keyboard.press('+')
  await expect(zoomed).toBeVisible()
  await expect.poll(() => widthOf(page)).toBeGreaterThan(fitting * 1.2)
  const once = await widthOf(page)
  await page.keyboard.press('+')
  await expect.poll(() => widthOf(page)).toBeGreaterThan(once * 1.2)
  for (const _ of [1, 2, 3]) await page.keyboard.press('-')
  await expect(zoomed).toBeHidden()
  await expect.poll(() => widthOf(page)).toBe(fitting)

  await page.locator('[data-frame]').hover()
  await page.mouse.wheel(0, -200)
  await expect(zoomed).toBeVisible()
  await expect.poll(() => widthOf(page)).toBeGreaterThan(fitting * 1.2)
  for (const _ of [1, 2, 3]) await page.mouse.wheel(0, 200)
  await expect(zoomed).toBeHidden()
})

/** The words on a page that go on in the next line without a hyphen. */
const splitWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode
      const parent = text.parentElement
      // What is only read out is one pixel wide.
      if (!parent?.checkVisibility() || parent.closest('script, style, noscript')) continue
      if (parent.getBoundingClientRect().width < 2) continue
      for (const { index, 0: word } of (text.textContent ?? '').matchAll(/[\p{L}\p{M}]+/gu)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)))
        if (lines.size > 1) found.push(`${word} in ${parent.tagName}`)
      }
    }
    return found
  })

test('text twice as large splits no word', async ({ page, data }) => {
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const address of ['/', addressOf(data, 0)]) {
      await visit(page, address)
      await page.evaluate(async () => {
        document.documentElement.style.fontSize = '200%'
        await document.fonts.ready
      })
      const split = await splitWords(page)
      expect(split, `${width} px`).toEqual([])
    }
  }
})

test('text twice as large splits no word of the work that a letter asks about', async ({ page, data }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await visit(page, addressOf(data, 0))
  await page.getByRole('link', { name: 'Enquire' }).click()
  await page.getByRole('button', { name: 'Do not ask about this work' }).waitFor()
  await page.evaluate(async () => {
    document.documentElement.style.fontSize = '200%'
    await document.fonts.ready
  })
  expect(await splitWords(page)).toEqual([])
})

test('no word of a name is split on the poster', async ({ page, pages, data }) => {
  for (const artistName of [
    'Sunita Deshpande-Kulkarni',
    'Bhattacharya',
    'Mukhopadhyay Bandyopadhyay',
    'Asha Krishnamurthy and Friends of Art',
    'LALITHA KRISHNAMURTHY',
  ]) {
    pages.show({ ...data, siteContent: { ...data.siteContent, artistName } })
    try {
      for (const width of [320, 360, 640, 740]) {
        await page.setViewportSize({ width, height: 740 })
        await visit(page, '/')
        await page.evaluate(() => document.fonts.ready)
        expect(await splitWords(page), `${width} px`).toEqual([])
      }
    } finally {
      pages.show(data)
    }
  }
})

test('the footer holds a long name with text twice as large', async ({ page, pages, data }) => {
  for (const artistName of ['Leela Marathe', 'Venkatasubramaniam Krishnamoorthyswamy']) {
    pages.show({ ...data, siteContent: { ...data.siteContent, artistName } })
    let linesSeen = 0
    try {
      for (const width of [320, 360]) {
        await page.setViewportSize({ width, height: 740 })
        await visit(page, '/')
        await page.evaluate(async () => {
          document.documentElement.style.fontSize = '200%'
          await document.fonts.ready
        })
        expect(await page.evaluate(() => document.documentElement.scrollWidth), artistName).toBe(width)
        // How each line but the last ends.
        const ends = await page.locator('footer :is(p, small)').evaluateAll((parts) =>
          parts.flatMap((part) => {
            const lines = new Map<number, string>()
            const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
            while (texts.nextNode()) {
              const text = texts.currentNode
              for (const [index, character] of [...(text.textContent ?? '')].entries()) {
                const range = document.createRange()
                range.setStart(text, index)
                range.setEnd(text, index + 1)
                lines.set(Math.round(range.getBoundingClientRect().bottom), character)
              }
            }
            return [...lines.values()].slice(0, -1)
          }),
        )
        linesSeen += ends.length
        for (const end of ends) expect(end, `${artistName} at ${width}`).toMatch(/[ \u00ad\d]/)
      }
      expect(linesSeen, artistName).toBeGreaterThan(0)
    } finally {
      pages.show(data)
    }
  }
})

test('a very long word of a button stays within the page', async ({ page, pages, data }) => {
  const heroPrimaryButtonText = 'Donaudampfschifffahrtsgesellschaftskapitaensmuetzenausstellung'
  const heroSecondaryButtonText = 'W'.repeat(100)
  pages.show({
    ...data,
    siteContent: { ...data.siteContent, heroPrimaryButtonText, heroSecondaryButtonText },
  })
  try {
    for (const width of [320, 360, 740, 1280]) {
      await page.setViewportSize({ width, height: 740 })
      await visit(page, '/')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
  } finally {
    pages.show(data)
  }
})

test('very long words of running text break with a hyphen', async ({ page, pages, data }) => {
  const word = 'Donaudampfschifffahrtsgesellschaftskapitaensmuetze'
  const text = `Of the ${word} on the wall.`
  pages.show({
    ...data,
    siteContent: {
      ...data.siteContent,
      artistBio: text,
      artistDescription: `<p>${text}</p>`,
      bioParagraph3: text,
      artistQuote: 'Colour is a place.',
      quoteBulletPoint1: `instagram.com/${'anandavalli'.repeat(6)}`,
    },
    artworks: data.artworks.map((artwork, index) =>
      index === 0 ? { ...artwork, description: text } : artwork,
    ),
  })
  try {
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 740 })
      for (const [address, selector, count] of [
        ['/', '#about p', 3],
        [addressOf(data, 0), '[data-overlay] p[dir]', 1],
      ] as const) {
        await visit(page, address)
        // Every line of the word but its last ends at a place for a hyphen.
        const ends = await page.locator(selector, { hasText: 'on the wall' }).evaluateAll((texts) =>
          texts.map((paragraph) => {
            const node = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT).nextNode()!
            const messages = node.textContent ?? ''
            const from = messages.indexOf('Donau')
            const range = document.createRange()
            const bottomOf = (index: number): number => {
              range.setStart(node, index)
              range.setEnd(node, index + 1)
              return Math.round(range.getBoundingClientRect().bottom)
            }
            const found = []
            for (let index = from + 1; index < messages.indexOf(' on the'); index += 1) {
              if (bottomOf(index) > bottomOf(index - 1)) found.push(messages.slice(index - 1, index + 1))
            }
            return found
          }),
        )
        expect(ends).toHaveLength(count)
        for (const breaks of ends) {
          expect(breaks.length, `${address} at ${width}`).toBeGreaterThan(0)
          for (const pair of breaks) expect(pair).toContain('\u00ad')
        }
      }
      expect(await page.content()).toContain(`"description":"${text}`)
      await visit(page, '/')
      const end = await page.locator('#about li', { hasText: 'instagram' }).evaluate((point) => {
        const words = document.createRange()
        words.selectNodeContents(point)
        return words.getBoundingClientRect().right
      })
      expect(end, `a point of her quote at ${width}`).toBeLessThan(width)
    }
  } finally {
    pages.show(data)
  }
})

test('Devanagari and Arabic stand upright and run their own way', async ({ page, pages, data }) => {
  const titles = ['वर्षा, the Second Day', 'بعد المطر']
  pages.show({
    ...data,
    artworks: data.artworks.map((artwork, index) => ({ ...artwork, title: titles[index] ?? artwork.title })),
  })
  try {
    await visit(page, '/')
    const arabic = page.locator('#gallery cite', { hasText: 'بعد المطر' })
    await expect(arabic).toHaveCSS('direction', 'rtl')
    await expect(arabic).toHaveCSS('font-synthesis-style', 'none')
    await expect(page.locator('#gallery cite', { hasText: 'वर्षा' })).toHaveCSS('direction', 'ltr')
    expect(
      await page
        .locator('h1, h3, cite, footer p')
        .evaluateAll(
          (names) =>
            names.filter(
              (name) => name.closest('#blogs, #gallery, #home, footer') && !name.hasAttribute('dir'),
            ).length,
        ),
    ).toBe(0)
  } finally {
    pages.show(data)
  }
})

for (const [width, height] of LOW.slice(0, 2)) {
  for (const title of ['بعد المطر على النافذة الشرقية', 'Monsoon over the Western Ghats', 'Monsoon']) {
    test(`the close button lies over no word of the label of “${title}” at ${width} × ${height}`, async ({
      page,
      pages,
      data,
    }) => {
      pages.show({
        ...data,
        artworks: data.artworks.map((artwork, index) =>
          index === 0 ? { ...artwork, title, dimensions: '' } : artwork,
        ),
      })
      try {
        await page.setViewportSize({ width, height })
        await visit(page, addressOf(data, 0))
        const close = (await page.getByRole('button', { name: 'Close', exact: true }).boundingBox())!
        const lines = await page.locator('[data-overlay] :is(h1, li, p > span)').evaluateAll((parts) =>
          parts.flatMap((part) => {
            const range = document.createRange()
            range.selectNodeContents(part)
            return [...range.getClientRects()].map(({ left, right, top, bottom }) => ({
              left,
              right,
              top,
              bottom,
            }))
          }),
        )
        expect(lines.length).toBeGreaterThan(0)
        const covered = lines.filter(
          ({ left, right, top, bottom }) =>
            left < close.x + close.width &&
            right > close.x &&
            top < close.y + close.height &&
            bottom > close.y,
        )
        expect(covered).toEqual([])
      } finally {
        pages.show(data)
      }
    })
  }
}

test('Devanagari is drawn on a machine without a face for it, in running text too', async ({
  playwright,
  launchOptions,
  pages,
  data,
}) => {
  const text = 'बारिश के बाद की दीवार'
  pages.show({
    ...data,
    siteContent: { ...data.siteContent, artistBio: text },
    artworks: data.artworks.map((artwork, index) =>
      index === 0 ? { ...artwork, description: text } : artwork,
    ),
  })
  const browser = await playwright.chromium.launch({ ...launchOptions, env: envWithFonts('times') })
  try {
    const page = await browser.newPage()
    for (const path of ['/', addressOf(data, 0)]) {
      await visit(page, new URL(path, pages.url).href)
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('DOM.enable')
      await cdp.send('CSS.enable')
      const selector = path === '/' ? '#about p' : '[data-overlay] p'
      const faces = async (): Promise<string[]> => {
        const place = page.locator(selector, { hasText: text })
        await place.scrollIntoViewIfNeeded()
        await place.evaluate((element) => element.setAttribute('data-asked', ''))
        const { root } = await cdp.send('DOM.getDocument')
        const { nodeId } = await cdp.send('DOM.querySelector', {
          nodeId: root.nodeId,
          selector: '[data-asked]',
        })
        const { fonts } = await cdp.send('CSS.getPlatformFontsForNode', { nodeId })
        return fonts.map(({ familyName }) => familyName)
      }
      // Blanks may be another face's.
      await expect
        .poll(async () => (await faces()).join(), { message: path })
        .toMatch(/Eczar|Devanagari|Nirmala/)
    }
  } finally {
    pages.show(data)
    await browser.close()
  }
})

test('Devanagari that comes late is drawn all the same where no known face is', async ({
  playwright,
  launchOptions,
  pages,
  data,
}) => {
  const title = 'बारिश'
  pages.show({
    ...data,
    artworks: data.artworks.map((artwork, index) => (index === 0 ? { ...artwork, title } : artwork)),
  })
  const browser = await playwright.chromium.launch({ ...launchOptions, env: envWithFonts('unknown') })
  try {
    const page = await browser.newPage()
    const gate = Promise.withResolvers<void>()
    await page.route(/eczar/, async (route) => {
      await gate.promise
      await route.continue()
    })
    // The held face keeps the page from being loaded, where it is asked for before.
    await page.goto(pages.url, { waitUntil: 'commit' })
    // Other faces that come late stay away there.
    await page.waitForFunction(() => [...document.fonts].some(({ family }) => family.includes('Eczar')))
    expect(await page.evaluate(() => [...document.fonts].some(({ family }) => family === 'Newsreader'))).toBe(
      false,
    )
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('DOM.enable')
    await cdp.send('CSS.enable')
    const face = async (): Promise<string> => {
      const { root } = await cdp.send('DOM.getDocument')
      const { nodeId } = await cdp.send('DOM.querySelector', {
        nodeId: root.nodeId,
        selector: '#gallery cite',
      })
      const { fonts } = await cdp.send('CSS.getPlatformFontsForNode', { nodeId })
      return fonts.map(({ familyName }) => familyName).join()
    }
    await page.locator('#gallery cite').first().scrollIntoViewIfNeeded()
    // A tile that was far away is laid out with the next frame.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    // At once in whatever the machine has, never blank.
    expect(await face()).not.toBe('')
    gate.resolve()
    await expect.poll(face).toMatch(/Eczar/)
  } finally {
    pages.show(data)
    await browser.close()
  }
})

test('a journal card leads to its post from picture and title, and its excerpt ends at a word', async ({
  page,
  pages,
  data,
}) => {
  const excerpt = 'The blue of the Konkan is not one blue but a family of quarrelling relatives. '.repeat(8)
  pages.show({ ...data, blogPosts: data.blogPosts.map((post) => ({ ...post, excerpt })) })
  try {
    await visit(page, '/')
    const cards = page.locator('#blogs li')
    for (const [index, post] of data.blogPosts.slice(0, 3).entries()) {
      const card = cards.nth(index)
      await expect(card.locator('a', { has: page.locator('img') })).toHaveAttribute(
        'href',
        post.externalUrl ?? '',
      )
      await expect(card.getByRole('heading').getByRole('link')).toHaveAttribute(
        'href',
        post.externalUrl ?? '',
      )
      const text = (await card.locator('p').textContent()) ?? ''
      expect(text).toMatch(/\w…$/)
      expect(`${excerpt}`.startsWith(text.slice(0, -1))).toBe(true)
      expect(excerpt[text.length - 1]).toMatch(/[\s.,]/)
    }
  } finally {
    pages.show(data)
  }
})

test('from far down a long wall one press leads back to the top', async ({ page, pages, data }) => {
  const many = Array.from({ length: 60 }, (_, number) => {
    const artwork = data.artworks[number % data.artworks.length]
    if (!artwork) throw new Error('The exhibition is empty')
    return { ...artwork, id: `${String(number).padStart(8, '0')}${artwork.id.slice(8)}` }
  })
  pages.show({ ...data, artworks: many })
  try {
    await page.setViewportSize({ width: 360, height: 780 })
    await visit(page, '/')
    const back = page.getByRole('link', { name: 'Back to top' })
    await expect(back).not.toBeInViewport()
    await page.evaluate(() => scrollTo({ top: 6_000, behavior: 'instant' }))
    await expect(back).toBeInViewport()
    await back.click()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(100)
    // Who goes on by the keyboard or listens begins at the page's name.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  } finally {
    pages.show(data)
  }
})

test('the homepage prints without what is for pressing, and tells Sold from Reserved', async ({ page }) => {
  await visit(page, '/')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const pressed of ['header', 'form', 'footer nav', 'a[href="#gallery"]', '[data-toasts]']) {
    for (const part of await page.locator(pressed).all()) await expect(part).toBeHidden()
  }
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  const cut = await page
    .locator('#gallery li, #blogs article, figure')
    .evaluateAll((parts) => parts.filter((part) => getComputedStyle(part).breakInside !== 'avoid').length)
  expect(cut).toBe(0)
})

test('the homepage with its twelve artworks takes four sheets, and every artwork is on them', async ({
  page,
  pages,
  data,
}) => {
  const text =
    'She paints from the roof of a former printing press, in two monsoons and one dry season. '.repeat(4)
  pages.show({
    ...data,
    siteContent: {
      ...data.siteContent,
      artistBio: text,
      artistDescription: `<p>${text}</p>`,
      bioParagraph3: text,
      bioParagraph4: text,
    },
  })
  try {
    await visit(page, '/')
    // The letters that stand in for the site's are not as high.
    await page.evaluate(() => document.fonts.ready)
    for (const format of ['A4', 'Letter'] as const)
      expect(await sheetsOf(page, { format }), format).toBeLessThanOrEqual(4)
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('#gallery li').filter({ visible: true })).toHaveCount(12)
    for (const part of [
      '#about blockquote',
      '#blogs article',
      '#contact dl',
      '#contact aside, #contact ul',
      'footer',
    ])
      await expect(page.locator(part).first()).toBeVisible()
  } finally {
    pages.show(data)
  }
})

test('an empty journal is printed without its button', async ({ page, pages, data }) => {
  pages.show({
    ...data,
    blogPosts: [],
    siteContent: { ...data.siteContent, blogUrl: 'https://leela.example.org' },
  })
  try {
    await visit(page, '/')
    const button = page.getByRole('link', { name: 'Visit Blog', includeHidden: true })
    await expect(button).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(button).toBeHidden()
  } finally {
    pages.show(data)
  }
})

test('the sheet of a work has picture, label, price and the code that leads to it', async ({
  page,
  data,
}) => {
  await visit(page, addressOf(data, 0))
  await page.emulateMedia({ media: 'print' })
  const code = page.locator(`img[src="/qr/work/${data.artworks[0]?.id}.svg"]`)
  await expect(code).toBeVisible()
  expect((await code.boundingBox())?.width).toBeGreaterThan(90)
  await expect(page.locator('[data-frame] img')).toBeVisible()
  await expect(page.locator('[data-overlay]').getByText('Leela Marathe', { exact: true })).toBeVisible()
  await expect(page.locator('[data-overlay] p > span', { hasText: '₹96,000' })).toBeVisible()
  for (const name of ['Close', 'Next work', 'Zoom', 'Pay with UPI · ₹96,000']) {
    await expect(page.getByRole('button', { name, exact: true })).toBeHidden()
  }
  expect(await sheetsOf(page, { format: 'A4' })).toBe(1)
})

const sheetsOf = async (page: Page, paper: Parameters<Page['pdf']>[0]): Promise<number> =>
  (await page.pdf(paper)).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0

for (const format of ['A4', 'Letter', 'A5'] as const) {
  test(`the page of an artwork is one sheet of ${format}, upright and across`, async ({
    page,
    pages,
    data,
  }) => {
    const description = 'Painted over two monsoons from the roof of the old printing press. '.repeat(12)
    pages.show({ ...data, artworks: data.artworks.map((artwork) => ({ ...artwork, description })) })
    try {
      for (const index of ARTWORKS) {
        await visit(page, addressOf(data, index))
        for (const landscape of [false, true]) {
          expect(await sheetsOf(page, { format, landscape }), `artwork ${index}, across: ${landscape}`).toBe(
            1,
          )
        }
      }
    } finally {
      pages.show(data)
    }
  })
}
