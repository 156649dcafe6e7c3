/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import { alive, placeAtRest, visit } from '../support/visit.ts'
import { expect, publicArtworks, test } from './public-site.ts'

// One file, one server: its journeys run one after the other, those of the other files beside them.
test.describe.configure({ mode: 'default' })

const HERO_SUBTITLE =
  'Spearheading the affordable art movement • Author of 11 books • Experimental, unconventional, and unique art • Teaching art skills for free'

const wall = (page: Page) => page.locator('#gallery li')
const texts = (page: Page, selector: string) => page.locator(selector).allInnerTexts()

test('1 the page says what the specification says, her own words before the fallbacks', async ({ page }) => {
  await visit(page, '/')
  expect(await texts(page, 'header nav a')).toEqual(['Home', 'Gallery', 'Blog', 'Contact'])

  const home = page.locator('#home')
  await expect(home.getByRole('heading', { level: 1 })).toHaveText('Leela Marathe')
  await expect(home).toContainText(HERO_SUBTITLE.split(' • ')[3] ?? '')
  expect((await home.locator('p').first().innerText()).replace(/\s+/g, ' ').trim()).toBe(HERO_SUBTITLE)
  await expect(home.getByRole('link', { name: 'Explore Collection' })).toHaveAttribute('href', '#gallery')
  await expect(home.getByRole('link', { name: 'Get In Touch' })).toHaveAttribute('href', '#contact')
  await expect(home.getByRole('heading', { name: 'Featured Work' })).toBeAttached()
  expect(await home.locator('li cite').allInnerTexts()).toEqual([
    'Monsoon over the Ghats',
    'Haldi',
    'Neel, after the Rains',
  ])
  await expect(home.getByRole('link', { name: 'View All Artworks' })).toHaveAttribute('href', '#gallery')

  const about = page.locator('#about')
  await expect(about.getByRole('img', { name: 'Portrait of Leela Marathe' })).toHaveAttribute(
    'src',
    /^\/uploads\/profile\//,
  )
  await expect(about.getByText('A painting should cost less than the wall it changes.')).toBeVisible()
  expect(await about.locator('ul').first().locator('li').allInnerTexts()).toEqual([
    'Works that a teacher can buy',
  ])
  await expect(about.getByText('Some four hundred pieces hang')).toBeVisible()
  await expect(about.getByRole('heading', { name: 'Artistic Achievements' })).toBeVisible()
  // The first one has a number of her own, hence no label but hers; the others are the defaults.
  const achievements = about.getByRole('list').last().getByRole('listitem')
  await expect(achievements).toHaveCount(4)
  await expect(achievements.nth(0)).toContainText('400')
  await expect(achievements.nth(0)).not.toContainText('Published Books')
  await expect(achievements.nth(1)).toContainText('Artistic Vision')
  await expect(achievements.nth(1).getByRole('img', { name: /infinity/i })).toBeVisible()
  await expect(achievements.nth(2)).toContainText(/Free\s*Art Teaching/)
  await expect(achievements.nth(3)).toContainText(/Unique\s*Art Movement/)

  await expect(page.locator('#blogs')).toContainText("Artist's Journal")
  await expect(page.locator('#blogs')).toContainText('No blog posts available. Check back soon for updates!')
  // Without a blog nothing leads there.
  await expect(page.locator('#blogs a')).toHaveCount(0)

  const contact = page.locator('#contact')
  await expect(contact.getByRole('heading', { name: 'Get In Touch' })).toBeVisible()
  await expect(contact.getByRole('heading', { name: 'Send a Message' })).toBeVisible()
  await expect(contact.getByLabel('Email')).toHaveAttribute('type', 'email')
  expect(
    await contact
      .getByLabel('Subject')
      .locator('option')
      .evaluateAll((options) =>
        options.map((option) => (option instanceof HTMLOptionElement ? [option.value, option.text] : [])),
      ),
  ).toEqual([
    ['', 'Please select'],
    ['purchase', 'Purchase Existing Work'],
    ['exhibition', 'Exhibition Inquiry'],
    ['general', 'General Question'],
    ['media', 'Media Inquiry'],
  ])
  await expect(contact).toContainText('leela@example.org')
  await expect(contact).toContainText('+91 98200 12345')
  await expect(contact).toContainText('Mumbai, Maharashtra, India')
  await expect(contact).toContainText(/erased when you ask/)
  for (const point of [
    'Original paintings',
    'Secure worldwide shipping',
    'Multiple payment options',
    'Professional packaging',
  ]) {
    await expect(contact.getByText(point, { exact: true })).toBeVisible()
  }
  expect(await texts(page, 'footer a')).toEqual(['Home', 'Gallery', 'Blog', 'Contact', 'About'])
  await expect(page.locator('footer')).toContainText('© 2025')
})

