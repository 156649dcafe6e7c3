/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test'
import { visit } from '../support/visit.ts'
import { addressOf, expect, test } from './exhibition.ts'

const dialog = (page: Page): Locator => page.locator('[data-overlay]')
test('the Tab key stays inside the dialog', async ({ page, data }) => {
  await visit(page, addressOf(data, 0))
  await expect(dialog(page).getByRole('heading', { level: 1 })).toBeFocused()
  for (let stop = 0; stop < 30; stop++) {
    await page.keyboard.press('Tab')
    expect(await dialog(page).evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
})

test('previous and next wrap round and keep the focus; dots, Home and End choose', async ({ page, data }) => {
  await visit(page, addressOf(data, 0))
  const previous = page.getByRole('button', { name: 'Previous work' })
  await expect(dialog(page)).toHaveAttribute('aria-modal', 'true')
  await previous.click()
  await expect(dialog(page)).toContainText('12 of 12')
  await expect(previous).toBeFocused()
  await page.getByRole('tab', { selected: true }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(dialog(page)).toContainText('1 of 12')
  await page.keyboard.press('End')
  await expect(page.getByRole('tab', { name: 'Work 12' })).toBeFocused()
  await page.keyboard.press('Control+ArrowRight')
  await expect(dialog(page)).toContainText('12 of 12')
})

test('any empty area around the picture closes; the picture itself zooms to its own pixels', async ({
  page,
  data,
}) => {
  await visit(page, addressOf(data, 1))
  await expect(dialog(page)).toHaveAttribute('aria-modal', 'true')
  const frame = page.locator('[data-frame]')
  await frame.click()
  const own = data.artworks[1]?.image?.width
  await expect.poll(async () => (await frame.boundingBox())?.width).toBe(own)
  await page.keyboard.press('ArrowRight')
  await expect(dialog(page)).toContainText('2 of 12')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Zoom' })).toBeFocused()
  await page.mouse.click(300, 12)
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL('/')
})

test('what asks the dialog to close, as the Back of Android does, leaves the zoom first, and then the work, once', async ({
  page,
}) => {
  await visit(page, '/')
  await page.locator('#gallery li a').first().click()
  await page.getByRole('button', { name: 'Zoom' }).click()
  await expect(dialog(page)).toHaveAttribute('data-zoomed', 'true')
  const ask = (): Promise<void> =>
    dialog(page).evaluate((element) => {
      if (element instanceof HTMLDialogElement) element.requestClose()
    })
  await ask()
  await expect(dialog(page)).not.toHaveAttribute('data-zoomed')
  await dialog(page).evaluate((element) => {
    if (!(element instanceof HTMLDialogElement)) return
    element.requestClose()
    // A browser that asked once may close by itself.
    element.close()
  })
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL('/')
  await expect(page.locator('#gallery li a').first()).toBeFocused()
})

test('the featured strip counts its own works', async ({ page }) => {
  await visit(page, '/')
  const first = page.locator('[data-list="featured"] a').first()
  await first.click()
  await expect(dialog(page)).toContainText('1 of 3')
  await page.keyboard.press('Escape')
  await expect(first).toBeFocused()
})

test('id and amount are copied as payer apps take them', async ({ page, context, data }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page, addressOf(data, 0))
  await expect(dialog(page)).toHaveAttribute('aria-modal', 'true')
  await page.getByRole('button', { name: /^Pay with UPI/ }).click()
  await page.getByRole('button', { name: 'Copy amount' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('96000')
  await page.getByRole('button', { name: 'Copy UPI ID' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('leela@examplebank')
  await expect(page.getByRole('link', { name: 'Save QR code' })).toHaveAttribute('download', /Monsoon/)
})

test('over a lakh UPI may refuse, and e-mail is offered at once', async ({ page, data }) => {
  await visit(page, addressOf(data, 1))
  await expect(dialog(page)).toContainText('UPI may refuse a payment above ₹1,00,000')
  await expect(dialog(page)).toContainText('A bank transfer can be arranged by e-mail.')
  await visit(page, addressOf(data, 0))
  await expect(dialog(page)).not.toContainText('may refuse')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('a personal id starts no app: the button gives what is to be pasted, and why', async ({
    page,
    data,
  }) => {
    await visit(page, addressOf(data, 0))
    await expect(dialog(page)).toHaveAttribute('aria-modal', 'true')
    await page.getByRole('button', { name: /^Pay with UPI/ }).tap()
    await expect(page.getByText(/personal ID, so paste the ID and the amount/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy UPI ID' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Google Pay' })).toHaveCount(0)
  })

  test('a stroke leafs, two fingers zoom', async ({ page, context, data }) => {
    await visit(page, addressOf(data, 0))
    await expect(dialog(page)).toHaveAttribute('aria-modal', 'true')
    const session = await context.newCDPSession(page)
    const fingers = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: xs.map((x, id) => ({ x, y: 150, id })),
      })
    await fingers('touchStart', 300)
    await fingers('touchMove', 220)
    await fingers('touchMove', 140)
    await fingers('touchEnd')
    await expect(dialog(page)).toContainText('2 of 12')
    const before = (await page.locator('[data-frame]').boundingBox())?.width ?? 0
    await fingers('touchStart', 150, 210)
    await fingers('touchMove', 120, 240)
    await fingers('touchMove', 90, 270)
    await expect(dialog(page)).toHaveAttribute('data-zoomed', 'true')
    await expect
      .poll(async () => (await page.locator('[data-frame]').boundingBox())?.width ?? 0)
      .toBeGreaterThan(before * 2)
    await fingers('touchEnd')
  })
})

for (const [width, height] of [
  [360, 740],
  [740, 360],
] as const) {
  test(`the close button stays in reach to the end of the label at ${width} × ${height}`, async ({
    page,
    data,
  }) => {
    await page.setViewportSize({ width, height })
    await visit(page, addressOf(data, 0))
    const close = page.getByRole('button', { name: 'Close', exact: true })
    const before = await close.boundingBox()
    await dialog(page).evaluate((sheet) => sheet.scrollTo({ top: sheet.scrollHeight, behavior: 'instant' }))
    expect(await dialog(page).evaluate((sheet) => sheet.scrollTop)).toBeGreaterThan(100)
    expect(await close.boundingBox()).toEqual(before)
    await close.click()
    await expect(dialog(page)).toHaveCount(0)
  })
}

test('the title is seen at 740 × 360, with nothing over it', async ({ page, data }) => {
  await page.setViewportSize({ width: 740, height: 360 })
  await visit(page, addressOf(data, 0))
  const title = dialog(page).getByRole('heading', { level: 1 })
  await expect(title).toBeFocused()
  const box = await title.boundingBox()
  const clip = { x: box?.x ?? 0, y: box?.y ?? 0, width: box?.width ?? 0, height: box?.height ?? 0 }
  const drawn = await page.screenshot({ clip })
  await title.evaluate((heading) => {
    heading.style.color = 'transparent'
  })
  expect((await page.screenshot({ clip })).equals(drawn)).toBe(false)
})

test('beside a wide image the price does not press the facts into narrow lines at 740 × 360', async ({
  page,
  data,
}) => {
  await page.setViewportSize({ width: 740, height: 360 })
  await visit(page, addressOf(data, 0))
  const facts = await dialog(page)
    .getByText(/^Oil on canvas, 20/)
    .boundingBox()
  expect(facts?.width).toBeGreaterThan(150)
  expect(facts?.height).toBeLessThan(24)
})

test('the close button lies over nothing that is pressed at 740 × 360, however far the label is moved', async ({
  page,
  data,
}) => {
  await page.setViewportSize({ width: 740, height: 360 })
  await visit(page, addressOf(data, 0))
  await page.getByRole('button', { name: /^Pay with UPI/ }).click()
  const close = await page.getByRole('button', { name: 'Close', exact: true }).boundingBox()
  const label = dialog(page).getByRole('heading', { level: 1 }).locator('..')
  const ends = await label
    .locator('a, button')
    .evaluateAll((pressed) => pressed.map((each) => each.getBoundingClientRect().right))
  expect(ends.length).toBeGreaterThan(4)
  expect(Math.max(...ends)).toBeLessThanOrEqual(close?.x ?? 0)
})

test('beside the close button nothing is half read at 360 px, however far the label is moved', async ({
  page,
  data,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await visit(page, addressOf(data, 0))
  const price = await dialog(page).locator('span').getByText('₹96,000', { exact: true }).boundingBox()
  const image = await page.locator('[data-frame]').boundingBox()
  const bars = []
  for (const top of [price?.y ?? 0, (price?.y ?? 0) - 12, (image?.y ?? 0) + 60]) {
    await dialog(page).evaluate((sheet, to) => sheet.scrollTo(0, to), top)
    bars.push((await page.screenshot({ clip: { x: 0, y: 0, width: 360, height: 48 } })).toString('base64'))
  }
  expect(new Set(bars).size).toBe(1)
})

test('the word e-mail stays on one line, also on a phone with large text', async ({ page, data }) => {
  await visit(page, addressOf(data, 1))
  await page.getByRole('button', { name: /^Pay with UPI/ }).click()
  const broken = new Set<string>()
  for (let width = 220; width <= 440; width += 4) {
    await page.setViewportSize({ width, height: 740 })
    const found = await dialog(page).evaluate((sheet) => {
      const texts = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT)
      const range = document.createRange()
      const lines: string[] = []
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const { index } of (text.textContent ?? '').matchAll(/e-mail/gi)) {
          range.setStart(text, index)
          range.setEnd(text, index + 'e-mail'.length)
          if (range.getClientRects().length > 1) lines.push(text.textContent ?? '')
        }
      }
      return lines
    })
    for (const line of found) broken.add(line)
  }
  expect([...broken]).toEqual([])
})

test('without a script the buttons at the sides stand below the picture at 740 × 360, too', async ({
  browser,
  pages,
  data,
}) => {
  // Few works: then count, dots and buttons are short enough for one line.
  pages.show({ ...data, artworks: data.artworks.slice(0, 5) })
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 740, height: 360 },
  })
  try {
    const page = await context.newPage()
    await page.goto(pages.url + addressOf(data, 0))
    const frame = await page.locator('[data-frame]').boundingBox()
    const next = await page.getByRole('button', { name: 'Next work' }).boundingBox()
    expect(next?.y).toBeGreaterThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0))
  } finally {
    pages.show(data)
    await context.close()
  }
})
