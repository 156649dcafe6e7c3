/// <reference lib="dom" />
import { visit } from '../support/visit.ts'
import { addressOf, expect, test } from './exhibition.ts'

/** Left, top and width of what is found, rounded to whole pixels. */
const places = (elements: Element[]): { top: number; left: number; width: number }[] =>
  elements.map((element) => {
    const { top, left, width } = element.getBoundingClientRect()
    return { top: Math.round(top), left: Math.round(left), width: Math.round(width) }
  })

test('1 the pictures of the journal stand level, each in the corner of its card', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await visit(page, '/')
  const cards = await page.locator('#blogs li').evaluateAll(places)
  const images = await page.locator('#blogs li img').evaluateAll(places)
  expect(images.map(({ top, left }) => ({ top, left }))).toEqual(
    cards.map(({ top, left }) => ({ top, left })),
  )
  expect(images[1]?.top).toBe(images[0]?.top)
})

test('1 the lines of her quote are about as long as one another', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await visit(page, '/')
  await page.evaluate(() => document.fonts.ready)
  const lines = await page.locator('blockquote p').evaluate((quote) => {
    const range = document.createRange()
    range.selectNodeContents(quote)
    const widths = new Map<number, number>()
    for (const { bottom, width } of range.getClientRects()) {
      const line = Math.round(bottom)
      widths.set(line, (widths.get(line) ?? 0) + width)
    }
    return [...widths.values()]
  })
  expect(lines).toHaveLength(2)
  expect(Math.min(...lines) / Math.max(...lines)).toBeGreaterThan(0.7)
})

test('1 buttons and fields draw their words as the page does: no word beside them stands lower or wider', async ({
  page,
}) => {
  await visit(page, '/')
  const ways = await page
    .locator('body, button, input, select, textarea')
    .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).textRendering))
  expect(ways.length).toBeGreaterThan(10)
  expect(new Set(ways)).toEqual(new Set(['geometricprecision']))
})

test('4 a work is printed alone, not over every page of the homepage', async ({ page, data }) => {
  await visit(page, addressOf(data, 0))
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1, name: 'Monsoon' })).toBeVisible()
  await expect(page.locator('main')).toBeHidden()
  // What is fixed would stand on every sheet; a modal dialog is never static.
  await expect(page.locator('[data-overlay]')).not.toHaveCSS('position', 'fixed')
})

for (const width of [320, 360, 600, 768, 1280, 1440, 1920]) {
  test(`5 every row of the wall is full and has one height at ${width} px, the last one too`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 })
    await visit(page, '/')
    const wall = await page.locator('#gallery [data-list] > li > a > :first-child').evaluateAll((images) => {
      const list = images[0]?.closest('ul')?.getBoundingClientRect()
      const rows = Map.groupBy(
        images.map((image) => image.getBoundingClientRect()),
        ({ top }) => Math.round(top),
      )
      return [...rows.values()].map((row) => ({
        heights: row.map(({ height }) => Math.round(height)),
        narrowest: Math.min(...row.map((image) => image.width)),
        free: (list?.right ?? 0) - Math.max(...row.map(({ right }) => right)),
      }))
    })
    expect(wall.flatMap(({ heights }) => heights)).toHaveLength(12)
    for (const { heights, narrowest, free } of wall) {
      expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1)
      expect(narrowest).toBeGreaterThan(width < 360 ? 119 : 136)
      expect(free).toBeLessThanOrEqual(1)
    }
  })
}
