/// <reference lib="dom" />
import type { Page } from 'playwright'
import { alive, held, listening, placeAtRest, visit } from '../support/visit.ts'
import { signInBrowser } from './owner.ts'
import { expect, test } from './public-site.ts'

const PROGRAM = '**/assets/entry-*.js'

const write = async (page: Page): Promise<void> => {
  await page.getByLabel('Name').fill('Ravi Kulkarni')
  await page.getByLabel('Email').fill('ravi@example.org')
  await page.getByLabel('Subject').selectOption('purchase')
  await page.getByLabel('Message').fill('Is it framed?')
}
const message = (page: Page) => page.getByLabel('Message')
/** Has a press wait for the program for a minute instead of three seconds: a busy machine takes longer to begin it. */
const waitLonger = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const later = window.setTimeout
    Object.assign(window, {
      setTimeout: (run: () => void, ms?: number) => later(run, ms === 3_000 ? 60_000 : ms),
    })
  })
}
/** Answers as the server does to a message; that counts those of a sender, and others have some to send. */
const takeMessages = async (page: Page): Promise<void> => {
  await page.route('**/contact', (route) =>
    route.request().url().endsWith('/api/contact')
      ? route.fulfill({ status: 201, json: {} })
      : route.fulfill({ status: 303, headers: { location: '/?contact=sent#contact' } }),
  )
}

test.describe('before the program is there, on a phone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })

  test('a press on the menu is answered as soon as it can be', async ({ page, gallery }) => {
    await waitLonger(page)
    const program = await held(page, PROGRAM)
    await page.goto(gallery.site.url)
    const menu = page.getByRole('button', { name: 'Open menu' })
    await menu.tap()
    await expect(menu).toHaveAttribute('data-pressed')
    await program.letGo()
    await expect(page.getByRole('dialog', { name: 'Main' })).toBeVisible()
    await expect(menu).not.toHaveAttribute('data-pressed')
  })

  test('a press is forgotten when the visitor has turned to something else', async ({ page, gallery }) => {
    const program = await held(page, PROGRAM)
    await page.goto(gallery.site.url)
    const menu = page.getByRole('button', { name: 'Open menu' })
    await menu.tap()
    await expect(menu).toHaveAttribute('data-pressed')
    await page.getByLabel('Message').tap()
    await expect(menu).not.toHaveAttribute('data-pressed')
    await program.letGo()
    await alive(page)
    await page.keyboard.type('I would like to buy')
    await expect(page.getByLabel('Message')).toHaveValue('I would like to buy')
  })

  for (const [way, leave] of [
    ['Back', (page: Page) => page.goBack()],
    // Kept by the browser, it may be shown again as it was left.
    ['another page', (page: Page) => page.evaluate(() => dispatchEvent(new Event('pagehide')))],
  ] as const)
    test(`a press is forgotten when the visitor leaves by ${way}`, async ({ page, gallery }) => {
      const program = await held(page, PROGRAM)
      await page.goto(gallery.site.url)
      await page.getByRole('link', { name: 'Explore Collection' }).tap()
      await expect(page).toHaveURL(/#gallery$/)
      const artwork = page.locator('#gallery').getByRole('link', { name: /Gulmohar/ })
      await artwork.tap()
      await expect(artwork).toHaveAttribute('data-pressed')
      await leave(page)
      await expect(artwork).not.toHaveAttribute('data-pressed')
      await program.letGo()
      await alive(page)
      // Whatever the press would have done would be done now.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
      expect(page.url()).not.toContain('/artwork/')
    })

  test('a press on an open work is answered as well', async ({ page, gallery }) => {
    await waitLonger(page)
    const program = await held(page, PROGRAM)
    await page.goto(gallery.site.url + gallery.pathOf('Kajal'))
    const pay = page.getByRole('button', { name: 'Pay with UPI' })
    await pay.tap()
    await expect(pay).toHaveAttribute('data-pressed')
    await program.letGo()
    await expect(pay).toHaveAttribute('aria-expanded', 'true')
  })

  test('a press is done once, also where React is there before the program is said to be', async ({
    page,
    gallery,
  }) => {
    await waitLonger(page)
    await page.addInitScript(() => {
      let takenOver: Promise<void> | undefined
      Object.defineProperty(window, 'atelierTakenOver', {
        get: () => takenOver,
        set: (promise: Promise<void>) => {
          takenOver = promise.then(() => new Promise((resolve) => addEventListener('said', () => resolve())))
        },
      })
    })
    await page.goto(gallery.site.url + gallery.pathOf('Kajal'))
    const pay = page.getByRole('button', { name: 'Pay with UPI' })
    await page.dispatchEvent('body', 'touchstart')
    await page.waitForFunction(() =>
      [...document.querySelectorAll('button')].some((button) =>
        Object.keys(button).some((key) => key.startsWith('__reactFiber')),
      ),
    )
    await pay.tap()
    await expect(pay).toHaveAttribute('data-pressed')
    await page.evaluate(() => dispatchEvent(new Event('said')))
    await alive(page)
    await expect(pay).not.toHaveAttribute('data-pressed')
    // Whatever the press does is done now.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    await expect(pay).toHaveAttribute('aria-expanded', 'true')
  })

  test('fonts are fetched, also where nothing may be kept', async ({ page, gallery }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get: () => {
          throw new DOMException('refused', 'SecurityError')
        },
      })
    })
    await page.goto(gallery.site.url)
    await alive(page)
    await page.waitForFunction(() =>
      [...document.fonts].some(
        ({ family, status }) => /^"?Newsreader"?$/.test(family) && status === 'loaded',
      ),
    )
  })
})