test('1 the wall shows public works as museum labels, filters them, and says when there are none', async ({
  page,
}) => {
  await visit(page, '/')
  await expect(wall(page)).toHaveCount(12)
  await expect(page.locator('#gallery')).not.toContainText(/Not shown|Put aside|Put Away/)
  await expect(wall(page).nth(0)).toContainText(
    /Monsoon over the Ghats\s*Oil on canvas, 2024\s*₹96,000\s*Featured/,
  )
  await expect(wall(page).nth(2)).toContainText('Price on request')
  await expect(wall(page).nth(3)).toContainText('₹1,40,000')
  await expect(wall(page).nth(4)).toContainText(/₹36,000\s*Reserved/)
  await expect(wall(page).nth(5)).toContainText('Sold')
  await expect(wall(page).nth(5)).not.toContainText('₹')
  await expect(wall(page).nth(8)).toContainText('Not for sale')
  await expect(wall(page).nth(8)).not.toContainText('₹')
  await expect(wall(page).nth(10)).toContainText('₹12,34,567')

  const filter = page.getByRole('group', { name: 'Category' })
  expect(await filter.getByRole('button').allInnerTexts()).toEqual([
    'All Artwork',
    'Landscape',
    'Abstract',
    'Works on Paper',
    'Sculpture',
  ])
  await filter.getByRole('button', { name: 'Abstract' }).click()
  await expect(wall(page)).toHaveCount(2)
  await expect(filter.getByRole('button', { name: 'Abstract' })).toHaveAttribute('aria-pressed', 'true')
  await filter.getByRole('button', { name: 'Sculpture' }).click()
  await expect(page.locator('#gallery')).toContainText(
    'No Sculpture artworks available. Try a different category.',
  )
  await page.reload()
  await expect(page.locator('#gallery')).toContainText('No Sculpture artworks available.')
  await alive(page)
  await filter.getByRole('button', { name: 'All Artwork' }).click()
  await expect(wall(page)).toHaveCount(12)
  await expect(page).toHaveURL('/')
})

test('1 the chosen category is seen in the bar on a phone, before anybody uses the page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  for (const name of ['All Artwork', 'Landscape', 'Sculpture']) {
    await page.goto(`/?category=${name === 'All Artwork' ? 'all' : name}`)
    const box = await page.getByRole('button', { name }).boundingBox()
    const heading = await page.getByRole('heading', { name: 'Gallery' }).boundingBox()
    // A layout counts in 64ths of a pixel, and the fonts decide where one ends.
    expect(box?.x).toBeGreaterThan((heading?.x ?? 0) - 0.5)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
  }
})

test('1 the page opens at its beginning in a wide window, whatever is chosen in the bar', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  for (const path of ['/', '/?category=Sculpture']) {
    await page.goto(path)
    await alive(page)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  }
})

test('1 every entry of bar, sheet and footer leads to its section, and the sheet closes', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await visit(page, '/')
  const sheet = page.getByRole('dialog', { name: 'Main' })
  for (const [label, anchor] of [
    ['Gallery', 'gallery'],
    ['Blog', 'blogs'],
    ['Contact', 'contact'],
    ['Home', 'home'],
  ] as const) {
    await page.getByRole('button', { name: 'Open menu' }).click()
    await sheet.getByRole('link', { name: label }).click()
    await expect(sheet).toBeHidden()
    await expect.poll(() => topOf(page, anchor)).toBeLessThan(200)
  }
  await page.locator('footer').getByRole('link', { name: 'About' }).click()
  await expect.poll(() => topOf(page, 'about')).toBeLessThan(200)
  // The bar stays at hand wherever one reads.
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeInViewport()
})

test('1 the bar marks the section that one reads, and none of its own beside another', async ({ page }) => {
  await visit(page, '/')
  const marked = page.locator('header nav a[aria-current]')
  await page.locator('footer').getByRole('link', { name: 'Contact' }).click()
  await expect(marked).toHaveText('Contact')
  await page.locator('footer').getByRole('link', { name: 'About' }).click()
  await expect.poll(() => topOf(page, 'about')).toBeLessThan(200)
  await expect(marked).toHaveCount(0)
  await page.locator('footer').getByRole('link', { name: 'Home' }).click()
  await expect(marked).toHaveText('Home')
})

