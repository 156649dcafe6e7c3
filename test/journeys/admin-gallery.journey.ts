/// <reference lib="dom" />
import type { Locator, Page, Request } from '@playwright/test'
import { readFile, writeFile } from 'node:fs/promises'
import type { Artwork } from '#web/contract/artworks.ts'
import { held, listening, visit } from '../support/visit.ts'
import { openDashboard } from './dashboard.ts'
import { card, expect, expectAccessible, expectToast, painting, signInBrowser, test } from './desk.ts'

const publicTitles = async (url: string): Promise<string[]> => {
  const artworks = (await (await fetch(`${url}/api/artworks`)).json()) as Artwork[]
  return artworks.map(({ title }) => title)
}
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

test('a photograph is on the site in a few taps', async ({ page, desk }) => {
  await desk.open('Gallery')
  await expect(page.getByRole('heading', { name: 'Gallery Management (0 artworks)' })).toBeVisible()
  await expect(page.getByText('No artworks found. Add your first artwork to get started!')).toBeVisible()

  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  await page.getByLabel('Choose a picture').setInputFiles(painting('kajal'))
  await expect(dialog(page, 'Add New Artwork').getByText(/^kajal\.jpg, [1-9]\d* kB$/)).toBeVisible()
  await page.getByLabel('Title').fill('Kajal')
  await page.getByLabel('Price (₹)').fill('18,500')
  await page.getByRole('button', { name: 'Add Artwork' }).click()

  await expectToast(page, 'Success', 'Artwork added successfully.')
  await expect(dialog(page, 'Add New Artwork')).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Gallery Management (1 artworks)' })).toBeVisible()
  await expect(card(page, 'Kajal')).toContainText('₹18,500')
  await expect(card(page, 'Kajal')).toContainText('Available')
  expect(await publicTitles(desk.site.url)).toEqual(['Kajal'])
})

