/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import { expect, test } from './desk.ts'

const SIZES = [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 1280, height: 800 },
]

/** What has the focus, and what lies over its middle if that is something else; null once the focus left the form. */
function focused(page: Page): Promise<{ name: string; coveredBy: string | null } | null> {
  return page.evaluate(async () => {
    // What a person sees: the scroller may still be on its way in the frame of the key.
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
    const element = document.activeElement
    const tag = ({ tagName, className }: Element): string => `${tagName}.${className}`
    if (!element?.closest('main form')) return null
    const { left, top, width, height } = element.getBoundingClientRect()
    const met = document.elementFromPoint(left + width / 2, top + height / 2)
    const name = element.getAttribute('name') ?? element.getAttribute('aria-label') ?? element.textContent
    const own = met !== null && (element.contains(met) || met.closest('label')?.contains(element))
    const where = `${Math.round(top)}–${Math.round(top + height)}`
    return { name: `${name} ${where}`, coveredBy: own ? null : met ? tag(met) : 'the edge of the window' }
  })
}

/** Goes through the form by the keyboard. Gives how many stops it has and which of them were covered. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<{ stops: number; covered: string[] }> {
  const covered = []
  let stops = 0
  for (let stop = await focused(page); stop !== null; stop = await focused(page)) {
    stops += 1
    if (stop.coveredBy !== null) covered.push(`${stop.name} lies behind ${stop.coveredBy}`)
    await page.keyboard.press(key)
  }
  return { stops, covered }
}

const heightOfSaveBar = (page: Page): Promise<string> =>
  page
    .locator('[data-scrolls]', { has: page.locator('main form') })
    .evaluate(({ style }: HTMLElement) => style.getPropertyValue('--save-bar'))

for (const size of SIZES) {
  test(`no bar lies over the field that has the focus at ${size.width} × ${size.height}`, async ({
    page,
    desk,
  }) => {
    test.slow()
    await page.setViewportSize(size)
    await desk.open('Content')
    const first = page.getByLabel('Artist Name')
    // What stands above the tabs is known: it pushes nothing down any more.
    await expect(page.locator('[style*="min-block-size"]')).toHaveCount(0)
    for (const isUnsaved of [false, true]) {
      await first.fill(isUnsaved ? 'Leela' : '')
      // The bar for what is unsaved has come, and the page knows how much it covers.
      await expect.poll(() => heightOfSaveBar(page)).toMatch(isUnsaved ? /^[1-9]/ : /^(?:0px)?$/)
      await first.focus()
      const down = await walk(page, 'Tab')
      expect(down.covered, `down, unsaved: ${isUnsaved}`).toEqual([])
      expect(down.stops).toBeGreaterThan(30)
      await page.keyboard.press('Shift+Tab')
      const up = await walk(page, 'Shift+Tab')
      expect(up.covered, `up, unsaved: ${isUnsaved}`).toEqual([])
      expect(up.stops).toBeGreaterThan(30)
    }
    // By program too.
    await page.locator('[name="upiId"]').focus()
    expect((await focused(page))?.coveredBy).toBeNull()
    await first.focus()
    expect((await focused(page))?.coveredBy).toBeNull()
  })
}

test('a field that the save bar covers but for its first line comes out whole by the keyboard', async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await desk.open('Content')
  await page.getByLabel('Artist Name').fill('Leela')
  await expect.poll(() => heightOfSaveBar(page)).toMatch(/^[1-9]/)
  const field = page.locator('[name="bioParagraph4"]')
  await page.locator('[name="bioParagraph3"]').focus()
  await field.evaluate((element) => {
    const scroller = element.closest('[data-scrolls]')
    const bar = scroller?.querySelector('[data-needed]')
    if (!scroller || !bar) throw new Error('No bar is there')
    const { top } = element.getBoundingClientRect()
    // The browser itself would only see to it that the line with the caret can be seen.
    scroller.scrollBy({ top: top + 40 - bar.getBoundingClientRect().top, behavior: 'instant' })
  })
  await page.keyboard.press('Tab')
  await expect(field).toBeFocused()
  expect((await focused(page))?.coveredBy).toBeNull()
})

test('a tab shows the ring of the focus to who came by the keyboard, not to who pressed it', async ({
  page,
  desk,
}) => {
  await desk.open('Content')
  const shown = (name: string): Promise<boolean> =>
    page.getByRole('tab', { name }).evaluate((tab) => tab.matches(':focus-visible'))
  await page.getByRole('tab', { name: 'Gallery' }).click()
  await expect(page.getByRole('tab', { name: 'Gallery' })).toBeFocused()
  expect(await shown('Gallery')).toBe(false)
  // Up or right, as the tabs lie.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Gallery' })).not.toBeFocused()
  expect(await page.evaluate(() => document.activeElement?.matches('[role="tab"]:focus-visible'))).toBe(true)
})