for (const [way, close] of [
  ['Back', (page: Page) => page.goBack()],
  ['Escape', (page: Page) => page.keyboard.press('Escape')],
  ['its button', (page: Page) => page.getByRole('button', { name: 'Close menu' }).click()],
] as const)
  test(`1 ${way} closes the sheet and leaves the page where it was; Back then leaves the site`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 780 })
    await visit(page, '/#gallery')
    await page.evaluate(() => scrollBy({ top: 300, behavior: 'instant' }))
    const place = await placeAtRest(page)
    const menu = page.getByRole('button', { name: 'Open menu' })
    // Where it sticks: a press by name scrolls to where it would stand otherwise.
    const { x, y } = (await menu.boundingBox())!
    await page.mouse.click(x + 10, y + 10)
    const sheet = page.getByRole('dialog', { name: 'Main' })
    await expect(sheet).toBeVisible()
    await close(page)
    await expect(sheet).toBeHidden()
    await expect.poll(() => page.evaluate(() => history.state.menu)).toBeUndefined()
    await expect(menu).toBeFocused()
    await expect(page).toHaveURL('/#gallery')
    expect(await placeAtRest(page)).toBe(place)
    await page.goBack()
    await expect(page).toHaveURL('about:blank')
  })

test('1 the sheet holds the page behind it, and Back from where its entry led does not open it again', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await visit(page, '/')
  await page.getByRole('button', { name: 'Open menu' }).click()
  const sheet = page.getByRole('dialog', { name: 'Main' })
  await page.mouse.move(180, 200)
  await page.evaluate(() => addEventListener('wheel', () => (sessionStorage['turned'] = true)))
  await page.mouse.wheel(0, 600)
  await page.waitForFunction(() => 'turned' in sessionStorage)
  expect(await placeAtRest(page)).toBe(0)
  await sheet.getByRole('link', { name: 'Contact' }).click()
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL('/#contact')
  await page.goBack()
  await expect(page).toHaveURL('/')
  await expect(sheet).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL('about:blank')
})

test('1 a page that was loaded again with its menu open is restored where it was, as any other', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await visit(page, '/')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect.poll(() => page.evaluate(() => history.state.menu)).toBe(true)
  await page.reload()
  await page.goBack()
  await page.waitForFunction(() => !history.state.menu && history.scrollRestoration === 'auto')
})

/** How far the top of a section is from that of the window, in pixels. */
const topOf = (page: Page, id: string): Promise<number> =>
  page.locator(`#${id}`).evaluate((section) => Math.abs(section.getBoundingClientRect().top))

test('2 the page is complete without a script: read, filter, open, leaf, go home', async ({
  browser,
  gallery,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: gallery.site.url })
  const page = await context.newPage()
  await page.goto('/')
  await expect(wall(page)).toHaveCount(12)
  await page.getByRole('button', { name: 'Abstract' }).click()
  await expect(page).toHaveURL('/?category=Abstract#gallery')
  await expect(wall(page)).toHaveCount(2)
  await wall(page).getByRole('link', { name: /Haldi/ }).click()
  await expect(page).toHaveURL(gallery.pathOf('Haldi'))
  const artwork = page.getByRole('dialog')
  await expect(artwork.getByRole('heading', { level: 1 })).toHaveText('Haldi')
  await expect(artwork).toContainText('₹78,000')
  await expect(artwork.getByRole('img', { name: /UPI QR code/ })).toBeVisible()
  await expect(artwork.getByRole('link', { name: 'leela@example.org' })).toBeVisible()
  await artwork.getByRole('button', { name: 'Next work' }).click()
  await expect(artwork.getByRole('heading', { level: 1 })).toHaveText('Neel, after the Rains')
  await page.getByRole('link', { name: 'Back to all works' }).click()
  await expect(page).toHaveURL('/')
  await context.close()
})

