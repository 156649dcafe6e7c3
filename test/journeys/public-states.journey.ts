/// <reference lib="dom" />
import { visit } from '../support/visit.ts'
import { ownerOf } from './owner.ts'
import { stripedImage } from './images.ts'
import { expect, test } from './public-site.ts'

test.describe.configure({ mode: 'default' })

test('a page without any content reads well, and the first work is on the very next request', async ({
  page,
  bareSite,
}) => {
  await visit(page, bareSite.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Artist')
  await expect(page.locator('#gallery')).toContainText(
    'No artworks available. Check back soon for new additions!',
  )
  await expect(page.getByRole('heading', { name: 'Featured Work' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'View All Artworks' })).toBeVisible()
  await expect(page.locator('#contact')).toContainText('studio@example.org')

  const owner = await ownerOf(bareSite)
  await owner('PUT', '/api/site-content', { heroTitle: 'Rain and Road', artistName: 'Leela Marathe' })
  const imageUrl = await stripedImage(owner, 480, 640, '#7a8f5a')
  await owner('POST', '/api/artworks', { title: 'The Only One', price: 5_000, imageUrl })
  await owner('PUT', '/api/site-content', {
    profileImageUrl: await stripedImage(owner, 800, 1000, '#b59a7a'),
  })
  await visit(page, bareSite.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rain and Road')
  const only = page.locator('#gallery').getByRole('link', { name: /The Only One/ })
  await expect(only).toContainText('₹5,000')
  await only.click()
  const dialog = page.locator('[data-overlay]')
  await expect(dialog.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(dialog).not.toContainText('1 of 1')
  await expect(dialog.getByRole('button', { name: 'work' })).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect(only).toBeFocused()

  // The portrait comes in the size it is shown in, once its variants are made.
  await expect(async () => {
    await page.goto(bareSite.url)
    const source = page.locator('#about picture source[type="image/avif"]')
    await expect(source).toHaveAttribute('srcset', /320w.*800w$/, { timeout: 500 })
  }).toPass()
  const portrait = page.getByRole('img', { name: 'Portrait of Leela Marathe' })
  await portrait.scrollIntoViewIfNeeded()
  await expect
    .poll(() => portrait.evaluate((img) => img instanceof HTMLImageElement && img.currentSrc))
    .toMatch(/\d+\.avif$/)
})

test('placeholders stand while lists are on their way; a list that fails offers Retry, the rest works', async ({
  page,
  complaints,
}) => {
  const failing = new Set(['/api/artworks', '/api/blog-posts'])
  const gate = Promise.withResolvers<void>()
  await page.route(/\/api\/(?:artworks|blog-posts)(?:\?|$)/, async (route) => {
    await gate.promise
    if (failing.has(new URL(route.request().url()).pathname)) await route.fulfill({ status: 503, json: {} })
    else await route.continue()
  })
  // Only a page entered from the dashboard has its lists still to fetch.
  await visit(page, '/admin')
  const login = page.getByRole('dialog')
  await login.getByLabel('Username').waitFor()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('list', { name: 'Loading artworks' }).last().getByRole('listitem')).toHaveCount(
    12,
  )
  await expect(page.getByRole('list', { name: 'Loading the journal' }).getByRole('listitem')).toHaveCount(3)
  gate.resolve()
  const notice = page.locator('#gallery').getByRole('alert')
  await expect(notice).toContainText('The works could not be loaded.')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Leela Marathe')
  const journal = page.locator('#blogs')
  await expect(journal).toContainText('The journal could not be loaded.')
  failing.clear()
  await journal.getByRole('button', { name: 'Retry' }).click()
  await expect(journal).toContainText('No blog posts available.')
  await notice.getByRole('button', { name: 'Retry' }).click()
  await expect(page.locator('#gallery li')).toHaveCount(12)
  expect(
    complaints.splice(0).filter((text) => !/503|Loading (?:artworks|blog-posts) failed/.test(text)),
  ).toEqual([])
})

test('a picture that cannot be had leaves its place and its words', async ({ page, gallery, complaints }) => {
  await page.route(/\/images\/.*\.(?:avif|webp|jpg)$/, (route) => route.abort())
  await visit(page, gallery.pathOf('Kajal'))
  await expect(page.locator('[data-overlay]').getByRole('img', { name: /^Kajal/ })).toBeVisible()
  await page.keyboard.press('Escape')
  const lost = page.locator('#gallery').getByRole('img', { name: /^Monsoon over the Ghats/ })
  await page.locator('#gallery').evaluate((section) => section.scrollIntoView({ behavior: 'instant' }))
  await expect(lost).toContainText('The picture cannot be shown')
  const box = await lost.boundingBox()
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(1600 / 1062, 1)
  expect(complaints.splice(0).filter((text) => !/ERR_FAILED/.test(text))).toEqual([])
})