/** Marks the document, so that a test can tell whether another one has taken its place. */
const mark = (page: Page): Promise<void> => page.evaluate(() => document.body.setAttribute('data-first', ''))
const isFirst = (page: Page): Promise<number> => page.locator('body[data-first]').count()

test.describe('a page that nobody uses', () => {
  test('runs no program, and fetches none with Save-Data', async ({ page, bareSite }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('.js')) scripts.push(request.resourceType())
    })
    const ahead = page.waitForRequest(PROGRAM)
    await page.goto(bareSite.url)
    await ahead
    expect([...new Set(scripts)]).toEqual(['fetch'])
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    )
    const listens = page.waitForRequest('**/api/changes*')
    scripts.length = 0
    await page.goto(bareSite.url)
    await listens
    expect(scripts).toEqual([])
  })

  test('shows that a work is sold', async ({ page, gallery }) => {
    const artwork = gallery.artworks.find(({ title }) => title === 'Salt Pans')
    const put = (saleStatus: string) => gallery.owner('PUT', `/api/artworks/${artwork?.id}`, { saleStatus })
    await page.goto(gallery.site.url)
    await listening(page)
    await mark(page)
    await put('sold')
    await expect(page.locator('#gallery').getByRole('link', { name: /Salt Pans/ })).toContainText('Sold')
    expect(await isFirst(page)).toBe(1)
    await put('for_sale')
  })
})

test.describe('a link that is followed before the program is there', () => {
  test('leads on in place once the program has come', async ({ page, gallery }) => {
    await waitLonger(page)
    const program = await held(page, PROGRAM)
    await page.goto(gallery.site.url)
    await mark(page)
    await page
      .locator('#gallery')
      .getByRole('link', { name: /Gulmohar/ })
      .click()
    await program.letGo()
    await expect(page.getByRole('dialog', { name: 'Gulmohar' })).toBeVisible()
    expect(await isFirst(page)).toBe(1)
    await page.goBack()
    await expect(page.getByRole('dialog', { name: 'Gulmohar' })).toBeHidden()
  })

  test('leads on by itself when the program takes too long', async ({ page, gallery }) => {
    await held(page, PROGRAM)
    await page.goto(gallery.site.url)
    await mark(page)
    await page
      .locator('#gallery')
      .getByRole('link', { name: /Gulmohar/ })
      .click()
    await expect(page).toHaveURL(gallery.site.url + gallery.pathOf('Gulmohar'))
    expect(await isFirst(page)).toBe(0)
  })
})

test.describe('the page that is none', () => {
  test.use({ expectedComplaints: /404 \(Not Found\)/ })

  test('has its links followed at once: no program follows them in place', async ({ page, gallery }) => {
    const asked = page.waitForRequest(PROGRAM)
    await held(page, PROGRAM)
    await page.goto(`${gallery.site.url}/paintings/of/cats`)
    const link = page.getByRole('main').getByRole('link')
    await link.hover()
    await asked
    // A press that is held reaches nobody.
    await link.evaluate((each) =>
      each.addEventListener('click', () => sessionStorage.setItem('pressed', 'here')),
    )
    await link.click()
    await expect(page).toHaveURL(`${gallery.site.url}/`)
    expect(await page.evaluate(() => sessionStorage.getItem('pressed'))).toBe('here')
  })
})

test('Back leads to where the visitor was, also when the page was loaded again at the open work', async ({
  page,
  gallery,
}) => {
  await visit(page, gallery.site.url)
  const link = page.locator('#gallery').getByRole('link', { name: /Gulmohar/ })
  await link.scrollIntoViewIfNeeded()
  const place = await placeAtRest(page)
  expect(place).toBeGreaterThan(500)
  await link.click()
  await expect(page.getByRole('dialog', { name: 'Gulmohar' })).toBeVisible()
  await held(page, PROGRAM)
  await page.reload()
  // The browser scrolls there smoothly, and may end some pixels beside; leaving on the way would leave from another place.
  await expect.poll(() => placeAtRest(page)).toBeCloseTo(place, -2)
  await page.goBack()
  await expect(page).toHaveURL(`${gallery.site.url}/`)
  await expect(page.locator('dialog')).toHaveCount(0)
  await expect.poll(() => placeAtRest(page)).toBeCloseTo(place, -2)
})

