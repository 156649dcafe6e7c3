/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import { axeFaultsInBothThemes } from '../support/axe.ts'
import { watchShifts } from '../support/layout-shifts.ts'
import { fontsShown, placeAtRest, visit } from '../support/visit.ts'
import { expect, type Gallery, LONG_TITLE, test } from './public-site.ts'

test.describe.configure({ mode: 'default' })

const overlay = async (page: Page): Promise<void> =>
  expect(page.locator('[data-overlay]')).toHaveAttribute('aria-modal', 'true')

const states: readonly {
  name: string
  path: (gallery: Gallery) => string
  prepare?: (page: Page) => Promise<void>
  /** the browser itself tells of the answer's status */
  complains?: true
}[] = [
  { name: 'the page', path: () => '/' },
  { name: 'an empty category', path: () => '/?category=Sculpture' },
  {
    name: 'a letter with errors',
    path: () => '/',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Send Message' }).click()
      await expect(page.getByLabel('Message')).toHaveAttribute('aria-invalid', 'true')
    },
  },
  {
    name: 'a letter that was sent',
    path: () => '/',
    prepare: async (page) => {
      await page.route('**/api/contact', (route) => route.fulfill({ status: 201, json: {} }))
      await page.getByLabel('Name').fill('Ravi')
      await page.getByLabel('Email').fill('ravi@example.org')
      await page.getByLabel('Subject').selectOption('general')
      await page.getByLabel('Message').fill('A question.')
      await page.getByRole('button', { name: 'Send Message' }).click()
      await expect(page.locator('[data-toasts]')).toContainText('Message Sent!')
      // Stays on screen for as long as it is looked at.
      await page.locator('[data-toasts]').getByRole('status').hover()
    },
  },
  {
    name: 'the open menu',
    path: () => '/',
    prepare: async (page) => {
      await page.setViewportSize({ width: 360, height: 800 })
      await page.getByRole('button', { name: 'Open menu' }).click()
    },
  },
  {
    name: 'a work for sale, its payment panel open',
    path: ({ pathOf }) => pathOf('Lotus Tank'),
    prepare: async (page) => {
      await overlay(page)
      await page.getByRole('button', { name: /^Pay with UPI/ }).click()
    },
  },
  { name: 'a sold work', path: ({ pathOf }) => pathOf('Low Water, Yamuna'), prepare: overlay },
  { name: 'a reserved work', path: ({ pathOf }) => pathOf('Letters to Indore'), prepare: overlay },
  {
    name: 'a work whose price is on request',
    path: ({ pathOf }) => pathOf('Neel, after the Rains'),
    prepare: overlay,
  },
  { name: 'an unknown path', path: () => '/nowhere', complains: true },
]

for (const { name, path, prepare, complains } of states) {
  test(`axe finds nothing on ${name}, at 360 and 1280 px, light and dark`, async ({
    page,
    gallery,
    complaints,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await visit(page, path(gallery))
    await prepare?.(page)
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await axeFaultsInBothThemes(page), `${width} px`).toEqual([])
    }
    if (complains) complaints.length = 0
  })
}

/** What reaches over the window's edge and does not scroll by itself. */
const overTheEdge = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const edge = document.documentElement.clientWidth
    const scrolls = (element: Element): boolean => {
      for (
        let at: Element | null = element.parentElement;
        at && at !== document.body;
        at = at.parentElement
      ) {
        const { overflowX, clipPath } = getComputedStyle(at)
        if (overflowX !== 'visible' || clipPath !== 'none') return true
      }
      return false
    }
    const wide = [...document.querySelectorAll('body *')].filter((element) => {
      const box = element.getBoundingClientRect()
      return (
        element.checkVisibility() &&
        box.width > 1 &&
        (box.right > edge + 1 || box.left < -1) &&
        !scrolls(element)
      )
    })
    const page = document.documentElement.scrollWidth - edge
    return [
      ...wide.map((element) => element.outerHTML.slice(0, 120)),
      ...(page > 0 ? [`page: ${page} px`] : []),
    ]
  })

