/// <reference lib="dom" />
import type { SiteContent } from '#web/contract/site-content.ts'
import { held } from '../support/visit.ts'
import { card, expect, expectToast, test } from './desk.ts'

/** As Chrome translates a page for as long as it stands: each text gives way to elements with other words. */
function translate(): void {
  const isLeftAlone = (element: Element | null): boolean =>
    element?.closest('[translate=no], script, style, textarea, option, font') !== null
  const translateIn = (place: Node): void => {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
    const texts = [place, ...Array.from({ length: 5_000 }, () => walker.nextNode())]
    for (const text of texts) {
      if (!(text instanceof Text) || !/[a-z]/i.test(text.data) || isLeftAlone(text.parentElement)) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = `«${text.data}»`
      outer.append(inner)
      text.replaceWith(outer)
    }
  }
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      for (const place of [target, ...addedNodes]) translateIn(place)
  }).observe(document, { childList: true, subtree: true, characterData: true })
}

test.beforeEach(({ page }) => page.addInitScript(translate))

test('a browser that translates pages changes none of her words', async ({ page, desk }) => {
  await desk.call('PUT', '/api/site-content', { artistDescription: '<p>Her own words</p>' })
  const editor = await held(page, '**/assets/editor-*.js')
  await desk.open('Content')
  const text = page.locator('[contenteditable]')
  await text.click()
  await page.keyboard.press('End')
  await page.keyboard.type(' and more')
  await editor.letGo()
  await expect(page.locator('.ProseMirror')).toHaveText('Her own words and more')
  await page.locator('form').getByRole('button', { name: 'Save Changes' }).first().click()
  await expectToast(page, 'Success', 'Site content updated successfully.')
  const { artistDescription } = await desk.call<SiteContent>('GET', '/api/site-content')
  expect(artistDescription).toBe('<p>Her own words and more</p>')
})

test('a browser that translates pages leaves the dashboard whole, and what it tells true', async ({
  page,
  desk,
}) => {
  await desk.addArtwork({ title: 'Monsoon', price: 1_000 })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Monsoon' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Artwork' })
  await form.getByLabel('Price').fill('0')
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(form).toBeHidden()
  await expect(card(page, 'Monsoon')).toContainText('₹0Price on request on the site')
  await page.getByRole('button', { name: 'View site' }).click()
  await expect(page.locator('font').first()).toBeAttached()
})
