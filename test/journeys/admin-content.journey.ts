/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import type { SiteContent } from '#web/contract/site-content.ts'
import { held } from '../support/visit.ts'
import { openDashboard } from './dashboard.ts'
import { expect, expectAccessible, expectToast, painting, signInBrowser, test } from './desk.ts'

/** The one at the form's end: always there, disabled while nothing is unsaved. */
const saveButton = (page: Page) =>
  page
    .locator('form')
    .getByRole('button', { name: /^(Save Changes|Saving\.\.\.|Uploading\.\.\.)$/ })
    .first()
const bar = (page: Page) => page.getByText(/unsaved changes?$/)
const editor = (page: Page) => page.getByRole('textbox', { name: 'Hero Description' })
const tool = (page: Page, name: string) => page.getByRole('toolbar').getByRole('button', { name })

/** Presses a tool and waits until the text has its style: the editor may not have come before. */
async function turnOn(page: Page, name: string): Promise<void> {
  await tool(page, name).click()
  await expect(tool(page, name)).toHaveAttribute('aria-pressed', 'true')
}

test.beforeEach(async ({ desk }) => {
  const content = await desk.call<SiteContent>('GET', '/api/site-content')
  const texts = Object.entries(content).filter(([, value]) => typeof value === 'string' && value !== '')
  const own = ['id', 'updatedAt']
  const empty = Object.fromEntries(texts.filter(([key]) => !own.includes(key)).map(([key]) => [key, '']))
  await desk.call('PUT', '/api/site-content', empty)
})

const saved = (desk: { call: <T>(method: string, path: string) => Promise<T> }) =>
  desk.call<SiteContent>('GET', '/api/site-content')

test('only what was changed is sent, and the bar stands only while something is unsaved', async ({
  page,
  desk,
}) => {
  const { version } = await saved(desk)
  await desk.open('Content')
  await expect(page.getByRole('heading', { name: 'Homepage Content' })).toBeVisible()
  await expect(page.getByLabel('Hero Subtitle')).toHaveValue(/^Spearheading the affordable art movement/)
  await expect(page.getByLabel('Primary Button Text')).toHaveValue('Explore Collection')
  await expect(page.getByLabel('Secondary Button Text')).toHaveValue('Get In Touch')
  await expect(page.getByLabel('Hero Title')).toHaveValue('')
  await expect(bar(page)).toBeHidden()
  await expect(saveButton(page)).toBeDisabled()

  await page.getByLabel('Artist Name').fill('Leela Marathe')
  await page.getByLabel('Biography Paragraph 3').fill('Since 2009.')
  await expect(page.getByText('2 unsaved changes')).toBeVisible()
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  const save = await held(page, '**/api/site-content', 'PUT')
  await saveButton(page).click()
  await expect(saveButton(page)).toHaveText('Saving...')
  await save.letGo()
  expect((await sent).postDataJSON()).toEqual({
    artistName: 'Leela Marathe',
    bioParagraph3: 'Since 2009.',
    expectedVersion: version,
  })
  await expectToast(page, 'Success', 'Site content updated successfully.')
  await expect(bar(page)).toBeHidden()
  await expect(saveButton(page)).toBeDisabled()
  await expect(page.getByLabel('Artist Name')).toHaveValue('Leela Marathe')
})

