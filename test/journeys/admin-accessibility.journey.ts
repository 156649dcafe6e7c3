/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test'
import { axeFaultsInBothThemes } from '../support/axe.ts'
import { visit } from '../support/visit.ts'
import { chooseTab, expect, openDashboard, signInBrowser, type TabName, test } from './dashboard.ts'
import { oneImage } from './images.ts'

const states: readonly { name: string; tab: TabName; prepare?: (page: Page) => Promise<void> }[] = [
  { name: 'Content', tab: 'Content' },
  { name: 'Gallery', tab: 'Gallery' },
  { name: 'Categories', tab: 'Categories' },
  { name: 'Blog', tab: 'Blog' },
  { name: 'Messages', tab: 'Messages' },
  {
    name: 'the category dialog with an error and its toast',
    tab: 'Categories',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add Category' }).click()
      await page.getByLabel('Name').fill('landscape')
      await page.getByRole('dialog').getByRole('button', { name: 'Add Category' }).click()
      await page.locator('[data-toasts] li').waitFor()
    },
  },
  {
    name: 'the unsaved-changes question',
    tab: 'Categories',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add Medium' }).click()
      await page.getByLabel('Name').fill('Ink')
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'the delete question',
    tab: 'Messages',
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^Delete the message/ })
        .first()
        .click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'Activity',
    tab: 'Blog',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Activity' }).click()
      await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'Account',
    tab: 'Blog',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByText('This browser').waitFor()
    },
  },
]