test('a button says so when the program takes too long, and is answered after all', async ({
  page,
  gallery,
}) => {
  const program = await held(page, PROGRAM)
  await page.goto(gallery.site.url + gallery.pathOf('Kajal'))
  const pay = page.getByRole('button', { name: 'Pay with UPI' })
  await pay.click()
  const said = page.getByRole('alert').filter({ hasText: 'could not be loaded yet' })
  await expect(said).toBeVisible()
  await expect(pay).not.toHaveAttribute('data-pressed')
  await pay.click()
  await expect(said).toBeHidden()
  await program.letGo()
  await expect(pay).toHaveAttribute('aria-expanded', 'true')
})

test.describe('a page that stood open while the site was renewed', () => {
  test.use({ expectedComplaints: /^Failed to load resource|entry-|Failed to fetch/ })

  test('is loaded again at the first press, with what was typed', async ({ page, gallery }) => {
    await page.route(PROGRAM, (route) => route.fulfill({ status: 404, body: 'gone' }))
    await page.goto(gallery.site.url)
    await mark(page)
    await page.getByLabel('Name').fill('Ravi Kulkarni')
    await page.getByLabel('Message').fill('Is it framed?')
    await expect(page.locator('html[data-missed]')).toBeAttached()
    await page.unroute(PROGRAM)
    const again = page.waitForEvent('load')
    await page.getByRole('button', { name: /Abstract/ }).click()
    await again
    expect(await isFirst(page)).toBe(0)
    await expect(page.getByLabel('Message')).toHaveValue('Is it framed?')
    await alive(page)
    await expect(page.getByLabel('Name')).toHaveValue('Ravi Kulkarni')
  })

  test('is loaded again by "Try again" when what asks for its lists is gone', async ({ page, gallery }) => {
    const artwork = gallery.artworks.find(({ title }) => title === 'Salt Pans')
    const put = (saleStatus: string) => gallery.owner('PUT', `/api/artworks/${artwork?.id}`, { saleStatus })
    await page.route('**/assets/read-page-*.js', (route) => route.fulfill({ status: 404, body: 'gone' }))
    await visit(page, gallery.site.url)
    await mark(page)
    await page.getByLabel('Message').fill('Is it framed?')
    await listening(page)
    await put('sold')
    const again = page.waitForEvent('load')
    await page.locator('#gallery').getByRole('button', { name: 'Try again' }).click()
    await again
    expect(await isFirst(page)).toBe(0)
    await expect(page.locator('#gallery').getByRole('link', { name: /Salt Pans/ })).toContainText('Sold')
    await expect(page.getByLabel('Message')).toHaveValue('Is it framed?')
    await put('for_sale')
  })

  test('has its message sent by the browser when what sends it is gone', async ({ page, gallery }) => {
    await page.route('**/assets/send-message-*.js', (route) => route.fulfill({ status: 404, body: 'gone' }))
    await takeMessages(page)
    await visit(page, gallery.site.url)
    await write(page)
    const sent = page.waitForRequest('**/contact')
    await page.getByRole('button', { name: 'Send Message' }).click()
    const fields = new URLSearchParams((await sent).postData() ?? '')
    expect(fields.get('message')).toBe('Is it framed?')
    expect(fields.get('key')).not.toBe('')
    // Else a person whose clock runs ahead is taken for a machine.
    expect(fields.get('openedAt')).toBe('')
    await expect(page.locator('#contact')).toContainText('Message Sent!')
    await expect(message(page)).toHaveValue('')
    // Another one is not the one that was sent.
    await message(page).fill('And the frame?')
    await page.reload()
    await expect(message(page)).toHaveValue('And the frame?')
  })

  test('keeps what was typed where the way to the dashboard is gone', async ({ page, gallery }) => {
    await page.route('**/assets/admin-overlay-*.js', (route) => route.fulfill({ status: 404, body: 'gone' }))
    await visit(page, gallery.site.url)
    await message(page).fill('Is it framed?')
    await page.getByRole('button', { name: 'Admin' }).click()
    const said = page.getByRole('alert').filter({ hasText: 'could not be shown' })
    const again = page.waitForEvent('load')
    await said.getByRole('button').click()
    await again
    await expect(message(page)).toHaveValue('Is it framed?')
  })

  test('is not loaded again at a change in the place of what was pressed meanwhile', async ({
    page,
    gallery,
  }) => {
    const artwork = gallery.artworks.find(({ title }) => title === 'Salt Pans')
    const put = (saleStatus: string) => gallery.owner('PUT', `/api/artworks/${artwork?.id}`, { saleStatus })
    const { promise: pressed, resolve } = Promise.withResolvers<void>()
    await page.route(PROGRAM, async (route) => {
      await pressed
      await route.fulfill({ status: 404, body: 'gone' })
    })
    await page.goto(gallery.site.url)
    await listening(page)
    await put('sold')
    const link = page.locator('#gallery').getByRole('link', { name: /Gulmohar/ })
    await link.click()
    await expect(link).toHaveAttribute('data-pressed')
    resolve()
    await expect(page).toHaveURL(gallery.site.url + gallery.pathOf('Gulmohar'))
    await put('for_sale')
  })

  test('is not loaded again at a change while the owner uses it, whose program came by itself', async ({
    page,
    gallery,
  }) => {
    const artwork = gallery.artworks.find(({ title }) => title === 'Salt Pans')
    const put = (saleStatus: string) => gallery.owner('PUT', `/api/artworks/${artwork?.id}`, { saleStatus })
    await signInBrowser(page.context(), gallery.site)
    await page.route('**/assets/read-page-*.js', (route) => route.fulfill({ status: 404, body: 'gone' }))
    await page.goto(gallery.site.url)
    // Nothing is done before that.
    await expect(page.locator('html[data-ready]')).toBeAttached()
    await mark(page)
    await message(page).fill('Is it framed?')
    await listening(page)
    await put('sold')
    await expect(page.locator('#gallery').getByRole('button', { name: 'Try again' })).toBeVisible()
    // By the time of an answer a page that was being loaded again would be gone.
    expect(await page.evaluate(async () => (await fetch('/healthz')).status)).toBe(200)
    expect(await isFirst(page)).toBe(1)
    await expect(message(page)).toBeFocused()
    await put('for_sale')
  })

  test('is loaded again at a change when nobody uses it, once for what it shows', async ({
    page,
    gallery,
  }) => {
    const artwork = gallery.artworks.find(({ title }) => title === 'Salt Pans')
    const put = (saleStatus: string) => gallery.owner('PUT', `/api/artworks/${artwork?.id}`, { saleStatus })
    const tile = page.locator('#gallery').getByRole('link', { name: /Salt Pans/ })
    await page.route(PROGRAM, (route) => route.fulfill({ status: 404, body: 'gone' }))
    const old = await (await page.request.get(gallery.site.url)).text()
    await page.goto(gallery.site.url)
    await listening(page)
    const again = page.waitForEvent('load')
    await put('sold')
    await again
    await expect(tile).toContainText('Sold')

    // What a cache in front may go on giving: the page as it was, for which it was done.
    await page.route(`${gallery.site.url}/`, (route) =>
      route.fulfill({ body: old, contentType: 'text/html; charset=utf-8' }),
    )
    await page.goto(gallery.site.url)
    await mark(page)
    await expect(page.locator('html[data-missed]')).toBeAttached()
    expect(await isFirst(page)).toBe(1)
    await put('for_sale')
  })

  test('is loaded again at a change when nobody uses it, also where all but what reads its lists is there', async ({
    page,
    gallery,
  }) => {
    const artwork = gallery.artworks.find(({ title }) => title === 'Salt Pans')
    const put = (saleStatus: string) => gallery.owner('PUT', `/api/artworks/${artwork?.id}`, { saleStatus })
    await page.route('**/assets/read-page-*.js', (route) => route.fulfill({ status: 404, body: 'gone' }))
    await page.goto(gallery.site.url)
    await listening(page)
    await put('sold')
    await expect(page.locator('#gallery').getByRole('link', { name: /Salt Pans/ })).toContainText('Sold')
    await put('for_sale')
  })
})