test('a new work starts with the demanded values and says what is missing', async ({ page, desk }) => {
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  await expect(page.getByRole('radio', { name: 'Upload File' })).toBeChecked()
  await expect(page.getByLabel('Price (₹)')).toHaveValue('0')
  await expect(page.getByLabel('Year')).toHaveValue(String(new Date().getFullYear()))
  await expect(page.getByRole('switch', { name: 'Available' })).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Featured' })).not.toBeChecked()

  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await expect(page.getByText('Please upload an image or provide an image URL.')).toBeVisible()
  await expect(page.getByText('Title is required')).toBeVisible()

  const choose = page.getByLabel('Choose a picture')
  await choose.setInputFiles({ name: 'poem.txt', mimeType: 'text/plain', buffer: Buffer.from('a poem') })
  await expect(dialog(page, 'Add New Artwork').getByText('Please select a valid image file')).toBeVisible()
  const large = test.info().outputPath('large.jpg')
  await writeFile(large, Buffer.alloc(26 * 1024 * 1024))
  await choose.setInputFiles(large)
  await expect(dialog(page, 'Add New Artwork').getByText('File size must be less than 25MB')).toBeVisible()
  // The demanded sentence stands beside the alert.
  await expect(page.getByText('Please upload an image or provide an image URL.')).toBeVisible()
  await choose.setInputFiles({ name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await expect(page.locator('[data-toasts]').getByText('Upload Failed', { exact: true })).toBeVisible()
})

test('the edit dialog keeps the picture until another one is chosen', async ({ page, desk }) => {
  const artwork = await desk.addArtwork({ title: 'Haldi', price: 78_000, medium: 'Acrylic' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Haldi' }).click()
  await expect(page.getByRole('radio', { name: 'Keep current' })).toBeChecked()
  await page.getByRole('radio', { name: 'New URL' }).click()
  await page.getByLabel('New URL').fill('https://nowhere.invalid/a.jpg')
  await page.getByRole('radio', { name: 'Keep current' }).click()
  await page.getByLabel('Price (₹)').fill('80000')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  expect((await sent).postDataJSON()).toEqual({ price: 80_000, expectedVersion: artwork.version })
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  await expect(card(page, 'Haldi')).toContainText('₹80,000')
  await expect(page.getByRole('button', { name: 'Edit Haldi' })).toBeFocused()

  await page.getByRole('button', { name: 'Edit Haldi' }).click()
  await page.getByRole('radio', { name: 'Upload new file' }).click()
  await page.getByLabel('Choose a picture').setInputFiles(painting('haldi'))
  // Pressed while the upload may still be on its way: it is sent when the image has arrived.
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(dialog(page, 'Edit Artwork')).toBeHidden()
  const now = await desk.call<Artwork>('GET', `/api/artworks/${artwork.id}`)
  expect(now.imageUrl).toMatch(/^\/images\/[0-9a-f]{64}\/original-view\.jpg$/)
  expect(now.imageUrl).not.toBe(artwork.imageUrl)
})

test('a file that takes its time to be read is on its way: saved meanwhile, the work gets its picture', async ({
  page,
  desk,
}) => {
  const artwork = await desk.addArtwork({ title: 'Haldi' })
  // As with a file that a phone has to fetch from elsewhere first.
  await page.addInitScript(() => {
    Blob.prototype.text = async function text() {
      await new Promise((resolve) => setTimeout(resolve, 500))
      return new Response(this).text()
    }
  })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Haldi' }).click()
  await page.getByRole('radio', { name: 'Upload new file' }).click()
  await page.getByLabel('Choose a picture').setInputFiles(painting('haldi'))
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(dialog(page, 'Edit Artwork')).toBeHidden()
  const { imageUrl } = await desk.call<Artwork>('GET', `/api/artworks/${artwork.id}`)
  expect(imageUrl).not.toBe(artwork.imageUrl)
})

test('an upload shows how far it is, can be cancelled, and a picture can be pasted', async ({
  page,
  desk,
}) => {
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  const upload = await held(page, '**/api/upload/image')
  const choose = dialog(page, 'Add New Artwork').locator('input[type="file"]').first()
  await choose.setInputFiles(painting('kajal'))
  await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(page.getByRole('progressbar')).toBeHidden()
  await upload.letGo()
  await expect(page.getByText('Choose a picture')).toBeVisible()
  await expect(page.locator('input[capture="environment"]')).toHaveCount(1)

  const bytes = [...(await readFile(painting('letters')))]
  await page.getByLabel('Title').fill('Letters')
  await page.getByLabel('Title').evaluate((field, image) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(image)], 'pasted.jpg', { type: 'image/jpeg' }))
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, bytes)
  await expectToast(page, 'Success', 'Image uploaded successfully.')
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await expect(card(page, 'Letters')).toBeVisible()
})

test('a photo whose upload gets no answer is there to be sent again', async ({ page, desk }) => {
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  const form = dialog(page, 'Add New Artwork')
  await form.getByLabel('Title').fill('Kajal')
  await page.route('**/api/upload/image', (route) => route.abort(), { times: 1 })
  await form.locator('input[capture]').setInputFiles(painting('kajal'))
  await expectToast(page, 'Error', 'Failed to upload image.')
  await form.getByRole('button', { name: 'Retry' }).click()
  await expectToast(page, 'Success', 'Image uploaded successfully.')
  await expect(form.getByRole('button', { name: 'Retry' })).toBeHidden()
  await form.getByRole('button', { name: 'Add Artwork' }).click()
  await expect(card(page, 'Kajal')).toBeVisible()
})

test('a photo that waits for “Retry” is not given up without a question', async ({ page, desk }) => {
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  const form = dialog(page, 'Add New Artwork')
  await page.route('**/api/upload/image', (route) => route.abort(), { times: 1 })
  await form.locator('input[capture]').setInputFiles(painting('kajal'))
  await expect(form.getByRole('button', { name: 'Retry' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await form.getByRole('button', { name: 'Retry' }).click()
  await expectToast(page, 'Success', 'Image uploaded successfully.')
})

test('a payment code whose upload gets no answer is there to be sent again', async ({ page, desk }) => {
  await desk.addArtwork({ title: 'Letters' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Letters' }).click()
  const form = dialog(page, 'Edit Artwork')
  await form.getByText('More details').click()
  await page.route('**/api/upload/image', (route) => route.abort(), { times: 1 })
  await form.getByLabel('Upload QR code').setInputFiles(painting('kajal'))
  await form.getByRole('button', { name: 'Retry' }).click()
  await expect(form.getByRole('button', { name: 'Remove QR code' })).toBeVisible()
})

test('a change from another device is shown beside hers, and she chooses', async ({ page, desk }) => {
  const { id, version } = await desk.addArtwork({ title: 'Monsoon', price: 92_000 })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Monsoon' }).click()
  await page.getByLabel('Price (₹)').fill('94000')
  await desk.call('PUT', `/api/artworks/${id}`, { price: 96_000, expectedVersion: version })

  const notice = page.getByRole('alert').filter({ hasText: 'changed meanwhile' })
  await expect(notice).toContainText('₹94,000')
  await expect(notice).toContainText('₹96,000')
  await notice.getByRole('button', { name: 'Keep mine' }).click()
  await expect(notice).toBeHidden()
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(card(page, 'Monsoon')).toContainText('₹94,000')
})

test('changed elsewhere while her save waits for its picture, she is asked first', async ({ page, desk }) => {
  const { id, version } = await desk.addArtwork({ title: 'Monsoon', price: 92_000 })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Monsoon' }).click()
  await page.getByLabel('Price (₹)').fill('94000')
  await page.getByRole('radio', { name: 'Upload new file' }).click()
  const upload = await held(page, '**/api/upload/image')
  await page.getByLabel('Choose a picture').setInputFiles(painting('haldi'))
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeVisible()
  await desk.call('PUT', `/api/artworks/${id}`, { price: 96_000, expectedVersion: version })
  const notice = page.getByRole('alert').filter({ hasText: 'changed meanwhile' })
  await expect(notice).toContainText('₹96,000')
  await upload.letGo()
  await expectToast(page, 'Success', 'Image uploaded successfully.')
  await notice.getByRole('button', { name: 'Keep mine' }).click()
  expect((await desk.call<Artwork>('GET', `/api/artworks/${id}`)).price).toBe(96_000)
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(card(page, 'Monsoon')).toContainText('₹94,000')
})

test('hiding shows at once, says so, and is taken back when it fails', async ({ page, context, desk }) => {
  await desk.addArtwork({ title: 'Lotus' })
  await desk.open('Gallery')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: 'Hide Lotus' }).click()
  expect((await sent).postDataJSON()).toEqual({ isAvailable: false })
  await expectToast(page, 'Success', 'Artwork visibility updated.')
  await expect(card(page, 'Lotus')).toContainText('Hidden')
  expect(await publicTitles(desk.site.url)).toEqual([])

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Show Lotus' }).click()
  await expectToast(page, 'Error', 'Failed to update artwork visibility.')
  await expect(card(page, 'Lotus')).toContainText('Hidden')
})

test('with the network cut every action fails in its words and nothing typed is lost', async ({
  page,
  context,
  desk,
}) => {
  await desk.addArtwork({ title: 'Saltpans' })
  await desk.open('Gallery')
  await context.setOffline(true)

  await page.getByRole('button', { name: 'Delete Saltpans' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expectToast(page, 'Error', 'Failed to delete artwork.')
  await expect(card(page, 'Saltpans')).toBeVisible()

  await page.getByRole('button', { name: 'Edit Saltpans' }).click()
  await page.getByLabel('Title').fill('Salt Pans, Little Rann')
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expectToast(page, 'Error', 'Failed to update artwork.')
  await expect(page.getByLabel('Title')).toHaveValue('Salt Pans, Little Rann')
  await page.getByRole('radio', { name: 'Upload new file' }).click()
  await page.getByLabel('Choose a picture').setInputFiles(painting('saltpans'))
  await expectToast(page, 'Error', 'Failed to upload image.')

  await context.setOffline(false)
  await page.getByRole('radio', { name: 'Keep current' }).click()
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(card(page, 'Salt Pans, Little Rann')).toBeVisible()

  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  await page.getByLabel('Title').fill('Yamuna')
  await page.getByLabel('Choose a picture').setInputFiles(painting('yamuna'))
  await expectToast(page, 'Success', 'Image uploaded successfully.')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await expectToast(page, 'Error', 'Failed to add artwork.')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await expect(card(page, 'Yamuna')).toHaveCount(1)
})

test('a change that gets no answer keeps no other card waiting, and closing the tab meanwhile asks', async ({
  page,
  desk,
}) => {
  const { id } = await desk.addArtwork({ title: 'Haldi' })
  const lotus = await desk.addArtwork({ title: 'Lotus' })
  await desk.open('Gallery')
  const save = await held(page, `**/api/artworks/${id}`, 'PUT')
  await page.getByRole('button', { name: 'Hide Haldi' }).click()
  await page.getByRole('button', { name: 'Hide Lotus' }).click()
  await expectToast(page, 'Success', 'Artwork visibility updated.')
  expect(await desk.call<Artwork>('GET', `/api/artworks/${lotus.id}`)).toMatchObject({ isAvailable: false })
  const asksOnClosing = async (): Promise<void> => {
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
  }
  await asksOnClosing()
  await page.getByRole('button', { name: 'View site' }).click()
  await expect(page).toHaveURL(`${desk.site.url}/`)
  await asksOnClosing()
  await save.letGo()
  const isAvailable = async () => (await desk.call<Artwork>('GET', `/api/artworks/${id}`)).isAvailable
  await expect.poll(isAvailable).toBe(false)
})

test('a sale made in a menu is seen in another browser', async ({ page, browser, desk }) => {
  const { id } = await desk.addArtwork({ title: 'Gulmohar', price: 85_000 })
  const visitor = await (await browser.newContext()).newPage()
  await visit(visitor, desk.site.url)
  await expect(visitor.getByRole('link', { name: /Gulmohar/ })).toContainText('₹85,000')
  await listening(visitor)

  await desk.open('Gallery')
  await page.getByRole('button', { name: 'More: Gulmohar' }).click()
  await page.getByRole('menuitemradio', { name: 'Sold' }).click()
  await expect(visitor.getByRole('link', { name: /Gulmohar/ })).toContainText('Sold')
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  expect((await desk.call<Artwork>('GET', `/api/artworks/${id}`)).saleStatus).toBe('sold')
  await visitor.context().close()
})

test('what another device has deleted while it is asked here is deleted, not failed', async ({
  page,
  desk,
}) => {
  const { id } = await desk.addArtwork({ title: 'Gone already' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Delete Gone already' }).click()
  await desk.call('DELETE', `/api/artworks/${id}`)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Success', 'Artwork deleted successfully.')
})

test('deleting asks in the demanded words, and the work comes back with its picture', async ({
  page,
  desk,
}) => {
  await desk.addArtwork({ title: 'The wrong one' })
  await desk.addArtwork({ title: 'Its neighbour' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Delete The wrong one' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(
    'Are you sure you want to delete this artwork? This action cannot be undone.',
  )
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(card(page, 'The wrong one')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete The wrong one' })).toBeFocused()

  await page.getByRole('button', { name: 'Delete The wrong one' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Success', 'Artwork deleted successfully.')
  await expect(card(page, 'The wrong one')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Delete Its neighbour' })).toBeFocused()

  await page.getByRole('button', { name: 'Recently deleted' }).click()
  const deleted = dialog(page, 'Recently deleted').getByRole('listitem').filter({ hasText: 'The wrong one' })
  await expect
    .poll(() => deleted.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0)
  await deleted.getByRole('button', { name: 'Restore' }).click()
  await expect(deleted).toBeHidden()
  await dialog(page, 'Recently deleted').getByRole('button', { name: 'Close' }).click()
  await expect(card(page, 'The wrong one').locator('img')).toBeVisible()
})

test('a title without a blank widens no dialog: what it asks is read whole', async ({ page, desk }) => {
  await desk.addArtwork({ title: 'W'.repeat(120) })
  await page.setViewportSize({ width: 740, height: 360 })
  await desk.open('Gallery')
  await page.getByRole('button', { name: /^Delete W/ }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('This action cannot be undone.')
  const beyond = await question.evaluate((sheet) => {
    const { right } = sheet.getBoundingClientRect()
    return [...sheet.querySelectorAll('p, small, cite')].filter((words) => {
      const range = document.createRange()
      range.selectNodeContents(words)
      return range.getBoundingClientRect().right > right
    }).length
  })
  expect(beyond).toBe(0)
})

test('the form has most of a phone turned sideways, and nothing empty above its first row', async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 740, height: 360 })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  const sheet = dialog(page, 'Add New Artwork')
  await expect(sheet.getByText('Upload File')).toBeVisible()
  const [head, row, foot] = await Promise.all([
    sheet.locator('header').boundingBox(),
    sheet.getByRole('radiogroup').first().boundingBox(),
    sheet.locator('footer').boundingBox(),
  ])
  const top = (head?.y ?? 0) + (head?.height ?? 0)
  expect((row?.y ?? 0) - top).toBeLessThan(12)
  expect((foot?.y ?? 0) - top).toBeGreaterThan(0.6 * 360)
})

test('the session dies while she edits, and no character is lost', async ({ page, context, desk }) => {
  await desk.addArtwork({ title: 'Letters' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Letters' }).click()
  await page.getByLabel('Description').fill('My grandmother kept every letter from Indore in a biscuit tin.')
  await page.request.post(`${desk.site.url}/api/logout`)
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  // It stands only until the way to the login begins.
  await expectToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
  await expect(dialog(page, 'Admin Login')).toBeVisible()

  await signInBrowser(context, desk.site)
  await page.reload()
  const offer = page.getByRole('status').filter({ hasText: 'A draft of “Letters”' })
  await expect(offer).toBeVisible()
  await offer.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Description')).toHaveValue(
    'My grandmother kept every letter from Indore in a biscuit tin.',
  )
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  await expect(offer).toBeHidden()
})

test('works are moved by buttons and by dragging, one command a move', async ({ page, desk }) => {
  for (const title of ['D', 'C', 'B', 'A']) await desk.addArtwork({ title })
  const order = async () => (await publicTitles(desk.site.url)).join('')
  expect(await order()).toBe('ABCD')
  await desk.open('Gallery')
  const moves: Request[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/position')) moves.push(request)
  })

  await page.getByRole('button', { name: 'Arrange' }).click()
  await page.getByRole('button', { name: 'Move down: A' }).click()
  await expect(page.getByText('A moved to place 2 of 4.')).toBeAttached()
  await expect(page.getByRole('button', { name: 'Move down: A' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(order).toBe('BCAD')
  await page.getByRole('button', { name: 'Move to first: D' }).click()
  await expect.poll(order).toBe('DBCA')
  await page.getByRole('button', { name: 'Move to last: D' }).click()
  await expect.poll(order).toBe('BCAD')
  await expect.poll(() => moves.length).toBe(4)

  // The list has followed the last move.
  await page.getByRole('group', { name: 'Artworks' }).evaluate((list) => list.scrollTo({ top: 0 }))
  const from = (await page.locator('[data-drag]').nth(2).boundingBox())!
  const to = (await page.locator('[data-drag]').nth(0).boundingBox())!
  await page.mouse.move(from.x + 40, from.y + 40)
  await page.mouse.down()
  await page.mouse.move(to.x + 60, to.y + 40, { steps: 8 })
  await page.mouse.move(to.x + 20, to.y + 40, { steps: 2 })
  await page.mouse.up()
  await expect.poll(order).toBe('ABCD')
  await expect.poll(() => moves.length).toBe(5)

  await page.mouse.move(from.x + 40, from.y + 40)
  await page.mouse.down()
  await page.mouse.move(to.x + 20, to.y + 40, { steps: 8 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(page.locator('[data-dragged]')).toHaveCount(0)
  expect(moves).toHaveLength(5)
})

test('another finger beside the one that drags, and a pointer let go above another window, move nothing', async ({
  page,
  desk,
}) => {
  for (const title of ['C', 'B', 'A']) await desk.addArtwork({ title })
  const order = async () => (await publicTitles(desk.site.url)).join('')
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Arrange' }).click()
  const boxes = await Promise.all([0, 1, 2].map((at) => page.locator('[data-drag]').nth(at).boundingBox()))
  const [a, b, c] = boxes.map((box) => ({ x: box!.x + box!.width - 20, y: box!.y + 40 }))
  const fingers = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: unknown[]) =>
    // Places on the page.
    fingers.send('Input.dispatchTouchEvent', { type, touchPoints: points as { x: number; y: number }[] })
  await touch('touchStart', { ...a, id: 1 })
  for (let step = 1; step <= 4; step += 1)
    await touch('touchMove', { x: a!.x + ((c!.x - a!.x) * step) / 4, y: c!.y, id: 1 })
  await expect(page.locator('[data-drop]')).toHaveCount(1)
  await touch('touchStart', { ...c, id: 1 }, { ...b, id: 2 })
  await touch('touchEnd', { ...c, id: 1 })
  await touch('touchEnd')
  await expect.poll(order).toBe('BCA')
  await expect(page.locator('[data-movable][style*="--drag"]')).toHaveCount(0)

  await page.mouse.move(a!.x, a!.y)
  await page.mouse.down()
  await page.mouse.move(c!.x, c!.y, { steps: 4 })
  await expect(page.locator('[data-dragged]')).toHaveCount(1)
  await page.locator('[data-dragged]').dispatchEvent('pointermove', { pointerId: 1, buttons: 0 })
  await expect(page.locator('[data-dragged]')).toHaveCount(0)
  await page.mouse.up()
  expect(await order()).toBe('BCA')
})

test('two presses before anything is drawn are one command', async ({ page, desk }) => {
  for (const title of ['C', 'B', 'A']) await desk.addArtwork({ title })
  await desk.open('Gallery')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postData() ?? '')
  })
  const pressTwice = (name: string) =>
    page.getByRole('button', { name, exact: true }).evaluate((button: HTMLElement) => {
      button.click()
      button.click()
    })

  await pressTwice('Hide A')
  await expectToast(page, 'Success', 'Artwork visibility updated.')
  // Another key says that the next press is one of its own.
  await page.keyboard.press('Shift')
  await pressTwice('Show A')
  await expect.poll(() => sent.length).toBe(2)
  await page.getByRole('button', { name: 'Arrange' }).click()
  await pressTwice('Move down: A')
  await expect(page.getByText('A moved to place 2 of 3.')).toBeAttached()
  // Moves are sent in turn: had there been one too many, it would have come before this one.
  await page.getByRole('button', { name: 'Move to first: C' }).click()
  await expect.poll(async () => (await publicTitles(desk.site.url)).join('')).toBe('CBA')
  expect(sent).toHaveLength(4)
})

test('a double click and a held key publish one work, and not the one that comes to its place', async ({
  page,
  desk,
}) => {
  for (const title of ['E', 'D', 'C', 'B', 'A']) await desk.addArtwork({ title, isVisible: false })
  await desk.open('Gallery')
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Not on website' }).click()
  await expect(page.getByText('5 of 5 shown')).toBeVisible()
  const publish = (title: string) => page.getByRole('button', { name: `Publish ${title}` })

  const place = (await publish('A').boundingBox())!
  await page.mouse.click(place.x + 20, place.y + 10)
  await expect(publish('A')).toBeHidden()
  expect(await publish('B').boundingBox()).toMatchObject({ x: place.x, y: place.y })
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })

  await publish('B').focus()
  await page.keyboard.down('Enter')
  await expect(publish('C')).toBeFocused()
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')

  // Had there been one too many, it would have come before this one.
  await publish('E').click()
  await expect.poll(() => publicTitles(desk.site.url)).toContain('E')
  expect(await publicTitles(desk.site.url)).toEqual(['A', 'B', 'E'])
})

test('several pictures become unpublished works titled by their files', async ({ page, desk }) => {
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add several' }).click()
  const photograph = async (name: string, source: string) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: await readFile(painting(source)),
  })
  await page
    .getByLabel('Choose pictures')
    .setInputFiles([
      await photograph('monsoon.jpg', 'monsoon'),
      await photograph('night_bus.jpg', 'nightbus'),
      await photograph('lotus-tank.jpg', 'lotus'),
      { name: 'poem.txt', mimeType: 'text/plain', buffer: Buffer.from('a poem') },
    ])
  const list = dialog(page, 'Add several artworks')
  await expect(list.getByText('Added as a draft')).toHaveCount(3, { timeout: 60_000 })
  await expect(list.getByText('Please select a valid image file')).toBeVisible()
  await expect(list.getByRole('button', { name: /^Retry/ })).toHaveCount(0)
  await expectToast(page, 'Success', '3 artworks added as drafts.')
  await list.getByRole('button', { name: 'Done' }).click()
  await expect(card(page, 'Night bus')).toContainText('Not on website')
  await expect(card(page, 'Night bus')).toContainText('₹0')
  await expect(card(page, 'Night bus')).toContainText('Price on request on the site')
  expect(await publicTitles(desk.site.url)).toEqual([])
})

test('a picture that was added before, and renamed since, is said to be there already', async ({
  page,
  desk,
}) => {
  await desk.open('Gallery')
  const list = dialog(page, 'Add several artworks')
  const addMonsoon = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Add several' }).click()
    await page.getByLabel('Choose pictures').setInputFiles(painting('monsoon'))
  }
  await addMonsoon()
  await expect(list.getByText('Added as a draft')).toBeVisible()
  await list.getByRole('button', { name: 'Done' }).click()
  const [added] = await desk.call<Artwork[]>('GET', '/api/artworks')
  await desk.call('PUT', `/api/artworks/${added?.id}`, { title: 'First rain' })
  await expect(card(page, 'First rain')).toBeVisible()
  await addMonsoon()
  await expect(list.getByText('There already, as “First rain”')).toBeVisible()
  await expect(list.getByText('Added as a draft')).toHaveCount(0)
})

test('the list of what was added tells how it stands now', async ({ page, desk }) => {
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add several' }).click()
  const image = { mimeType: 'image/jpeg', buffer: await readFile(painting('monsoon')) }
  await page.getByLabel('Choose pictures').setInputFiles([
    { name: 'one.jpg', ...image },
    { name: 'two.jpg', ...image },
  ])
  const list = dialog(page, 'Add several artworks')
  await list.getByRole('button', { name: 'Publish these 2' }).click()
  await expect(list.getByText('On the website', { exact: true })).toHaveCount(2)
  await expect(list.getByText('Added as a draft')).toHaveCount(0)
  for (const { id } of await desk.call<Artwork[]>('GET', '/api/artworks'))
    await desk.call('DELETE', `/api/artworks/${id}`)
  await expect(list.getByText('Taken back')).toHaveCount(2)
})

/** What had arrived of “Add several” on an earlier visit. */
const arrivedOffer = (page: Page): Locator =>
  page.getByRole('status').filter({ hasText: /A draft of “\d pictures?”/ })

test('leaving while pictures are uploaded says what stays and what does not, and offers nothing of it', async ({
  page,
  desk,
}) => {
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add several' }).click()
  const image = { mimeType: 'image/jpeg', buffer: await readFile(painting('monsoon')) }
  const choose = page.getByLabel('Choose pictures')
  await choose.setInputFiles([{ name: 'one.jpg', ...image }])
  await expect(page.getByText('Added as a draft')).toBeVisible()
  const adding = await held(page, '**/api/artworks/batch', 'POST')
  await choose.setInputFiles([{ name: 'two.jpg', ...image }])
  await expect(page.getByText('Adding...')).toBeVisible()
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Still uploading' })
  await expect(question).toContainText('What has arrived is kept as drafts; the rest is not sent.')
  await expect(question).not.toContainText(/discard/i)
  await question.getByRole('button', { name: 'Keep uploading' }).click()
  await expect(question).toBeHidden()
  const second = await page.context().newPage()
  await openDashboard(second, desk.site, 'Gallery')
  await expect(card(second, 'One')).toBeVisible()
  const isWaiting = () =>
    second.evaluate(async () =>
      (await navigator.locks.query()).pending?.some(({ name }) => name === 'atelier.draft.several'),
    )
  await expect.poll(isWaiting).toBe(true)
  await expect(arrivedOffer(second)).toHaveCount(0)
  await page.bringToFront()
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(card(page, 'One')).toBeVisible()
  await expect(arrivedOffer(page)).toHaveCount(0)
  await adding.letGo()
  for (const tab of [page, second]) {
    await expect(card(tab, 'Two')).toBeVisible()
    await expect(arrivedOffer(tab)).toHaveCount(0)
  }
})

test('several that wait for “Retry” are not given up without a question', async ({ page, desk }) => {
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add several' }).click()
  const list = dialog(page, 'Add several artworks')
  await page.route('**/api/upload/image', (route) => route.abort(), { times: 1 })
  await list.getByLabel('Choose pictures').setInputFiles(painting('monsoon'))
  const retry = list.getByRole('button', { name: 'Retry Monsoon' })
  await expect(retry).toBeVisible()
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Not all are sent' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await retry.click()
  await expect(list.getByText('Added as a draft')).toBeVisible()
  await list.getByRole('button', { name: 'Done' }).click()
  await expect(list).toBeHidden()
})

test('Escape at the very moment that “Retry” is drawn asks about what is drawn', async ({ page, desk }) => {
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add several' }).click()
  await page.route('**/api/upload/image', (route) => route.abort(), { times: 1 })
  await page.evaluate(() =>
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[aria-label="Retry Monsoon"]')) return
      observer.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    }).observe(document.body, { childList: true, subtree: true }),
  )
  await page.getByLabel('Choose pictures').setInputFiles(painting('monsoon'))
  await expect(page.getByRole('alertdialog')).toHaveAccessibleName('Not all are sent')
})

test('several whose answers are lost are added once, also by Restore and Retry, and taken back as one', async ({
  page,
  desk,
}) => {
  await desk.open('Gallery')
  await page.route('**/api/artworks/batch', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Add several' }).click()
  await page.getByLabel('Choose pictures').setInputFiles([painting('monsoon'), painting('nightbus')])
  const list = dialog(page, 'Add several artworks')
  await expect(list.getByRole('button', { name: /^Retry/ })).toHaveCount(2)
  page.on('dialog', (question) => void question.accept())
  await page.reload()
  await arrivedOffer(page).getByRole('button', { name: 'Restore' }).click()
  await expect(list.getByRole('button', { name: /^Retry/ })).toHaveCount(2)
  await page.unroute('**/api/artworks/batch')
  await list.getByRole('button', { name: 'Retry Monsoon' }).click()
  await expect(list.getByText('Added as a draft')).toHaveCount(2)
  expect(await desk.call<Artwork[]>('GET', '/api/artworks')).toHaveLength(2)
  await expectToast(page, 'Success', '2 artworks added as drafts.')
  await page.locator('[data-toasts] li').getByRole('button', { name: 'Undo' }).click()
  await expect(list.getByText('Taken back')).toHaveCount(2)
})

test('images that have arrived wait in the browser until they are added, whatever ends the page', async ({
  page,
  desk,
}) => {
  await desk.open('Gallery')
  // The last one never arrives.
  let uploads = 0
  await page.route('**/api/upload/image', async (route) => {
    uploads += 1
    if (uploads < 3) await route.continue()
  })
  await page.getByRole('button', { name: 'Add several' }).click()
  await page.getByLabel('Choose pictures').setInputFiles(
    await Promise.all(
      ['monsoon', 'nightbus', 'lotus'].map(async (name) => ({
        name: `${name}.jpg`,
        mimeType: 'image/jpeg',
        buffer: await readFile(painting(name)),
      })),
    ),
  )
  await expect(dialog(page, 'Add several artworks').getByText('Adding...')).toHaveCount(2)
  expect(await desk.call<Artwork[]>('GET', '/api/artworks')).toEqual([])

  page.on('dialog', (question) => void question.accept())
  await page.reload()
  const offer = arrivedOffer(page)
  await expect(offer).toContainText('2 pictures')
  await offer.getByRole('button', { name: 'Restore' }).click()
  await expectToast(page, 'Success', '2 artworks added as drafts.')
  await expect(dialog(page, 'Add several artworks').getByText('Added as a draft')).toHaveCount(2)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(card(page, 'Monsoon')).toContainText('Not on website')
  await expect(card(page, 'Nightbus')).toContainText('Not on website')
  await expect(offer).toBeHidden()
})

test('a new artwork is taken back in its toast', async ({ page, desk }) => {
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  const form = dialog(page, 'Add New Artwork')
  await form.getByLabel('Title').fill('By mistake')
  await form.getByLabel('Choose a picture').setInputFiles(painting('monsoon'))
  await form.getByRole('button', { name: 'Add Artwork' }).click()
  await expectToast(page, 'Success', 'Artwork added successfully.')
  await page.locator('[data-toasts] li').getByRole('button', { name: 'Undo' }).click()
  await expect(card(page, 'By mistake')).toHaveCount(0)
  expect(await desk.call<Artwork[]>('GET', '/api/artworks')).toEqual([])
})

test('a card says one word for its state; unpublished works are published on it, or several at once', async ({
  page,
  desk,
}) => {
  for (const title of ['One', 'Two', 'Three']) await desk.addArtwork({ title, isVisible: false })
  await desk.addArtwork({ title: 'Gone', saleStatus: 'sold' })
  await desk.open('Gallery')
  const stateOf = (title: string) => card(page, title).locator('[data-state]').filter({ hasText: /./ })
  await expect(stateOf('Gone')).toHaveText(['Sold'])
  await expect(card(page, 'Gone')).not.toContainText('Available')
  await expect(stateOf('One')).toHaveText(['Not on website'])
  await expect(card(page, 'One').getByRole('button', { name: /^Hide/ })).toHaveCount(0)

  await card(page, 'One').getByRole('button', { name: 'Publish One' }).click()
  await expectToast(page, 'Success', 'Artwork visibility updated.')
  await expect(stateOf('One')).toHaveText(['Available'])

  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Not on website' }).click()
  await page.getByRole('button', { name: 'Publish these 2' }).click()
  await expectToast(page, 'Success', '2 artworks are on the website.')
  // The button went with what it was for.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('DIV')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('searchbox', { name: 'Search artworks' })).toBeFocused()
  expect((await publicTitles(desk.site.url)).toSorted()).toEqual(['Gone', 'One', 'Three', 'Two'])
})

test('a featured work that is not among the three says so', async ({ page, desk }) => {
  for (const title of ['Fourth', 'Third', 'Second', 'First'])
    await desk.addArtwork({ title, isFeatured: true })
  await desk.open('Gallery')
  await expect(card(page, 'Fourth')).toContainText('Not among the three on the site')
  await expect(card(page, 'Third')).not.toContainText('Not among the three')
})

test('a HEIC picture is refused with what it is and how to make a JPEG of it', async ({ page, desk }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  const choose = page.getByLabel('Choose a picture')
  await expect(choose).toHaveAttribute('accept', 'image/jpeg,image/png')
  await choose.setInputFiles({ name: 'IMG_0001.HEIC', mimeType: '', buffer: Buffer.from('ftypheic') })
  const form = dialog(page, 'Add New Artwork')
  await expect(form.getByText('Please select a valid image file', { exact: true })).toBeVisible()
  const help = form.getByText('To make a JPEG of it')
  await expect(help).toBeVisible()
  const told = page.locator('[data-toasts] li')
  await expect(told).toBeVisible()
  const overlap = async (): Promise<number> => {
    const [above, below] = [await told.boundingBox(), await help.boundingBox()]
    if (!above || !below) return Number.NaN
    return Math.min(above.y + above.height, below.y + below.height) - Math.max(above.y, below.y)
  }
  await expect.poll(overlap, 'the message lies beside the help').toBeLessThanOrEqual(0)
})

test('a payment code on its way is unsaved, and a save waits for it', async ({ page, desk }) => {
  const { id } = await desk.addArtwork({ title: 'Lotus' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Lotus' }).click()
  await page.getByText('More details').click()
  const upload = await held(page, '**/api/upload/image')
  await page.getByLabel('Upload QR code').setInputFiles(painting('kajal'))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(page.getByRole('button', { name: 'Updating...' })).toBeVisible()
  await upload.letGo()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  expect((await desk.call<Artwork>('GET', `/api/artworks/${id}`)).qrCodeUrl).toMatch(/^\/images\//)
})

test('another like this copies all but picture, title and sale status', async ({ page, desk }) => {
  await desk.addArtwork({
    title: 'First of a series',
    price: 12_000,
    dimensions: '20 × 20 cm',
    saleStatus: 'sold',
  })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'More: First of a series' }).click()
  await page.getByRole('menuitem', { name: 'Add another like this' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('')
  await expect(page.getByLabel('Price (₹)')).toHaveValue('12000')
  await expect(page.getByLabel('Dimensions')).toHaveValue('20 × 20 cm')
  await expect(page.getByRole('combobox', { name: 'Sale status' })).toHaveText('For sale')
})

test('how a work is framed is chosen in its form, stands on its label, and is taken back in the activity', async ({
  page,
  desk,
}) => {
  const { id, slug } = await desk.addArtwork({ title: 'Monsoon wall' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Monsoon wall' }).click()
  const framing = page.getByRole('combobox', { name: 'Framing' })
  await expect(framing).toHaveText('Not said')
  await framing.click()
  await page.getByRole('option', { name: 'Framed under glass' }).click()
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  const visitor = await page.context().newPage()
  await visitor.goto(`${desk.site.url}/artwork/${slug}-${id}`)
  await expect(visitor.getByRole('listitem').filter({ hasText: 'Framed under glass' })).toBeVisible()
  await page.getByRole('button', { name: 'Activity' }).click()
  await expect(page.getByText('Framing of “Monsoon wall” was set to framed under glass')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect
    .poll(async () => (await desk.call<{ framing: string }>('GET', `/api/artworks/${id}`)).framing)
    .toBe('unsaid')
})

test('an inactive category of a work is offered once, so that saving does not blank it', async ({
  page,
  desk,
}) => {
  const { id } = await desk.call<{ id: string }>('POST', '/api/categories', { name: 'Murals' })
  const artwork = await desk.addArtwork({ title: 'Wall', category: 'Murals' })
  await desk.call('PUT', `/api/categories/${id}`, { isActive: false })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Wall' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('combobox', { name: 'Category' })).toHaveValue('Murals (inactive)')
  await page.getByLabel('Title').fill('A Wall')
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(card(page, 'A Wall')).toContainText('Murals')
  expect((await desk.call<Artwork>('GET', `/api/artworks/${artwork.id}`)).category).toBe('Murals')
  await desk.call('DELETE', `/api/categories/${id}`)
})

test('searching narrows the list and says how many are left', async ({ page, desk }) => {
  await desk.addArtwork({ title: 'Néel, after the Rains', medium: 'Indigo', category: 'Abstract' })
  await desk.addArtwork({ title: 'Kajal', saleStatus: 'sold' })
  await desk.open('Gallery')
  await page.getByRole('searchbox', { name: 'Search artworks' }).fill('neel indigo')
  await expect(page.getByText('1 of 2 shown')).toBeVisible()
  await expect(card(page, 'Kajal')).toBeHidden()
  await page.getByRole('searchbox', { name: 'Search artworks' }).fill('nothing like it')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Sold', exact: true }).click()
  await expect(card(page, 'Kajal')).toBeVisible()
  await expect(page.getByText('1 of 2 shown')).toBeVisible()
})

test('a dialog with something unsaved asks before it closes', async ({ page, desk }) => {
  await desk.addArtwork({ title: 'Marigolds' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Marigolds' }).click()
  await page.getByLabel('Title').fill('Brass Lota with Genda')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Brass Lota with Genda')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(dialog(page, 'Edit Artwork')).toBeHidden()
  await expect(page.getByText('was not saved')).toBeHidden()
})

test('a file dropped on a dialog beside the place for it leaves all as it is', async ({ page, desk }) => {
  await desk.addArtwork({ title: 'Marigolds' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Marigolds' }).click()
  await page.getByLabel('Title').fill('Brass Lota with Genda')
  const isRefused = await page.getByLabel('Title').evaluate((field) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['a'], 'dropped.jpg', { type: 'image/jpeg' }))
    return !field.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  // Else the browser opens the file in the place of the page.
  expect(isRefused).toBe(true)
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(card(page, 'Brass Lota with Genda')).toBeVisible()
})

test('an artwork that another tab types is offered once that tab is gone', async ({ page, desk }) => {
  await desk.addArtwork({ title: 'Marigolds' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Marigolds' }).click()
  await page.getByLabel('Title').fill('Brass Lota with Genda')
  const names = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('atelier.draft.')))
  await expect.poll(names).toHaveLength(1)
  const second = await page.context().newPage()
  await openDashboard(second, desk.site, 'Gallery')
  await expect(card(second, 'Marigolds')).toBeVisible()
  const offer = second.getByRole('status').filter({ hasText: 'A draft of “Marigolds”' })
  const isWaiting = () =>
    second.evaluate(async () =>
      (await navigator.locks.query()).pending?.some(({ name }) => name?.startsWith('atelier.draft.artwork.')),
    )
  await expect.poll(isWaiting).toBe(true)
  await expect(offer).toHaveCount(0)
  await page.close()
  await offer.getByRole('button', { name: 'Restore' }).click()
  await expect(second.getByLabel('Title')).toHaveValue('Brass Lota with Genda')
})

test('a price typed where the 0 stands replaces it, wherever the field is pressed', async ({
  page,
  desk,
}) => {
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  const price = page.getByLabel('Price (₹)')
  await price.click({ position: { x: 3, y: 20 } })
  await page.keyboard.type('18500')
  await expect(price).toHaveValue('18500')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('from the photograph to the published work it is at most eight taps', async ({ page, desk }) => {
    let taps = 0
    await page.exposeFunction('tapped', () => (taps += 1))
    await page.addInitScript(() => {
      // The function above. What a label hands on to its input is no tap of its own.
      const tell = () => (window as never as { tapped(): void }).tapped()
      window.addEventListener('pointerup', tell, { capture: true })
    })
    await desk.open('Gallery')
    const begun = performance.now()
    await page.getByRole('button', { name: 'Add New Artwork' }).tap()
    const camera = page.waitForEvent('filechooser')
    await page.getByText('Take a photo').tap()
    await (await camera).setFiles(painting('kajal'))
    // The phone's own camera: the shutter, and yes to what it took.
    const inTheCamera = 2
    await page.getByLabel('Title').tap()
    await page.keyboard.type('Kajal')
    await page.getByLabel('Price (₹)').tap()
    await page.keyboard.type('18500')
    await page.getByRole('button', { name: 'Add Artwork' }).tap()
    await expectToast(page, 'Success', 'Artwork added successfully.')
    expect(await publicTitles(desk.site.url)).toEqual(['Kajal'])
    await expect(card(page, 'Kajal')).toContainText('₹18,500')
    console.log(
      `From photograph to published: ${Math.round(performance.now() - begun)} ms of the machine's time`,
    )
    expect(taps + inTheCamera).toBeGreaterThan(inTheCamera)
    expect(taps + inTheCamera).toBeLessThanOrEqual(8)
  })

  test('works are arranged by a finger', async ({ page, desk }) => {
    for (const title of ['C', 'B', 'A']) await desk.addArtwork({ title })
    await desk.open('Gallery')
    await page.getByRole('button', { name: 'More about the gallery' }).tap()
    await page.getByRole('menuitem', { name: 'Arrange' }).tap()
    // No bar lies over what the finger takes.
    await page
      .locator('[data-drag]')
      .nth(1)
      .evaluate((handle) => handle.scrollIntoView({ block: 'center' }))
    const middle = async (at: number) => {
      const box = (await page.locator('[data-drag]').nth(at).boundingBox())!
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    }
    const from = await middle(1)
    const to = await middle(0)
    // A finger of Chromium itself, so that the page may also lose it to scrolling.
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: from.x, y }],
      })
    await touch('touchStart', from.y)
    for (let step = 1; step <= 10; step += 1)
      await touch('touchMove', from.y + ((to.y - 30 - from.y) * step) / 10)
    await touch('touchEnd', to.y)
    await expect.poll(async () => (await publicTitles(desk.site.url)).join('')).toBe('BAC')
  })
})

test('emptying a rarer field leaves it open, with the cursor in it', async ({ page, desk }) => {
  await desk.addArtwork({ title: 'Lotus', altText: 'A pond' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Lotus' }).click()
  const alt = page.getByLabel('Alt text')
  await expect(alt).toHaveValue('A pond')
  await alt.fill('')
  await expect(alt).toBeFocused()
  await page.keyboard.type('A tank with lotus')
  await expect(alt).toHaveValue('A tank with lotus')
})

test('a change that was made though its answer was lost is shown, and can be made again later', async ({
  page,
  desk,
}) => {
  const { id } = await desk.addArtwork({ title: 'Salt Pans' })
  await desk.open('Gallery')
  let isFirst = true
  await page.route(`**/api/artworks/${id}`, async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    await route.fetch()
    await route.abort()
  })
  const salt = card(page, 'Salt Pans')
  await salt.getByRole('button', { name: 'Hide Salt Pans' }).click()
  await expectToast(page, 'Error', 'Failed to update artwork visibility.')
  await expect(salt).toContainText('Hidden')
  await salt.getByRole('button', { name: 'Show Salt Pans' }).click()
  await expectToast(page, 'Success', 'Artwork visibility updated.')
  await expect(salt).toContainText('Available')
  await salt.getByRole('button', { name: 'Hide Salt Pans' }).click()
  await expect(salt).toContainText('Hidden')
  await expect
    .poll(async () => (await desk.call<Artwork>('GET', `/api/artworks/${id}`)).isAvailable)
    .toBe(false)
  await expect(salt).toContainText('Hidden')
})

test('a move that was made though its answer was lost is told as done', async ({ page, desk }) => {
  for (const title of ['C', 'B', 'A']) await desk.addArtwork({ title })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Arrange' }).click()
  let isFirst = true
  await page.route('**/api/artworks/*/position', async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Move down: A' }).click()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  expect(await publicTitles(desk.site.url)).toEqual(['B', 'A', 'C'])
})

test('a log-out waits for the moves that are on their way and behind them', async ({ page, desk }) => {
  for (const title of ['C', 'B', 'A']) await desk.addArtwork({ title })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Arrange' }).click()
  const first = await held(page, '**/api/artworks/*/position')
  const down = page.getByRole('button', { name: 'Move down: A' })
  await down.click()
  await down.click()
  await expect(down).toBeDisabled()
  const logouts: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/logout') && logouts.push(request.url()))
  await page.getByRole('button', { name: 'Log out' }).click()
  // Pressed again it is no second log-out, which might end the next session.
  await page.getByRole('button', { name: 'Saving...' }).click()
  await first.letGo()
  await expect.poll(async () => (await page.request.get(`${desk.site.url}/api/auth/user`)).status()).toBe(401)
  expect(await publicTitles(desk.site.url)).toEqual(['B', 'C', 'A'])
  await expect(page).toHaveURL(`${desk.site.url}/`)
  expect(logouts).toHaveLength(1)
})

test('nothing is begun while a log-out waits, which would take it away', async ({ page, desk }) => {
  for (const title of ['B', 'A']) await desk.addArtwork({ title })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Arrange' }).click()
  const move = await held(page, '**/api/artworks/*/position')
  await page.getByRole('button', { name: 'Move down: A' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  // By its text: what cannot be reached has no role.
  const add = page.locator('button', { hasText: 'Add New Artwork' })
  await add.focus()
  await expect(add).not.toBeFocused()
  await move.letGo()
  await expect(page).toHaveURL(`${desk.site.url}/`)
})

test('what was hidden and shown again elsewhere is hidden anew, though the first answer was lost', async ({
  page,
  desk,
}) => {
  const { id } = await desk.addArtwork({ title: 'Salt Pans' })
  await desk.open('Gallery')
  const salt = card(page, 'Salt Pans')
  await page.route(`**/api/artworks/${id}`, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await salt.getByRole('button', { name: 'Hide Salt Pans' }).click()
  await expectToast(page, 'Error', 'Failed to update artwork visibility.')
  await expect(salt).toContainText('Hidden')
  await page.unroute(`**/api/artworks/${id}`)
  await desk.call('PUT', `/api/artworks/${id}`, { isAvailable: true })
  await salt.getByRole('button', { name: 'Hide Salt Pans' }).click()
  await expectToast(page, 'Success', 'Artwork visibility updated.')
  expect(await publicTitles(desk.site.url)).toEqual([])
})

for (const width of [360, 1280]) {
  test(`nothing stands in the way of anybody at ${width} px`, async ({ page, desk }) => {
    test.slow()
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await desk.addArtwork({
      title: 'Sold and hidden',
      saleStatus: 'sold',
      isAvailable: false,
      isVisible: false,
    })
    await desk.addArtwork({ title: 'Featured', isFeatured: true, price: 0 })
    await desk.open('Gallery')
    await expect(card(page, 'Featured')).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.getByRole('button', { name: 'More: Featured' }).click()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit Featured' }).click()
    for (const mode of ['Upload new file', 'New URL', 'Keep current']) {
      await page.getByRole('radio', { name: mode }).click()
      await expectAccessible(page)
    }
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete Featured' }).click()
    await expectAccessible(page)
  })
}

test('on a phone the focus goes from the menu to the way out of arranging, and back', async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await desk.addArtwork({ title: 'Haldi' })
  await desk.open('Gallery')
  const more = page.getByRole('button', { name: 'More about the gallery' })
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Arrange' }).press('Enter')
  const arrange = page.getByRole('button', { name: 'Arrange', exact: true })
  await expect(arrange).toBeFocused()
  await arrange.click()
  await expect(more).toBeFocused()
})