test('every field of the homepage reaches the site', async ({ page, desk }) => {
  await desk.open('Content')
  const fields: Record<string, string> = {
    'Artist Name': 'Leela Marathe',
    'About the Artist': 'She paints.',
    'Hero Title': 'LEELA',
    'Hero Subtitle': 'Pictures',
    'Primary Button Text': 'See',
    'Secondary Button Text': 'Write',
    'Main Quote': 'Less than a wall.',
    'Bullet Point 1': 'One',
    'Bullet Point 2': 'Two',
    'Bullet Point 3': 'Three',
    'Biography Paragraph 3': 'Third',
    'Biography Paragraph 4': 'Fourth',
    Email: 'leela@example.org',
    WhatsApp: '+91 98200 12345',
    'Studio Address': 'Byculla',
    'UPI ID': 'leela@okexample',
    'Payee Name': 'Leela M',
    'Blog Address': 'https://blog.example.org',
  }
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value)
  for (const number of [1, 2, 3, 4]) {
    const group = page.getByRole('group', { name: `Achievement ${number}` })
    await group.getByLabel('Icon').fill('star')
    await group.getByLabel('Number').fill(`${number}`)
    await group.getByLabel('Label').fill(`Label ${number}`)
  }
  await page.getByRole('combobox', { name: 'Kind of UPI ID' }).click()
  await page.getByRole('option', { name: 'Merchant' }).click()
  await saveButton(page).click()
  await expectToast(page, 'Success', 'Site content updated successfully.')
  expect(await saved(desk)).toMatchObject({
    artistName: 'Leela Marathe',
    artistBio: 'She paints.',
    heroTitle: 'LEELA',
    heroSubtitle: 'Pictures',
    heroPrimaryButtonText: 'See',
    heroSecondaryButtonText: 'Write',
    artistQuote: 'Less than a wall.',
    quoteBulletPoint1: 'One',
    quoteBulletPoint2: 'Two',
    quoteBulletPoint3: 'Three',
    bioParagraph3: 'Third',
    bioParagraph4: 'Fourth',
    contactEmail: 'leela@example.org',
    contactWhatsapp: '+91 98200 12345',
    contactAddress: 'Byculla',
    upiId: 'leela@okexample',
    upiPayeeName: 'Leela M',
    upiKind: 'merchant',
    blogUrl: 'https://blog.example.org',
    achievement1Icon: 'star',
    achievement2Number: '2',
    achievement4Label: 'Label 4',
  })
})

test('a profile picture is uploaded, shown round, and cleared again', async ({ page, desk }) => {
  await desk.open('Content')
  await expect(page.getByRole('radio', { name: 'Image URL' })).toBeChecked()
  await page.getByRole('radio', { name: 'Upload File' }).click()
  const choose = page.getByLabel('Choose a picture')
  await choose.setInputFiles({ name: 'poem.txt', mimeType: 'text/plain', buffer: Buffer.from('a poem') })
  await expect(page.getByRole('tabpanel').getByText('Please select a valid image file')).toBeVisible()
  const upload = await held(page, '**/api/upload/image')
  await choose.setInputFiles(painting('portrait'))
  await expect(saveButton(page)).toHaveText('Uploading...')
  await upload.letGo()
  await expectToast(page, 'Success', 'Profile picture uploaded successfully.')
  await saveButton(page).click()
  await expectToast(page, 'Success', 'Site content updated successfully.')
  expect((await saved(desk)).profileImageUrl).toMatch(/^\/images\//)

  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByRole('radio', { name: 'Image URL' })).toBeChecked()
  await expect(page.getByRole('textbox', { name: 'Image URL' })).toHaveValue('')
})

test('the editor writes exactly what the site keeps', async ({ page, desk }) => {
  await desk.open('Content')
  const text = editor(page)
  // The editor takes the place of its stand-in in this moment: of one that is gone there is no style.
  await expect(text).toHaveCSS('min-block-size', '72px')
  await text.click()
  await turnOn(page, 'Bold')
  await page.keyboard.type('Leela')
  await tool(page, 'Bold').click()
  await page.keyboard.type(' paints.')
  await page.keyboard.press('Enter')
  await tool(page, 'Bullet list').click()
  await page.keyboard.type('one')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('two')
  await saveButton(page).click()
  await expectToast(page, 'Success', 'Site content updated successfully.')
  expect((await saved(desk)).artistDescription).toBe(
    '<p><strong>Leela</strong> paints.</p><ul><li><p>one</p><ul><li><p>two</p></li></ul></li></ul>',
  )
  await expect(bar(page)).toBeHidden()
  await expect(saveButton(page)).toBeDisabled()
})

const EDITOR = '**/assets/editor-*.js'

