/// <reference lib="dom" />
import { alive } from '../support/visit.ts'
import { expect, test } from './public-site.ts'

test.describe('before the program is there, on a phone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })

  test('a press on the menu is answered as soon as it can be', async ({ page, gallery }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/assets/entry-*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(gallery.site.url)
    const menu = page.getByRole('button', { name: 'Open menu' })
    await menu.tap()
    await expect(menu).toHaveAttribute('data-pressed')
    release()
    await expect(page.getByRole('dialog', { name: 'Main' })).toBeVisible()
    await expect(menu).not.toHaveAttribute('data-pressed')
  })

  test('letters are fetched, also where nothing may be kept', async ({ page, gallery }) => {
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
      [...document.fonts].some(({ family, status }) => family.includes('Newsreader') && status === 'loaded'),
    )
  })
})

test.describe('a list that failed', () => {
  test.use({ expectedComplaints: /^(?:Failed to load resource|Loading artworks failed)/ })

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
})