test('nothing scrolls sideways at 320 px, nor with text twice as large', async ({
  page,
  context,
  gallery,
}) => {
  const session = await context.newCDPSession(page)
  const paths = ['/', '/?category=Sculpture', gallery.pathOf('Lotus Tank'), gallery.pathOf(LONG_TITLE)]
  for (const [width, size] of [
    [320, 16],
    [360, 32],
    [1280, 32],
  ] as const) {
    await page.setViewportSize({ width, height: 640 })
    // The visitor's own setting, as in the browser's preferences.
    await session.send('Page.setFontSizes', { fontSizes: { standard: size, fixed: size } })
    for (const path of paths) {
      await visit(page, path)
      expect(await overTheEdge(page), `${path} at ${width} px, text of ${size} px`).toEqual([])
    }
  }
})

test('what has the focus is seen, and never hidden under the bar', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 700 })
  // Without motion the page stands still as soon as the key was pressed.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await visit(page, '/')
  const unseen: string[] = []
  for (let stop = 0; stop < 45; stop++) {
    await page.keyboard.press('Tab')
    const fault = await page.evaluate(() => {
      const element = document.activeElement
      if (!(element instanceof HTMLElement) || element === document.body) return null
      const box = element.getBoundingClientRect()
      const at = document.elementFromPoint(
        Math.min(innerWidth - 2, Math.max(1, box.left + box.width / 2)),
        Math.min(innerHeight - 2, Math.max(1, box.top + Math.min(box.height / 2, 20))),
      )
      const covered = at !== null && !element.contains(at) && !at.contains(element)
      // What is drawn of it, its parts and the line it stands on, with the focus and without.
      const looks = (): string => {
        const line = element.closest('form > div') ?? element
        return [element, line, ...line.querySelectorAll('*')]
          .map((each) => getComputedStyle(each))
          .map(({ outline, boxShadow, borderColor, background, textDecoration }) =>
            [outline, boxShadow, borderColor, background, textDecoration].join(),
          )
          .join()
      }
      const focused = looks()
      element.blur()
      const shown = focused !== looks()
      element.focus({ preventScroll: true })
      return covered || !shown
        ? `${covered ? 'covered' : 'not shown'}: ${element.outerHTML.slice(0, 120)}`
        : null
    })
    if (fault !== null) unseen.push(fault)
  }
  expect(unseen).toEqual([])
})

test('nothing moves for those who asked for that', async ({ page, gallery }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await visit(page, '/')
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('auto')
  await page.locator('#gallery').getByRole('link', { name: /Kajal/ }).click()
  await overlay(page)
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => {
        const duration = animation.effect?.getComputedTiming().duration
        return typeof duration === 'number' && duration > 1
      })
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : 'transition')),
  )
  expect(moving).toEqual([])
  await expect(page).toHaveURL(gallery.pathOf('Kajal'))
})

for (const [name, width, height] of [
  ['phone', 360, 780],
  ['laptop', 1280, 800],
] as const) {
  test(`nothing shifts while page and work come in on a ${name}`, async ({ page, gallery }) => {
    await page.setViewportSize({ width, height })
    const shifted = await watchShifts(page)
    for (const path of ['/', gallery.pathOf('Lotus Tank')]) {
      await visit(page, path)
      if (path === '/') {
        // While they are being shown a browser counts what it had left out below the view as moved (`public-fonts.journey.ts`).
        await fontsShown(page)
        for (const section of ['about', 'gallery', 'blogs', 'contact']) {
          await page
            .locator(`#${section}`)
            .evaluate((element) => element.scrollIntoView({ behavior: 'instant' }))
          await placeAtRest(page)
          await page.waitForFunction(() =>
            [...document.images]
              .filter((img) => {
                const { top, bottom } = img.getBoundingClientRect()
                return img.checkVisibility() && bottom > 0 && top < innerHeight
              })
              .every((img) => img.complete),
          )
        }
      }
      await page.evaluate(() => document.fonts.ready)
      const { score, moved } = await shifted()
      expect(score, `${path} ${moved.join('; ')}`).toBeLessThan(0.02)
    }
  })
}