test('what is typed before the editor comes is in it, with the caret where it was, and nothing moves', async ({
  page,
  desk,
}) => {
  await desk.call('PUT', '/api/site-content', { artistDescription: '<p>Leela paints.</p>' })
  const file = await held(page, EDITOR)
  await desk.open('Content')
  const next = page.getByLabel('About the Artist')
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' She prints,  too. ')
  await page.keyboard.press('Enter')
  await expect(bar(page)).toHaveText('1 unsaved change')
  const begun = await next.boundingBox()
  await file.letGo()
  await turnOn(page, 'Italic')
  expect(await next.boundingBox()).toEqual(begun)
  await page.keyboard.type('Since 2009')
  const lines = () => editor(page).evaluate(({ children }) => [...children].map((line) => line.textContent))
  await expect.poll(lines).toEqual(['Leela paints. She prints,  too. ', 'Since 2009'])
  await expect(editor(page).locator('em')).toHaveText('Since 2009')
  // One step for each that was taken since, and one for all that was typed before.
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ControlOrMeta+Z')
  await expect(editor(page)).toHaveText('Leela paints.')
  await expect(bar(page)).toBeHidden()
})

const pasteImage = (page: Page): Promise<void> =>
  editor(page).evaluate((element) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array([1])], 'a.png', { type: 'image/png' }))
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  })
const pastedIsRefused = (page: Page): Promise<void> =>
  expect(page.getByText('Pictures cannot be put into this text; add them in the Gallery tab.')).toBeVisible()