test('2 whoever reads already stays where they are when the page is taken over, and after a reload', async ({
  page,
}) => {
  const gate = Promise.withResolvers<void>()
  await page.route(/\/assets\/entry.*\.js$/, async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  const place = () => page.evaluate(() => Math.round(scrollY))
  await page.locator('#gallery').evaluate((element) => element.scrollIntoView({ behavior: 'instant' }))
  const before = await place()
  expect(before).toBeGreaterThan(500)
  gate.resolve()
  await alive(page)
  await page.waitForLoadState('networkidle')
  expect(await place()).toBe(before)
  await page.reload()
  await alive(page)
  await expect.poll(place).toBe(before)
})

/** Notes in the tab, also over a reload, where the page stands whenever it has moved. */
const noteMoves = (page: Page) =>
  page.addInitScript(() => {
    const note = () => {
      sessionStorage['moves'] = `${sessionStorage['moves'] ?? ''} ${scrollY}`
    }
    addEventListener('scroll', note, { passive: true })
  })

/** The places where the page stood while it was moved by this, but for those near its beginning and its end. */
async function onTheWay(page: Page, move: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => sessionStorage.removeItem('moves'))
  const from = await placeAtRest(page)
  await move()
  const to = await placeAtRest(page)
  const moves = await page.evaluate(() => String(sessionStorage['moves'] ?? ''))
  // What is laid out only now may move it a little.
  const isBetween = (y: number) => Math.abs(y - from) > 300 && Math.abs(y - to) > 300
  return moves.trim().split(' ').filter(Boolean).map(Number).filter(isBetween)
}

for (const width of [1280, 360]) {
  test(`2 at ${width} px an anchor glides to its section; a restored place is there at once`, async ({
    page,
  }) => {
    const isFar = (away: boolean) => expect.poll(() => page.evaluate(() => scrollY > 1_000)).toBe(away)
    await noteMoves(page)
    await page.setViewportSize({ width, height: 740 })
    await visit(page, '/')
    const menu = page.getByRole('button', { name: 'Open menu' })
    if (await menu.isVisible()) await menu.click()
    const pressed = await onTheWay(page, async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' }).click()
      await expect(page.locator('#contact')).toBeInViewport()
    })
    expect(pressed).not.toEqual([])

    await visit(page, '/')
    const filter = page.getByRole('group', { name: 'Category' })
    await page.evaluate(() => scrollTo(0, 3_000))
    await isFar(true)
    const reloaded = async () => {
      await page.reload()
      await isFar(true)
    }
    expect(await onTheWay(page, reloaded)).toEqual([])

    await alive(page)
    await filter.getByRole('button', { name: 'Abstract' }).press('Enter')
    await expect(wall(page)).toHaveCount(2)
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await isFar(false)
    const wentBack = async () => {
      await page.goBack()
      await isFar(true)
    }
    expect(await onTheWay(page, wentBack)).toEqual([])
  })
}

test('2 everybody gets the kept page, small and named by its tag, until she changes something', async ({
  gallery,
}) => {
  const { site, owner, artworks } = gallery
  const ask = (headers: Record<string, string> = {}) =>
    fetch(`${site.url}/`, { headers: { 'accept-encoding': 'br', ...headers } })
  const first = await ask()
  const page = await first.text()
  expect(first.status).toBe(200)
  expect(first.headers.get('content-encoding')).toBe('br')
  expect(first.headers.get('cache-control')).toBe('public, no-cache')
  expect(first.headers.get('set-cookie')).toBeNull()
  const policy = first.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|nonce/)
  expect(page).not.toMatch(/ style=| on[a-z]+=/)
  // The page may be compressed better meanwhile, under a new tag; the tag of the moment is answered with 304.
  await expect
    .poll(async () => {
      const etag = (await ask()).headers.get('etag') ?? ''
      return (await ask({ 'if-none-match': etag })).status
    })
    .toBe(304)

  const artwork = artworks.find(({ title }) => title === 'Salt Pans')
  await owner('PUT', `/api/artworks/${artwork?.id}`, { title: 'Salt Pans, Little Rann' })
  const changed = await (await ask()).text()
  expect(changed).toContain('Salt Pans, Little Rann')
  await owner('PUT', `/api/artworks/${artwork?.id}`, { title: 'Salt Pans' })
  expect(await (await ask()).text()).not.toContain('Little Rann')
})