test.beforeEach(async ({ workshop: { site, owner } }) => {
  const artworks = await owner<{ title: string }[]>('GET', '/api/artworks')
  if (artworks.some(({ title }) => title === 'Haldi')) return
  const categories = await owner<{ name: string }[]>('GET', '/api/categories')
  if (!categories.some(({ name }) => name === 'Landscape')) {
    await owner('POST', '/api/categories', { name: 'Landscape' })
    await owner('POST', '/api/mediums', { name: 'Oil on canvas', isActive: false })
  }
  const imageUrl = await oneImage(owner)
  await owner('POST', '/api/artworks', { title: 'Haldi', price: 1_25_000, imageUrl, category: 'Landscape' })
  await owner('POST', '/api/artworks', { title: 'Kajal', imageUrl, isAvailable: false, saleStatus: 'sold' })
  await fetch(`${site.url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Ritu',
      email: 'ritu@example.com',
      subject: 'purchase',
      message: 'Is it free?',
    }),
  })
})

for (const width of [360, 1280]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 }, contextOptions: { reducedMotion: 'reduce' } })

    test('axe finds nothing on the login, in any tab or dialog, light or dark', async ({
      page,
      workshop: { site },
    }) => {
      test.slow()
      await visit(page, `${site.url}/admin`)
      await page.getByRole('dialog').getByRole('button', { name: 'Login' }).click()
      await page.getByText('Username is required').waitFor()
      expect(await axeFaultsInBothThemes(page), 'the login').toEqual([])
      await signInBrowser(page.context(), site)
      await visit(page, `${site.url}/`)
      await page.getByRole('button', { name: width < 700 ? 'Open menu' : 'Admin' }).click()
      if (width < 700) await page.getByRole('dialog').getByRole('button', { name: 'Admin' }).click()
      await chooseTab(page, 'Categories')
      expect(await axeFaultsInBothThemes(page), 'the overlay').toEqual([])
      await visit(page, `${site.url}/admin`)
      for (const { name, tab, prepare } of states) {
        await chooseTab(page, tab)
        await page.getByRole('main').getByRole('heading').first().waitFor()
        await prepare?.(page)
        expect(await axeFaultsInBothThemes(page), name).toEqual([])
        if (!prepare) continue
        // What was typed must not wait as a draft in the next state.
        await page.evaluate(() => localStorage.clear())
        await page.goto('about:blank')
        await visit(page, `${site.url}/admin`)
      }
    })
  })
}

test.describe('at 320 px', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('nothing scrolls sideways', async ({ page, workshop }) => {
    await openDashboard(page, workshop.site, 'Content')
    for (const tab of ['Content', 'Gallery', 'Categories', 'Blog', 'Messages'] as const) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('main').getByRole('heading').first().waitFor()
      const overflow = await page
        .locator('[data-scrolls]')
        .evaluate((element) => element.scrollWidth - element.clientWidth)
      expect(overflow, tab).toBe(0)
    }
  })
})

test.describe('with larger text on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('a card of an artwork stays within the screen, and a name is not broken into letters', async ({
    page,
    workshop,
  }) => {
    await workshop.owner('POST', '/api/contact', {
      name: 'Asha',
      email: 'asha@example.org',
      subject: 'general',
      message: 'Hello',
    })
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 32 } })
    await openDashboard(page, workshop.site, 'Gallery')
    const cards = page.getByRole('group', { name: 'Artworks' })
    await expect(cards.getByRole('button', { name: /^Delete / }).first()).toBeVisible()
    expect(await cards.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0)
    for (const [tab, name] of [
      ['Categories', 'Landscape'],
      ['Messages', 'Asha'],
    ] as const) {
      await chooseTab(page, tab)
      const lines = await page
        .getByRole('main')
        .getByText(name, { exact: true })
        .first()
        .evaluate((element) => {
          const words = document.createRange()
          words.selectNodeContents(element)
          return words.getClientRects().length
        })
      expect(lines, name).toBe(1)
    }
  })

  test('the title stands clear of the edge of the screen, also where the bar has two lines', async ({
    page,
    workshop,
  }) => {
    await openDashboard(page, workshop.site, 'Messages')
    await page.evaluate(() => document.fonts.ready)
    const title = page.getByRole('heading', { name: 'Admin Dashboard' })
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 740 })
      for (const size of ['100%', '125%', '200%']) {
        await page.evaluate((each) => document.documentElement.style.setProperty('font-size', each), size)
        const top = await title.evaluate((element) => element.getBoundingClientRect().top)
        expect(top, `${width} px, ${size}`).toBeGreaterThanOrEqual(4)
      }
    }
  })

  test('a question that scrolls is read by the keyboard too', async ({ page, workshop }) => {
    await openDashboard(page, workshop.site, 'Categories')
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    await page.setViewportSize({ width: 360, height: 480 })
    await page.getByRole('button', { name: 'Delete Landscape' }).click()
    await page.getByRole('alertdialog').waitFor()
    expect(await axeFaultsInBothThemes(page)).toEqual([])
  })

  test('no word and no count of a tab lies over another or is cut', async ({ page, workshop }) => {
    await openDashboard(page, workshop.site, 'Messages')
    await expect(page.getByRole('tab', { name: /unread/ })).toBeVisible()
    await page.evaluate(() => document.fonts.ready)
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 740 })
      for (const size of ['100%', '125%', '150%', '200%']) {
        await page.evaluate((each) => document.documentElement.style.setProperty('font-size', each), size)
        const parts = await page.locator('[role="tab"]').evaluateAll((tabs) =>
          tabs.flatMap((tab, index) =>
            [...tab.querySelectorAll(':scope > svg, :scope > span')]
              .filter((part) => getComputedStyle(part).clipPath === 'none')
              .map((part) => {
                const { left, right, top, bottom } = part.getBoundingClientRect()
                return {
                  name: part.textContent,
                  tab: index,
                  isDrawing: part.tagName === 'svg',
                  left,
                  right,
                  top,
                  bottom,
                }
              }),
          ),
        )
        const over = parts.flatMap((one, index) =>
          parts
            .slice(index + 1)
            .filter(
              (two) =>
                // A count may touch the corner of its own drawing.
                (one.tab !== two.tab || !one.isDrawing) &&
                Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 &&
                Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1,
            )
            .map((two) => `${one.name} and ${two.name}`),
        )
        expect(over, `${width} px, ${size}`).toEqual([])
        for (const { name, left, right } of parts) {
          expect(left, `${name}, ${width} px, ${size}`).toBeGreaterThanOrEqual(0)
          expect(right, `${name}, ${width} px, ${size}`).toBeLessThanOrEqual(width)
        }
      }
    }
  })

  for (const size of [24, 32]) {
    test(`nothing of the dashboard scrolls sideways with text of ${size} px`, async ({
      playwright,
      launchOptions,
      workshop,
    }) => {
      const args = [...(launchOptions.args ?? []), `--blink-settings=defaultFontSize=${size}`]
      const browser = await playwright.chromium.launch({ ...launchOptions, args })
      try {
        const page = await browser.newPage({ viewport: { width: 320, height: 740 } })
        await openDashboard(page, workshop.site, 'Content')
        for (const tab of ['Content', 'Gallery', 'Categories', 'Blog', 'Messages'] as const) {
          await chooseTab(page, tab)
          await page.getByRole('main').getByRole('heading').first().waitFor()
          const wide = await page
            .locator('[data-scrolls]')
            .evaluate((element) =>
              element.scrollWidth <= element.clientWidth
                ? []
                : [...element.querySelectorAll('*')]
                    .filter((part) => part.getBoundingClientRect().right > element.clientWidth + 1)
                    .map((part) => part.outerHTML.slice(0, 90)),
            )
          expect(wide, tab).toEqual([])
        }
      } finally {
        await browser.close()
      }
    })
  }

  test('with text of 32 px on a phone a message keeps its words whole, and what stands in pairs stands one below the other', async ({
    playwright,
    launchOptions,
    ownWorkshop: { site },
  }) => {
    const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32']
    const browser = await playwright.chromium.launch({ ...launchOptions, args })
    try {
      const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
      await openDashboard(page, site, 'Content')
      await page.getByLabel('Artist Name').fill('Leela')
      await page.getByRole('button', { name: 'Save Changes' }).first().click()
      const toast = page.locator('[data-toasts] li').filter({ hasText: 'Site content updated' })
      await toast.getByRole('button', { name: 'Undo' }).waitFor()
      const words = await widthOf(toast.getByRole('status'))
      expect(words).toBeGreaterThan((await widthOf(toast)) / 2)

      await chooseTab(page, 'Gallery')
      await page.getByRole('button', { name: 'Add New Artwork' }).click()
      const dialog = page.getByRole('dialog')
      expect(await widthOf(dialog.getByLabel('Sale status'))).toBe(
        await widthOf(dialog.getByLabel('Description')),
      )
    } finally {
      await browser.close()
    }
  })
})

async function widthOf(element: Locator): Promise<number> {
  const box = await element.boundingBox()
  if (box === null) throw new Error('Not shown')
  return box.width
}