test('what is selected and pressed before the editor comes is done in it; pictures are refused at once', async ({
  page,
  desk,
}) => {
  await desk.call('PUT', '/api/site-content', { artistDescription: '<p>Leela paints.</p><p>Daily.</p>' })
  const file = await held(page, EDITOR)
  await desk.open('Content')
  await editor(page).click()
  await pasteImage(page)
  await pastedIsRefused(page)
  // Between the paragraphs, as a browser has it when all is selected or another text was shown.
  await editor(page).evaluate((element) => getSelection()?.setBaseAndExtent(element, 0, element, 2))
  await page.keyboard.press('Shift+Tab')
  await expect(tool(page, 'Bold')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await expect(tool(page, 'Italic')).toBeFocused()
  await page.keyboard.press('Enter')
  await file.letGo()
  await expect(editor(page).locator('strong em, em strong')).toHaveText(['Leela paints.', 'Daily.'])
  await expect(editor(page).locator('> *')).toHaveCount(2)
  await expect(editor(page)).toBeFocused()
})

test('a press ends in the place where it was begun when the editor comes meanwhile', async ({
  page,
  desk,
}) => {
  const file = await held(page, EDITOR)
  await desk.open('Content')
  const asked = page.waitForRequest(EDITOR)
  // As a finger and a busy page have it: time passes before the press gives the focus.
  await editor(page).dispatchEvent('pointerdown')
  await file.letGo()
  const part = JSON.stringify((await asked).url())
  await page.evaluate(
    `import(${part}).then(() => new Promise((drawn) => setTimeout(() => requestAnimationFrame(drawn))))`,
  )
  expect(await editor(page).getAttribute('class')).toBeNull()
  await editor(page).click()
  await expect(editor(page)).toHaveClass(/tiptap/)
  await page.keyboard.type('my blog')
  await expect(editor(page)).toHaveText('my blog')
})

test('a long text stays where it was scrolled to when the editor comes', async ({ page, desk }) => {
  const artistDescription = '<p>Leela paints.</p>'.repeat(60)
  await desk.call('PUT', '/api/site-content', { artistDescription })
  const file = await held(page, EDITOR)
  await desk.open('Content')
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  const scrolledTo = () => editor(page).evaluate(({ scrollTop }) => scrollTop)
  await expect.poll(scrolledTo).toBeGreaterThan(0)
  const before = await scrolledTo()
  await file.letGo()
  await expect(editor(page)).toHaveClass(/tiptap/)
  expect(await scrolledTo()).toBe(before)
})

test('the editor comes when its text is near', async ({ page, desk }) => {
  await page.setViewportSize({ width: 360, height: 200 })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const isAsked = (): boolean => asked.some((address) => address.includes('/assets/editor-'))
  const otherTabs = page.waitForRequest(/\/assets\/messages-tab-/)
  await desk.open('Content')
  await otherTabs
  expect(isAsked()).toBe(false)
  // At once: what stands in for the editor goes when that comes.
  await editor(page).evaluate((text) => text.scrollIntoView())
  await expect.poll(isAsked).toBe(true)
})

test('an editor that cannot be fetched says so, keeps what is typed and comes when it is asked for again', async ({
  page,
  desk,
}) => {
  await page.route(EDITOR, (route) => route.abort())
  await desk.open('Content')
  await editor(page).click()
  const said = page.getByRole('alert').filter({ hasText: 'The text tools could not be fetched.' })
  await expect(said).toBeVisible()
  await page.keyboard.type('Leela <3')
  await saveButton(page).click()
  await expectToast(page, 'Success', 'Site content updated successfully.')
  expect((await saved(desk)).artistDescription).toBe('<p>Leela &lt;3</p>')
  await page.unroute(EDITOR)
  await said.getByRole('button', { name: 'Try again' }).click()
  await turnOn(page, 'Bold')
  await expect(said).toBeHidden()
  await expect(editor(page)).toBeFocused()
  await expect(editor(page)).toHaveText('Leela <3')
})

test('lists nest to eight levels; Escape, then Tab leaves', async ({ page, desk }) => {
  await desk.open('Content')
  await editor(page).click()
  await turnOn(page, 'Ordered list')
  for (let level = 0; level < 10; level += 1) {
    await page.keyboard.type(`${level}`)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type('deepest')
  const levels = () =>
    editor(page).evaluate((element) => {
      let list: Element | null = [...element.querySelectorAll('li p')].at(-1) ?? null
      let depth = 0
      for (; list; list = list.parentElement?.closest('ol') ?? null) if (list.matches('ol')) depth += 1
      return depth
    })
  expect(await levels()).toBe(8)
  await page.keyboard.press('Shift+Tab')
  expect(await levels()).toBe(7)
  await expect(editor(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('About the Artist')).toBeFocused()
})

test('a pasted table keeps its words apart: each row is a line', async ({ page, desk }) => {
  await desk.open('Content')
  await editor(page).click()
  const paste = (html: string): Promise<void> =>
    editor(page).evaluate((element, pasted) => {
      const data = new DataTransfer()
      data.setData('text/html', pasted)
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, html)
  await turnOn(page, 'Bold')
  const rows = '<tr><td>2019</td><td><b>Pune</b></td></tr><tr><td><p>2021</p></td><td>Surat</td></tr>'
  await paste(`<p>Shown in</p><table><tbody>${rows}</tbody></table>`)
  await expect(editor(page).locator('p')).toHaveText(['Shown in', '2019 Pune', '2021', 'Surat'])
  await editor(page).fill('')
  await paste(`<meta charset="utf-8">${rows}`)
  await expect(editor(page).locator('p')).toHaveText(['2019 Pune', '2021', 'Surat'])
})

test('links lead to http, https, mailto and tel only; pasted pictures are refused', async ({
  page,
  desk,
}) => {
  await desk.open('Content')
  await editor(page).click()
  await page.keyboard.type('my blog')
  await page.keyboard.press('ControlOrMeta+A')
  await tool(page, 'Link').click()
  const address = page.getByRole('textbox', { name: 'Link address' })
  await address.fill('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('Use an address that begins with http://, https://, mailto: or tel:'),
  ).toBeVisible()
  await address.fill('blog.example.org')
  await page.keyboard.press('Enter')
  await expect(editor(page).getByRole('link', { name: 'my blog' })).toHaveAttribute(
    'href',
    'https://blog.example.org',
  )
  await tool(page, 'Clean').click()
  await expect(editor(page).getByRole('link')).toHaveCount(0)

  await pasteImage(page)
  await pastedIsRefused(page)
  await expect(editor(page).locator('img')).toHaveCount(0)
})

test('the form follows the server where nothing was typed, and shows both values where something was', async ({
  page,
  desk,
}) => {
  await desk.open('Content')
  await desk.call('PUT', '/api/site-content', { artistName: 'From elsewhere' })
  await expect(page.getByLabel('Artist Name')).toHaveValue('From elsewhere')

  await page.getByLabel('Main Quote').fill('Mine')
  await desk.call('PUT', '/api/site-content', { artistQuote: 'Theirs' })
  const notice = page.getByRole('alert').filter({ hasText: 'changed meanwhile' })
  await expect(notice).toContainText('Mine')
  await expect(notice).toContainText('Theirs')
  await expect(page.getByLabel('Main Quote')).toHaveValue('Mine')
  const take = page.getByRole('button', { name: 'Take the saved one' })
  await take.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Not yet' }).click()
  await expect(page.getByLabel('Main Quote')).toHaveValue('Mine')
  await take.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take the saved one' }).click()
  await expect(page.getByLabel('Main Quote')).toHaveValue('Theirs')
  await expect(bar(page)).toBeHidden()
  await expect(saveButton(page)).toBeDisabled()
})

test('a save that fails says so and keeps the text; a refused field says what to do', async ({
  page,
  context,
  desk,
}) => {
  await desk.open('Content')
  await page.getByLabel('Email', { exact: true }).fill('not an address')
  await saveButton(page).click()
  await expect(page.getByText('Email must look like name@example.com')).toBeVisible()
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
  await page.getByLabel('Email', { exact: true }).fill('leela@example.org')
  await expect(page.getByText('Email must look like name@example.com')).toBeHidden()
  await expect(page.getByLabel('Email', { exact: true })).not.toHaveAttribute('aria-invalid', 'true')
  await context.setOffline(true)
  await saveButton(page).click()
  await expectToast(page, 'Error', 'Failed to update content. Please try again.')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('leela@example.org')

  await page.getByRole('radio', { name: 'Upload File' }).click()
  await page.getByLabel('Choose a picture').setInputFiles(painting('portrait'))
  await expectToast(page, 'Error', 'Failed to upload profile picture.')
})

test('a save that is made before it can be shown is asked for once more under its key, and loses nothing', async ({
  page,
  desk,
}) => {
  await desk.open('Content')
  const keys: (string | undefined)[] = []
  await page.route('**/api/site-content', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    keys.push(route.request().headers()['idempotency-key'])
    // As servers answer whose projector is late.
    if (keys.length > 1) return route.continue()
    return route.fulfill({ status: 202, json: { id: 'site-content', position: '1' } })
  })
  await page.getByLabel('Main Quote').fill('A quote that takes its time')
  await saveButton(page).click()
  await expectToast(page, 'Success', 'Site content updated successfully.')
  await expect(page.getByLabel('Main Quote')).toHaveValue('A quote that takes its time')
  await expect(bar(page)).toBeHidden()
  await expect(saveButton(page)).toBeDisabled()
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

test('unsaved text asks before it is left, and waits as a draft when the session dies', async ({
  page,
  context,
  desk,
}) => {
  await desk.open('Content')
  await page.getByLabel('Studio Address').fill('Byculla, near the printing press')
  await page.getByRole('tab', { name: /Gallery/ }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page.getByLabel('Studio Address')).toHaveValue('Byculla, near the printing press')

  await page.request.post(`${desk.site.url}/api/logout`)
  await saveButton(page).click()
  // It stands only until the way to the login begins.
  await expectToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
  await expect(page.getByRole('dialog', { name: 'Admin Login' })).toBeVisible()
  await signInBrowser(context, desk.site)
  await page.reload()
  await page
    .getByRole('status')
    .filter({ hasText: 'was not saved' })
    .getByRole('button', { name: 'Restore' })
    .click()
  await expect(page.getByLabel('Studio Address')).toHaveValue('Byculla, near the printing press')
})

test('what was discarded is kept as a draft, and one press brings it back', async ({ page, desk }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await desk.open('Content')
  const address = page.getByLabel('Studio Address')
  await address.fill('Byculla, near the printing press')
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(address).toHaveValue('')
  const kept = page.getByRole('status').filter({ hasText: 'kept as a draft' })
  await expect(kept).toBeVisible()
  expect((await kept.boundingBox())?.width, 'a line of its own').toBeGreaterThan(250)
  await expect(page.getByRole('button', { name: 'Bring it back' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(address).toHaveValue('Byculla, near the printing press')

  // Typed anew and taken back by hand, what was discarded before is still there, also in a later visit.
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await page.getByLabel('Main Quote').fill('x')
  await page.getByLabel('Main Quote').fill('')
  await expect(page.getByRole('button', { name: 'Bring it back' })).toBeVisible()
  await page.reload()
  await page
    .getByRole('status')
    .filter({ hasText: 'was not saved' })
    .getByRole('button', { name: 'Restore' })
    .click()
  await expect(address).toHaveValue('Byculla, near the printing press')

  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await page.getByRole('button', { name: 'Forget it' }).click()
  await expect(page.getByRole('button', { name: 'Bring it back' })).toBeHidden()
  await page.reload()
  await expect(saveButton(page)).toBeDisabled()
  await expect(page.getByText('was not saved')).toBeHidden()
})

test('what is being saved is not discarded by a press', async ({ page, desk }) => {
  await desk.open('Content')
  const save = await held(page, '**/api/site-content', 'PUT')
  await page.getByLabel('Main Quote').fill('Sent')
  await saveButton(page).click()
  const discard = page.getByRole('button', { name: 'Discard', exact: true })
  await expect(discard).toBeDisabled()
  await discard.focus()
  await page.keyboard.press('Enter')
  await expect(bar(page)).toHaveText('1 unsaved change')
  await save.letGo()
  await expectToast(page, 'Success', 'Site content updated successfully.')
  await expect(page.getByLabel('Main Quote')).toHaveValue('Sent')
  await expect(page.getByText('kept as a draft')).toBeHidden()
})

test('the form can be saved at its end, where nothing sticks', async ({ page, desk }) => {
  await desk.open('Content')
  await expect(saveButton(page)).toBeDisabled()
  await page.getByLabel('Blog Address').fill('https://blog.example.org')
  await saveButton(page).click()
  await expectToast(page, 'Success', 'Site content updated successfully.')
  await expect(saveButton(page)).toBeDisabled()
})

test('the focus stays beside what was edited when the bar that held it goes', async ({ page, desk }) => {
  await desk.open('Content')
  const name = page.getByLabel('Artist Name')
  const edited = page.getByRole('heading', { name: 'Artist', exact: true })
  const inBar = (button: string) => page.locator('form [data-needed]').getByRole('button', { name: button })

  await name.fill('Leela')
  await inBar('Save Changes').click()
  await expect(bar(page)).toBeHidden()
  await expect(edited).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(name).toBeFocused()

  await name.fill('Leela Marathe')
  await inBar('Discard').click()
  await inBar('Bring it back').click()
  await expect(edited).toBeFocused()
  await inBar('Discard').click()
  await inBar('Forget it').click()
  await expect(edited).toBeFocused()

  await name.fill('Leela M.')
  await saveButton(page).click()
  await expect(bar(page)).toBeHidden()
  await expect(edited).toBeFocused()

  await name.fill('Leela from a draft')
  await page.reload()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(edited).toBeFocused()
})

for (const width of [360, 1280]) {
  test(`nothing stands in the way of anybody at ${width} px`, async ({ page, desk }) => {
    test.slow()
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await desk.open('Content')
    await expect(editor(page)).toBeVisible()
    await page.getByLabel('Artist Name').fill('Leela Marathe')
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.getByRole('radio', { name: 'Upload File' }).click()
    await tool(page, 'Link').click()
    await expectAccessible(page)
  })
}

test('a save that is refused leads to its own mistake, not to a file that was refused before', async ({
  page,
  desk,
}) => {
  await desk.open('Content')
  await page.getByRole('radio', { name: 'Upload File' }).first().check({ force: true })
  const choose = page.locator('form input[type="file"]').first()
  await choose.setInputFiles({ name: 'IMG_0001.HEIC', mimeType: '', buffer: Buffer.from('ftypheic') })
  await expect(page.getByText('Please select a valid image file').first()).toBeVisible()
  await page.getByLabel('Email', { exact: true }).fill('no address')
  await saveButton(page).click()
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
})

test('a draft of an earlier visit is offered above everything else', async ({ page, desk }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await desk.open('Content')
  await page.getByLabel('Artist Name').fill('Typed before')
  await page.reload()
  const restore = page.getByRole('button', { name: 'Restore' })
  await expect(restore).toBeInViewport()
  await expect(page.getByRole('main').getByRole('button').first()).toHaveText('Discard')
  await restore.click()
  await expect(page.getByLabel('Artist Name')).toHaveValue('Typed before')
})

test('what is typed without a pause is kept while it is typed', async ({ page, desk }) => {
  await desk.open('Content')
  await page.getByLabel('Artist Name').fill('')
  await page.keyboard.type('Leela, typed without a pause', { delay: 80 })
  // The tab may die in this moment.
  const kept = await page.evaluate(() => localStorage.getItem('atelier.draft.content'))
  expect(kept).toContain('Leela, typed without')
})

test('a draft that is offered outlives what is typed, saved and discarded beside it', async ({
  page,
  desk,
}) => {
  await desk.open('Content')
  await page.getByLabel('Studio Address').fill('Typed before')
  await page.reload()
  const restore = page.getByRole('button', { name: 'Restore' })
  await expect(restore).toBeVisible()
  await page.getByLabel('Main Quote').fill('Saved beside it')
  await saveButton(page).click()
  await expect(saveButton(page)).toBeDisabled()
  await page.getByLabel('Main Quote').fill('Discarded beside it')
  await page.getByRole('button', { name: 'Discard', exact: true }).last().click()
  await page.getByRole('button', { name: 'Forget it' }).click()
  await page.getByLabel('Main Quote').fill('Left beside it')
  await page.reload()
  // The newest first, then the one before.
  await page
    .getByRole('status')
    .filter({ hasText: 'was not saved' })
    .getByRole('button', { name: 'Discard' })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard draft' }).click()
  await restore.click()
  await expect(page.getByLabel('Studio Address')).toHaveValue('Typed before')
  await expect(page.getByLabel('Main Quote')).toHaveValue('Saved beside it')
})

test('one press does not discard a draft, and each press that does discards one', async ({ page, desk }) => {
  const offer = page.getByRole('status').filter({ hasText: 'was not saved' })
  const discard = offer.getByRole('button', { name: 'Discard' })
  const question = page.getByRole('alertdialog', { name: 'Discard the draft?' })
  await page.setViewportSize({ width: 360, height: 740 })
  await desk.open('Content')
  for (const words of ['The first', 'The second', 'The third']) {
    await page.getByLabel('Main Quote').fill(words)
    await page.reload()
    await expect(offer).toBeVisible()
  }
  const drafts = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('atelier.draft.content')))
  await discard.dblclick()
  await question.getByRole('button', { name: 'Keep the draft' }).click()
  await expect(question).toBeHidden()
  await expect(discard).toBeFocused()
  expect(await drafts()).toHaveLength(3)
  // A key that is held asks, and answers nothing.
  await page.keyboard.down('Enter')
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Discard draft' }).dblclick()
  await expect.poll(drafts).toHaveLength(2)
  await discard.click()
  await question.getByRole('button', { name: 'Discard draft' }).click()
  await expect.poll(drafts).toHaveLength(1)
  await offer.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Main Quote')).toHaveValue('The first')
})

test('a draft that is being typed is not offered in another tab until that one is gone', async ({
  page,
  desk,
}) => {
  await desk.open('Content')
  await page.getByLabel('Artist Name').fill('Typed in the first tab')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('atelier.draft.content'))).not.toBeNull()
  const second = await page.context().newPage()
  await openDashboard(second, desk.site, 'Content')
  const restore = second.getByRole('button', { name: 'Restore' })
  const isWaiting = () =>
    second.evaluate(async () =>
      (await navigator.locks.query()).pending?.some(({ name }) => name === 'atelier.draft.content'),
    )
  await expect.poll(isWaiting).toBe(true)
  await expect(restore).toHaveCount(0)
  await page.close()
  await restore.click()
  await expect(second.getByLabel('Artist Name')).toHaveValue('Typed in the first tab')
})

test('what failed is told no more once it turns out to be saved', async ({ page, desk }) => {
  await desk.open('Content')
  await page.route('**/api/site-content', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  )
  await page.getByLabel('Main Quote').fill('Stored, and not answered')
  await saveButton(page).click()
  const told = page.getByRole('alert').filter({ hasText: 'The site cannot be reached.' })
  await expect(told).toBeVisible()
  await desk.call('PUT', '/api/site-content', { artistQuote: 'Stored, and not answered' })
  await expect(bar(page)).toBeHidden()
  await expect(told).toBeHidden()
  await expect(page.getByLabel('Main Quote')).toHaveValue('Stored, and not answered')
})

test('what was stored without an answer, and put back since, is neither shown nor sent again', async ({
  page,
  desk,
}) => {
  await desk.open('Content')
  const quote = page.getByLabel('Main Quote')
  await page.route('**/api/site-content', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await quote.fill('Stored, and not answered')
  await saveButton(page).click()
  await expect(bar(page)).toBeHidden()
  await desk.call('PUT', '/api/site-content', { artistQuote: '' })
  await expect(quote).toHaveValue('')
  await expect(bar(page)).toBeHidden()
})