/** What becomes of a page before its program is there. */
const CHANGES = {
  /** As Chrome translates it: each text stands in elements of its own. */
  'translated in new elements': () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Node[] = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    for (const text of texts) {
      if (!text.textContent?.trim() || text.parentElement?.closest('script, style, textarea, option'))
        continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      text.parentNode?.replaceChild(outer, text)
      inner.append(text)
      outer.append(inner)
    }
  },
  /** As other browsers do: other words in the same elements. */
  'translated in place': () => {
    for (const element of document.querySelectorAll('h3, label > span, legend'))
      if (element.childElementCount === 0) element.textContent = 'अनुवाद'
  },
  'given something by an extension': () => {
    document.querySelector('input[name=email]')?.after(document.createElement('div'))
  },
} as const

test.describe('a page that is not as it was sent, on a phone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })

  for (const [what, change] of Object.entries(CHANGES)) {
    test(`${what}, keeps what was typed, the focus and the place when the program comes`, async ({
      page,
      gallery,
    }) => {
      const program = await held(page, PROGRAM)
      await page.goto(gallery.site.url)
      await page.evaluate(change)
      await write(page)
      await message(page).press('Home')
      const place = () => message(page).evaluate((field) => field.getBoundingClientRect().top)
      const before = await place()
      await program.letGo()
      await alive(page)
      await expect(page.locator('font')).toHaveCount(0)
      await expect(page.getByLabel('Name')).toHaveValue('Ravi Kulkarni')
      await expect(page.getByLabel('Subject')).toHaveValue('purchase')
      await expect(message(page)).toBeFocused()
      await page.keyboard.type('Hello. ')
      await expect(message(page)).toHaveValue('Hello. Is it framed?')
      expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(2)
    })

    test(`${what}, loses no letter that is typed while the program comes`, async ({ page, gallery }) => {
      const program = await held(page, PROGRAM)
      await page.goto(gallery.site.url)
      await page.evaluate(change)
      await message(page).tap()
      await page.evaluate(() => {
        document.documentElement.dataset['typed'] = '0'
        const type = (): void => {
          if (document.querySelector('[data-typing-ends]')) return
          const { dataset } = document.documentElement
          if (document.execCommand('insertText', false, 'x'))
            dataset['typed'] = String(Number(dataset['typed']) + 1)
          setTimeout(type, 5)
        }
        type()
      })
      await program.letGo()
      await alive(page)
      const typed = await page.evaluate(() => {
        document.body.toggleAttribute('data-typing-ends', true)
        return Number(document.documentElement.dataset['typed'])
      })
      await expect(message(page)).toHaveValue('x'.repeat(typed))
    })

    test(`${what}, answers a press that came before the program`, async ({ page, gallery }) => {
      await waitLonger(page)
      const program = await held(page, PROGRAM)
      await page.goto(gallery.site.url)
      await page.evaluate(change)
      await page.getByRole('button', { name: 'Open menu' }).tap()
      await program.letGo()
      await expect(page.getByRole('dialog', { name: 'Main' })).toBeVisible()
    })
  }

  test('is used as any other, also where it is translated once the program is there', async ({
    page,
    gallery,
  }) => {
    await visit(page, gallery.site.url)
    await page.evaluate(CHANGES['translated in new elements'])
    await page.locator('[data-list=gallery] a').filter({ hasText: 'Kajal' }).tap()
    await expect(page.locator('[data-overlay]')).toContainText('Kajal')
    await page.evaluate(CHANGES['translated in new elements'])
    await page.getByRole('button', { name: 'Next' }).tap()
    await expect(page.locator('[data-overlay]')).not.toContainText('Kajal')
    await page.goBack()
    await expect(page.locator('[data-overlay]')).toHaveCount(0)
    const filter = page.locator('button[name=category]')
    await filter.nth(1).tap()
    await expect(page).toHaveURL(/\?category=/)
    await filter.nth(0).tap()
    await expect(page.locator('[data-list=gallery] a').filter({ hasText: 'Kajal' })).toBeVisible()
  })
})

