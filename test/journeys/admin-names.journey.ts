/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test'
import type { Artwork } from '#web/contract/artworks.ts'
import type { Category } from '#web/contract/taxonomy.ts'
import { expect, expectAccessible, expectToast, test } from './desk.ts'

/** Opens the dialog of an artwork; gives one of its two name fields. */
async function edit(page: Page, title: string, field: 'Category' | 'Medium'): Promise<Locator> {
  await page.getByRole('button', { name: `Edit ${title}` }).click()
  return page.getByRole('dialog', { name: 'Edit Artwork' }).getByRole('combobox', { name: field })
}

const option = (page: Page, name: string): Locator => page.getByRole('option', { name, exact: true })

const list = (page: Page): Locator => page.getByRole('listbox')

test('typing narrows the list, and Enter takes the marked one', async ({ page, desk }) => {
  for (const name of ['Landscape', 'Land Art', 'Portrait'])
    await desk.call('POST', '/api/categories', { name })
  const artwork = await desk.addArtwork({ title: 'Yamuna', category: 'Portrait' })
  await desk.open('Gallery')
  const category = await edit(page, 'Yamuna', 'Category')
  await expect(category).toHaveValue('Portrait')
  await category.click()
  await expect(category).toHaveAttribute('aria-expanded', 'true')
  await expect(option(page, 'Portrait')).toHaveAttribute('aria-selected', 'true')
  // What is typed takes the place of what stood there.
  await page.keyboard.type('LAND')
  await expect(list(page).getByRole('option')).toHaveText(['Land Art', 'Landscape', 'Add “LAND”'])
  await page.keyboard.press('ArrowDown')
  const marked = await category.getAttribute('aria-activedescendant')
  await expect(page.locator(`[id="${marked}"]`)).toHaveText('Landscape')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(list(page)).toBeHidden()
  await expect(category).toHaveValue('Landscape')
  await expect(category).toBeFocused()

  // Escape closes the list alone, then the dialog asks.
  await page.keyboard.press('ArrowUp')
  await expect(list(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list(page)).toBeHidden()
  await expect(category).toBeVisible()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  expect((await desk.call<Artwork>('GET', `/api/artworks/${artwork.id}`)).category).toBe('Landscape')
})

test('a name that was typed and neither chosen nor added is asked about before the dialog closes', async ({
  page,
  desk,
}) => {
  await desk.addArtwork({ title: 'Yamuna' })
  await desk.open('Gallery')
  const category = await edit(page, 'Yamuna', 'Category')
  await category.fill('Rain and')
  const dialog = page.getByRole('dialog', { name: 'Edit Artwork' })
  for (const close of ['Cancel', 'Close']) {
    await dialog.getByRole('button', { name: close }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
    await expect(category).toHaveValue('Rain and')
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click()
  await expect(dialog).toBeHidden()
  // What was typed in full is chosen, and what was emptied is nothing: neither is asked about.
  await edit(page, 'Yamuna', 'Category')
  await category.fill('Rain')
  await category.fill('')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
})

for (const { field, path, word } of [
  { field: 'Category', path: '/api/categories', word: 'Category' },
  { field: 'Medium', path: '/api/mediums', word: 'Medium' },
] as const) {
  test(`a ${field.toLowerCase()} that is not there is added from the work's dialog, once, and nothing typed is lost`, async ({
    page,
    desk,
  }) => {
    const name = `Rain ${field}`
    const artwork = await desk.addArtwork({ title: 'Monsoon' })
    await desk.open('Gallery')
    const combobox = await edit(page, 'Monsoon', field)
    await page.getByLabel('Title').fill('Monsoon, late')
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith(path)) asked.push(request.url())
    })
    await combobox.fill(` Rain  ${field} `)
    await option(page, `Add “${name}”`).evaluate((element: HTMLElement) => {
      for (let press = 0; press < 2; press += 1) element.click()
    })
    await expectToast(page, 'Success', `${word} created successfully.`)
    await expect(combobox).toHaveValue(name)
    await expect(combobox).toBeFocused()
    await expect(page.getByLabel('Title')).toHaveValue('Monsoon, late')
    await page.getByRole('button', { name: 'Update Artwork' }).click()
    await expectToast(page, 'Success', 'Artwork updated successfully.')
    expect(asked).toHaveLength(1)
    const saved = await desk.call<Artwork>('GET', `/api/artworks/${artwork.id}`)
    expect(saved[field === 'Category' ? 'category' : 'medium']).toBe(name)
    const entries = await desk.call<Category[]>('GET', path)
    expect(entries.filter((entry) => entry.name === name)).toMatchObject([{ isActive: true, usedBy: 1 }])
  })
}