test('3 pictures come in three formats and exact sizes, the first view first, the rest when it is near', async ({
  page,
  gallery,
}) => {
  await visit(page, '/')
  const featured = page.locator('#home li').first()
  expect(
    await featured.locator('source').evaluateAll((all) => all.map((each) => each.getAttribute('type'))),
  ).toEqual(['image/avif', 'image/webp'])
  const first = featured.locator('img')
  await expect(first).toHaveAttribute('fetchpriority', 'high')
  await expect(first).toHaveAttribute('width', '1600')
  await expect(first).toHaveAttribute('height', '1062')
  await expect(featured.locator('source').first()).toHaveAttribute('srcset', /320w.*1600w$/)
  await expect(first).toHaveAttribute('src', /\/1600\.jpg$/)
  await expect
    .poll(() => first.evaluate((img) => img instanceof HTMLImageElement && img.currentSrc))
    .toMatch(/avif$/)
  for (const img of await page.locator('#gallery img').all())
    await expect(img).toHaveAttribute('loading', 'lazy')

  // The box has the image's proportions, and its blurred colours, before the image is there.
  const html = await (await fetch(`${gallery.site.url}/`)).text()
  expect(html.match(/data:image\/webp;base64,/g)?.length).toBeGreaterThanOrEqual(2)
  for (const [index, ratio] of [
    [0, 1600 / 1062],
    [1, 480 / 640],
  ] as const) {
    const box = await wall(page).nth(index).locator('img').boundingBox()
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(ratio, 1)
  }
  // Every variant that the page names is there.
  const named = new Set(html.match(/\/images\/[0-9a-f]+\/\d+\.(?:avif|webp|jpg)/g))
  expect(named.size).toBeGreaterThan(0)
  for (const path of named)
    expect((await fetch(gallery.site.url + path, { method: 'HEAD' })).status, path).toBe(200)
})

test('5 page, works, feed and sitemap say what they are to searchers and to those who share them', async ({
  page,
  gallery,
}) => {
  const { site, pathOf } = gallery
  await visit(page, pathOf('Lotus Tank'))
  await expect(page).toHaveTitle('Lotus Tank, Leela Marathe')
  const attribute = (selector: string, name: string) => page.locator(selector).getAttribute(name)
  expect(await attribute('link[rel=canonical]', 'href')).toBe(site.url + pathOf('Lotus Tank'))
  expect(await attribute('meta[property="og:title"]', 'content')).toContain('Lotus Tank')
  expect(await attribute('meta[name="twitter:card"]', 'content')).toBe('summary_large_image')
  const card = await page.request.get((await attribute('meta[property="og:image"]', 'content')) ?? '')
  expect([card.status(), card.headers()['content-type']]).toEqual([200, 'image/jpeg'])

  type Thing = { '@type': string | string[]; offers?: { price: string; availability: string } }
  const graphAt = async (path: string): Promise<Thing[]> => {
    const html = await (await fetch(site.url + path)).text()
    const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}'
    return (JSON.parse(text) as { '@graph': Thing[] })['@graph'] // our own page's block
  }
  const offerAt = async (title: string) =>
    (await graphAt(pathOf(title))).find((thing) => thing['@type'].includes('VisualArtwork'))?.offers
  expect(await offerAt('Lotus Tank')).toMatchObject({
    price: '140000',
    availability: 'https://schema.org/InStock',
  })
  expect((await offerAt('Low Water, Yamuna'))?.availability).toBe('https://schema.org/SoldOut')
  expect((await offerAt('Letters to Indore'))?.availability).toBe('https://schema.org/Reserved')
  expect(await offerAt('Neel, after the Rains')).toBeUndefined()
  expect((await graphAt('/')).map((thing) => thing['@type'])).toEqual(['Person', 'WebSite', 'ItemList'])

  const text = async (path: string) => (await fetch(site.url + path)).text()
  const sitemap = await text('/sitemap.xml')
  for (const artwork of await publicArtworks(site))
    expect(sitemap).toContain(`${site.url}/artwork/${artwork.slug}-${artwork.id}`)
  expect(sitemap).toContain('<image:loc>')
  expect(sitemap).not.toContain('not-shown')
  expect(await text('/feed.xml')).toContain('<title>Haldi</title>')
  expect(await text('/robots.txt')).toContain('Disallow: /admin')
  expect(JSON.parse(await text('/manifest.webmanifest'))).toMatchObject({ name: 'Leela Marathe' })
  expect((await fetch(`${site.url}/favicon.svg`)).status).toBe(200)

  const wrongSlug = pathOf('Haldi').replace('haldi', 'something-else')
  const moved = await fetch(site.url + wrongSlug, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([301, pathOf('Haldi')])
})

test('7 an unknown path says so with a real 404, and leads home', async ({ page, complaints }) => {
  const answer = await visit(page, '/paintings/of/cats')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found')
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible()
  await page.getByRole('main').getByRole('link').click()
  await expect(wall(page)).toHaveCount(12)
  // The browser tells of the 404 itself, and of nothing else.
  expect(complaints.splice(0).filter((text) => !text.includes('404'))).toEqual([])
})