test('what an open work covers is not seen to move while the page is on its way', async ({
  page,
  gallery,
}) => {
  const program = await held(page, PROGRAM)
  await page.goto(gallery.site.url + gallery.pathOf('Kajal'))
  const strip = page.locator('[data-list=featured]')
  await expect(strip).toHaveCSS('visibility', 'hidden')
  await program.letGo()
  await alive(page)
  await expect(strip).toHaveCSS('visibility', 'visible')
})

test.describe('a program that could not be fetched', () => {
  test.use({ expectedComplaints: /^Failed to load resource|entry-|Failed to fetch/ })

  test('is asked for again at the next press, and not by a mouse that moves', async ({ page, gallery }) => {
    let [isCut, asked] = [true, 0]
    await page.route(PROGRAM, (route) => {
      asked += 1
      return isCut ? route.abort() : route.continue()
    })
    await page.goto(gallery.site.url + gallery.pathOf('Kajal'))
    const share = page.getByRole('button', { name: 'Share' })
    await share.press('Enter')
    await expect(page.locator('html[data-missed]')).toBeAttached()
    const before = asked
    await page.mouse.move(10, 10)
    await page.mouse.move(90, 90, { steps: 20 })
    await page.mouse.wheel(0, 10)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    expect(asked).toBe(before)
    isCut = false
    await share.press('Enter')
    await alive(page)
  })
})