test('Save pressed while a name is being added waits for it', async ({ page, desk }) => {
  const artwork = await desk.addArtwork({ title: 'Kajal' })
  await desk.open('Gallery')
  let goOn = (): void => undefined
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/api/categories', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  const category = await edit(page, 'Kajal', 'Category')
  await category.fill('Night pieces')
  await category.press('Enter')
  await expect(category).toHaveAttribute('aria-busy', 'true')
  // A second press of the key adds nothing more, and does not send the form.
  await category.press('Enter')
  await expect(page.getByRole('button', { name: 'Update Artwork' })).toBeVisible()
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(page.getByRole('button', { name: 'Updating...' })).toBeVisible()
  goOn()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  expect((await desk.call<Artwork>('GET', `/api/artworks/${artwork.id}`)).category).toBe('Night pieces')
})

test('a name that is refused is told at the field, and stays to be put right', async ({ page, desk }) => {
  const { id } = await desk.call<Category>('POST', '/api/categories', { name: 'Frescoes', isActive: false })
  const artwork = await desk.addArtwork({ title: 'Ghats' })
  await desk.open('Gallery')
  const category = await edit(page, 'Ghats', 'Category')
  await category.fill('All Artwork')
  await category.press('Enter')
  await expectToast(page, 'Error', 'Failed to create category')
  await expect(category).toHaveAccessibleDescription(/used for the whole gallery/)
  await expect(category).toHaveValue('All Artwork')

  // One that is switched off is not made a second time, and a text that names nothing is not saved.
  await category.fill('frescoes')
  await expect(list(page)).toBeHidden()
  await page.getByLabel('Dimensions').focus()
  await expect(category).toHaveAccessibleDescription(/“Frescoes” is switched off/)
  await category.fill('Half a na')
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(category).toHaveAccessibleDescription(/“Half a na” is not in the list yet/)
  await expect(category).toBeFocused()
  await category.fill('')
  await page.getByLabel('Title').fill('The Ghats')
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  expect(await desk.call<Artwork>('GET', `/api/artworks/${artwork.id}`)).toMatchObject({
    title: 'The Ghats',
    category: '',
  })
  await desk.call('DELETE', `/api/categories/${id}`)
})

test('a name that was renamed since it was chosen is told at the field; one that a work bears for long is kept', async ({
  page,
  desk,
}) => {
  const { id } = await desk.call<Category>('POST', '/api/categories', { name: 'Murals' })
  const artwork = await desk.addArtwork({ title: 'Wall', medium: 'Distemper' })
  await desk.open('Gallery')
  const category = await edit(page, 'Wall', 'Category')
  await category.click()
  await option(page, 'Murals').click()
  await desk.call('PUT', `/api/categories/${id}`, { name: 'Wall art' })
  await expect(category).toHaveAccessibleDescription(/“Murals” is not in the list any more/)
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(category).toBeFocused()

  await category.fill('wall')
  await option(page, 'Wall art').click()
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  const saved = await desk.call<Artwork>('GET', `/api/artworks/${artwork.id}`)
  expect(saved).toMatchObject({ category: 'Wall art', medium: 'Distemper' })
  await desk.call('DELETE', `/api/categories/${id}`)
})

test.describe('by a finger at 360 px', () => {
  test.use({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true })

  test('a name is found, and one is added', async ({ page, desk }) => {
    for (let number = 10; number < 30; number += 1)
      await desk.call('POST', '/api/mediums', { name: `Pigment ${number}` })
    await desk.addArtwork({ title: 'Lotus' })
    await desk.open('Gallery')
    await page.getByRole('button', { name: 'Edit Lotus' }).tap()
    const medium = page.getByRole('combobox', { name: 'Medium' })
    await medium.tap()
    await expect(list(page)).toBeInViewport({ ratio: 0.99 })
    await option(page, 'Pigment 29').tap()
    await expect(medium).toHaveValue('Pigment 29')
    await medium.tap()
    await expect(option(page, 'Pigment 29')).toBeInViewport({ ratio: 0.99 })
    await medium.fill('Lamp black')
    await option(page, 'Add “Lamp black”').tap()
    await expectToast(page, 'Success', 'Medium created successfully.')
    await expect(medium).toHaveValue('Lamp black')
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
    ).toBe(true)
  })
})