test.describe('the dashboard whose program cannot be fetched', () => {
  test.use({ expectedComplaints: /^Failed to load resource|entry-|Failed to fetch/ })

  test('says so, leads home, and can be loaded again', async ({ page, gallery }) => {
    const program = await held(page, PROGRAM)
    const address = `${gallery.site.url}/admin`
    await page.goto(address)
    const said = page.getByRole('alert').filter({ hasText: 'The dashboard could not be loaded.' })
    // While it is on its way, however long, nothing is missed.
    await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
    await expect(said).toBeHidden()
    await page.route(PROGRAM, (route) => route.abort())
    await page.goto(address)
    await expect(said).toBeVisible()
    await expect(page.getByText('Loading...', { exact: true })).toBeHidden()
    await expect(said.getByRole('link', { name: 'Back to the works' })).toHaveAttribute('href', '/')
    await page.unroute(PROGRAM)
    await program.letGo()
    await said.getByRole('link', { name: 'Load again' }).click()
    await alive(page)
    await expect(page.getByRole('dialog').getByLabel('Username')).toBeVisible()
    await expect(page).toHaveURL(address)
  })
})

const sendRefused = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/#contact`)
  await page.getByLabel('Name').fill('Ravi Kulkarni')
  // Right to the browser, not to us.
  await page.getByLabel('Email').fill('ravi@example')
  await page.getByLabel('Subject').selectOption('purchase')
  await page.getByLabel('Message').fill('Is it framed?')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
}

test.describe('a letter that is refused before the program is there', () => {
  test.use({ expectedComplaints: /^Failed to load resource.*422/ })

  test('stays with its words when the program has come and when the page is loaded again, and can be sent', async ({
    page,
    gallery,
  }) => {
    const program = await held(page, PROGRAM)
    await sendRefused(page, gallery.site.url)
    await expect(page.getByLabel('Email')).toBeInViewport()
    await program.letGo()
    await alive(page)
    await expect(page.getByLabel('Message')).toHaveValue('Is it framed?')
    await expect(page).toHaveURL(`${gallery.site.url}/#contact`)
    await page.reload()
    await expect(page.getByLabel('Message')).toHaveValue('Is it framed?')
    await alive(page)
    await page.getByLabel('Email').fill('ravi@example.org')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.locator('[data-toasts]').getByRole('status')).toContainText(
      'Thank you for your message.',
    )
  })

  test('does not come back beside the thanks once the browser has sent it', async ({ page, gallery }) => {
    await held(page, PROGRAM)
    await sendRefused(page, gallery.site.url)
    await page.getByLabel('Email').fill('ravi@example.org')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page).toHaveURL(/\?contact=sent#contact$/)
    await expect(page.locator('#contact')).toContainText('Message Sent!')
    await expect(page.getByLabel('Message')).toHaveValue('')
  })
})

test.describe('a message that is typed before the program is there', () => {
  test('comes along with what was typed while the next page was on its way', async ({ page, gallery }) => {
    const path = gallery.pathOf('Gulmohar')
    const program = await held(page, PROGRAM)
    await page.goto(gallery.site.url)
    await page.evaluate(() => {
      const field = document.querySelector<HTMLTextAreaElement>('[name=message]')
      addEventListener('beforeunload', () => field?.append('Is it framed?'))
    })
    await page
      .locator('#gallery')
      .getByRole('link', { name: /Gulmohar/ })
      .click()
    await expect(page).toHaveURL(gallery.site.url + path)
    await expect(message(page)).toHaveValue('Is it framed?')
    await program.letGo()
    await alive(page)
    await expect(message(page)).toHaveValue('Is it framed?')
  })

  test('does not come back once the browser has sent it', async ({ page, gallery }) => {
    await held(page, PROGRAM)
    await takeMessages(page)
    await page.goto(gallery.site.url)
    await write(page)
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.locator('#contact')).toContainText('Message Sent!')
    await expect(message(page)).toHaveValue('')
    await page.goto(gallery.site.url)
    await expect(page.locator('html')).not.toHaveAttribute('data-ready')
    await expect(message(page)).toHaveValue('')
  })

  test('is stored once when it was given up to the browser and is pressed again', async ({
    page,
    gallery,
  }) => {
    const words = 'Was it pressed twice?'
    const program = await held(page, PROGRAM)
    const { promise: sentOnce, resolve } = Promise.withResolvers<void>()
    // Gets to the server; the answer does not come back.
    await page.route('**/contact', async (route) => {
      if (route.request().url().endsWith('/api/contact')) return route.continue()
      await route.fetch({ maxRedirects: 0 })
      await route.fulfill({ status: 204 })
      resolve()
    })
    await page.goto(gallery.site.url)
    await write(page)
    await message(page).fill(words)
    const send = page.getByRole('button', { name: 'Send Message' })
    await send.click()
    await sentOnce
    await send.click()
    await program.letGo()
    await expect(page.locator('[data-toasts]').getByRole('status')).toContainText('Thank you')
    const messages = await gallery.owner<{ message: string }[]>('GET', '/api/contact-messages')
    expect(messages.filter((each) => each.message === words)).toHaveLength(1)
  })

  test('does not come back once the program has sent it from a page that was about to be left', async ({
    page,
    gallery,
  }) => {
    const path = gallery.pathOf('Gulmohar')
    const program = await held(page, PROGRAM)
    await takeMessages(page)
    await page.goto(gallery.site.url)
    await write(page)
    // Followed without the program, and given up by the network.
    await page.route(`**${path}`, (route) => route.fulfill({ status: 204 }))
    const asked = page.waitForResponse(`**${path}`)
    await page
      .locator('#gallery')
      .getByRole('link', { name: /Gulmohar/ })
      .click()
    await asked
    await program.letGo()
    await alive(page)
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.locator('[data-toasts]').getByRole('status')).toContainText('Thank you')
    await page.goto(gallery.site.url)
    await expect(message(page)).toHaveValue('')
  })

  test('stands in the page again where a phone has ended its hidden tab without a word', async ({
    page,
    gallery,
  }) => {
    await page.addInitScript(() =>
      addEventListener('pagehide', (event) => event.stopImmediatePropagation(), true),
    )
    await page.goto(gallery.site.url)
    await message(page).fill('Is it framed?')
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await page.goto(gallery.site.url)
    await expect(message(page)).toHaveValue('Is it framed?')
  })

  test('is not written over by words that were kept', async ({ page, gallery }) => {
    await page.goto(gallery.site.url)
    await message(page).fill('Is it framed?')
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        const field = document.querySelector<HTMLTextAreaElement>('[name=message]')
        if (!field) return
        observer.disconnect()
        field.value = 'Do you ship?'
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(gallery.site.url + gallery.pathOf('Kajal'))
    await alive(page)
    await expect(message(page)).toHaveValue('Do you ship?')
  })

  for (const [what, more] of [
    ['a key', (page: Page) => page.keyboard.press('Shift')],
    ['a touch of a field', (page: Page) => message(page).click()],
  ] as const)
    test(`is sent by Enter, also when ${what} in the form follows`, async ({ page, gallery }) => {
      const program = await held(page, PROGRAM)
      await takeMessages(page)
      await page.goto(gallery.site.url)
      await write(page)
      await page.getByLabel('Email').press('Enter')
      await more(page)
      await program.letGo()
      await expect(page.locator('[data-toasts]').getByRole('status')).toContainText('Thank you')
    })
})

test.describe('the address of the form, which is no page', () => {
  test.use({ expectedComplaints: /^Failed to load resource.*404/ })

  test('leads home from where it is met', async ({ page, gallery }) => {
    await page.goto(`${gallery.site.url}/contact`)
    await expect(page).toHaveURL(`${gallery.site.url}/contact`)
    await page.getByRole('link', { name: 'Gallery' }).first().click()
    await expect(page).toHaveURL(`${gallery.site.url}/#gallery`)
    await expect(page.getByRole('heading', { level: 2, name: 'Gallery' })).toBeVisible()
  })

  test('is not loaded again for an anchor, whatever else stands in it', async ({ page, gallery }) => {
    await held(page, PROGRAM)
    await page.goto(`${gallery.site.url}/contact?category=Abstract`)
    await mark(page)
    await page.evaluate(() => {
      location.hash = 'gallery'
    })
    // The event of the anchor has been heard by then, and the document that it would bring is there.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    await page.waitForLoadState()
    expect(await isFirst(page)).toBe(1)
  })
})

test.describe('an address that says what its page does not show', () => {
  for (const query of ['/?category=Abstract&category=Landscape', '?category=Abstract'])
    test(`is taken over as it was sent (${query})`, async ({ page, gallery }) => {
      const address = query.startsWith('/') ? query : gallery.pathOf('Kajal') + query
      await page.goto(gallery.site.url + address)
      await page.getByLabel('Message', { exact: true }).evaluate((field) => {
        if (field instanceof HTMLTextAreaElement) field.value = 'typed early'
      })
      await alive(page)
      await expect(page.getByLabel('Message', { exact: true })).toHaveValue('typed early')
    })
})

test.describe('a list that failed', () => {
  test.use({ expectedComplaints: /^(?:Failed to load resource|Loading [a-z-]+ failed)/ })

  test('keeps the focus in the gallery when Retry has brought the works', async ({ page, gallery }) => {
    let isDown = true
    await page.route('**/api/artworks', (route) => (isDown ? route.abort() : route.continue()))
    await page.goto(`${gallery.site.url}/admin`)
    await page.getByRole('button', { name: 'Cancel' }).click()
    const retry = page.getByRole('button', { name: 'Retry' })
    await expect(retry).toBeVisible()
    isDown = false
    await retry.press('Enter')
    await expect(page.getByRole('heading', { level: 2, name: 'Gallery' })).toBeFocused()
  })

  test('stays and says so when it could not be fetched again; nothing but "Try again" asks once more', async ({
    page,
    gallery,
  }) => {
    const artwork = gallery.artworks.find(({ title }) => title === 'Salt Pans')
    const put = (saleStatus: string) => gallery.owner('PUT', `/api/artworks/${artwork?.id}`, { saleStatus })
    let [isDown, asked] = [true, 0]
    await page.route('**/api/artworks', (route) => {
      asked += 1
      return isDown ? route.abort() : route.continue()
    })
    await page.goto(gallery.site.url)
    await listening(page)
    await put('sold')
    const said = page.locator('#gallery').getByRole('alert')
    await expect(said).toContainText('may be out of date')
    const tile = page.locator('#gallery').getByRole('link', { name: /Salt Pans/ })
    await expect(tile).not.toContainText('Sold')
    await tile.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    expect(asked).toBe(1)
    isDown = false
    await said.getByRole('button', { name: 'Try again' }).press('Enter')
    await expect(tile).toContainText('Sold')
    await expect(said).toBeHidden()
    await expect(page.getByRole('heading', { level: 2, name: 'Gallery' })).toBeFocused()
    expect(asked).toBe(2)
    await put('for_sale')
  })

  test('says so in an open artwork, which keeps the focus when it has come', async ({ page, gallery }) => {
    const artwork = gallery.artworks.find(({ title }) => title === 'Salt Pans')
    const put = (saleStatus: string) => gallery.owner('PUT', `/api/artworks/${artwork?.id}`, { saleStatus })
    let [isDown, asked] = [true, 0]
    await page.route('**/api/artworks', (route) => {
      asked += 1
      return isDown ? route.abort() : route.continue()
    })
    await page.goto(gallery.site.url)
    // Until somebody uses the page, what lies below the view may be left out for a moment and takes no focus.
    await page.keyboard.press('Shift')
    await page
      .locator('#gallery')
      .getByRole('link', { name: /Salt Pans/ })
      .press('Enter')
    const open = page.getByRole('dialog')
    const said = open.getByRole('alert')
    await expect(open).toBeVisible()
    await expect(said).toHaveCount(0)
    await listening(page)
    await put('sold')
    await expect(said).toContainText('may be out of date')
    await expect(open).not.toContainText('Sold')
    isDown = false
    await said.getByRole('button', { name: 'Try again' }).press('Enter')
    await expect(open).toContainText('Sold')
    await expect(said).toHaveCount(0)
    await expect(open.getByRole('heading', { level: 1, name: 'Salt Pans' })).toBeFocused()
    expect(asked).toBe(2)
    await put('for_sale')
  })

  test('says so in its own place: the texts and the categories', async ({
    page,
    gallery: { site, owner },
  }) => {
    const texts = await owner<{ artistName: string }>('GET', '/api/site-content')
    const name = (artistName: string) => owner('PUT', '/api/site-content', { artistName })
    let isDown = true
    await page.route(/api\/(?:site-content|categories)$/, (route) =>
      isDown ? route.abort() : route.continue(),
    )
    await page.goto(site.url)
    await listening(page)
    await name('Asha Rao')
    const category = await owner<{ id: string }>('POST', '/api/categories', { name: 'Rivers' })
    const places = ['about', 'gallery'].map((id) => page.locator(`#${id}`))
    for (const place of places) await expect(place.getByRole('alert')).toContainText('may be out of date')
    isDown = false
    for (const place of places) {
      await place.getByRole('button', { name: 'Try again' }).press('Enter')
      await expect(place.getByRole('alert')).toBeHidden()
      await expect(place.locator('h2')).toBeFocused()
    }
    await expect(page.locator('#about')).toContainText('Asha Rao')
    await expect(page.locator('#gallery').getByRole('button', { name: 'Rivers' })).toBeVisible()
    await name(texts.artistName)
    await owner('DELETE', `/api/categories/${category.id}`)
  })

  test('is not waited for without an end: the description of an open work', async ({ page, gallery }) => {
    // As in the document of a big gallery.
    await page.route(`${gallery.site.url}/`, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(/"description":"(?:[^"\\]|\\.)*"/g, '"description":null')
      await route.fulfill({ response: answer, body })
    })
    let isDown = true
    await page.route(`**/api/artworks/*`, (route) => (isDown ? route.abort() : route.continue()))
    await visit(page, gallery.site.url)
    await page
      .locator('#gallery')
      .getByRole('link', { name: /Gulmohar/ })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Gulmohar' })
    const said = dialog.getByRole('alert')
    await expect(said).toContainText('The description could not be loaded.')
    isDown = false
    await said.getByRole('button', { name: 'Retry' }).click()
    await expect(said).toBeHidden()
    await expect(dialog.locator('[aria-busy]')).toHaveCount(0)
  })
})
