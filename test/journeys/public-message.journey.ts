/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import { held, visit } from '../support/visit.ts'
import { expect, test } from './public-site.ts'

test.describe.configure({ mode: 'default' })

const MESSAGE = { name: 'Ravi Kulkarni', email: 'ravi@example.org', message: 'Is it framed? — नमस्ते' }

async function write(page: Page, message: typeof MESSAGE, subject: string): Promise<void> {
  await page.getByLabel('Name').fill(message.name)
  await page.getByLabel('Email').fill(message.email)
  await page.getByLabel('Subject').selectOption(subject)
  await page.getByLabel('Message').fill(message.message)
}

type Message = { name: string; email: string; subject: string; message: string; artworkTitle: string | null }

test('6 a letter about a work arrives whole, and the visitor is thanked', async ({ page, gallery }) => {
  await visit(page, gallery.pathOf('Kajal'))
  await page.getByRole('link', { name: 'Enquire' }).click()
  await expect(page.getByLabel('Name')).toBeFocused()
  await write(page, MESSAGE, 'purchase')
  // Nobody writes so fast; the site takes less than three seconds for a machine.
  await page.locator('input[name=openedAt]').evaluate((field) => {
    if (field instanceof HTMLInputElement) field.value = new Date(Date.now() - 60_000).toISOString()
  })
  await page.getByRole('button', { name: 'Send Message' }).click()
  const toast = page.locator('[data-toasts]').getByRole('status')
  await expect(toast).toContainText('Thank you for your message. I will get back to you soon.')
  await expect(page.getByLabel('Message')).toHaveValue('')
  const [newest] = await gallery.owner<Message[]>('GET', '/api/contact-messages')
  expect(newest).toMatchObject({ ...MESSAGE, subject: 'purchase', artworkTitle: 'Kajal' })
})

test('6 without a script what is wrong is said at its field, and then the letter arrives', async ({
  browser,
  gallery,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: gallery.site.url })
  const page = await context.newPage()
  await page.goto('/#contact')
  // The browser's own check is passed over, as an old browser would.
  const refused = await page.request.post('/contact', {
    form: { ...MESSAGE, email: 'ravi', subject: '', website: '' },
  })
  expect(refused.status()).toBe(422)
  const html = await refused.text()
  expect(html).toContain(MESSAGE.message)
  expect(html).toContain('Please select a subject')
  await write(page, MESSAGE, 'exhibition')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page).toHaveURL(/\?contact=sent#contact$/)
  await expect(page.getByRole('status')).toContainText('Message Sent!')
  const [newest] = await gallery.owner<Message[]>('GET', '/api/contact-messages')
  expect(newest).toMatchObject({ ...MESSAGE, subject: 'exhibition' })
  await context.close()
})

test('6 a machine is thanked as well, and stores nothing', async ({ page, gallery }) => {
  const before = await gallery.owner<Message[]>('GET', '/api/contact-messages')
  const trapped = [
    { ...MESSAGE, subject: 'general', website: 'https://spam.example' },
    { ...MESSAGE, subject: 'general', openedAt: new Date().toISOString() },
  ]
  for (const data of trapped) {
    const answer = await page.request.post('/api/contact', { data })
    expect(answer.status()).toBe(201)
    expect(await answer.json()).toEqual({
      message: 'Thank you for your message. I will get back to you soon.',
    })
  }
  expect(await gallery.owner<Message[]>('GET', '/api/contact-messages')).toHaveLength(before.length)
})

test('6 errors stand at their fields, and go when they are mended', async ({ page }) => {
  await visit(page, '/')
  await page.getByRole('button', { name: 'Send Message' }).click()
  for (const [field, words] of [
    ['Name', 'Please write your name.'],
    ['Email', 'Please write your e-mail address, so that the artist can answer.'],
    ['Subject', 'Please select a subject'],
    ['Message', 'Please write a few words.'],
  ] as const) {
    await expect(page.getByLabel(field)).toHaveAccessibleDescription(words)
    await expect(page.getByLabel(field)).toHaveAttribute('aria-invalid', 'true')
  }
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.getByLabel('Name').fill('Ravi')
  await expect(page.getByLabel('Name')).not.toHaveAttribute('aria-invalid')
  await page.getByLabel('Message').focus()
  // As a paste does, it heeds what a field takes at most.
  await page.keyboard.insertText('n'.repeat(5_001))
  await expect(page.getByLabel('Message')).toHaveAccessibleDescription('Please use at most 5,000 characters.')
})

test('6 what is wrong leaves the focus where the visitor types by the time it is known', async ({ page }) => {
  const checks = await held(page, '**/assets/send-message-*.js')
  await visit(page, '/')
  await page.getByLabel('Name').fill('Ravi')
  await page.getByLabel('Name').press('Enter')
  await page.getByLabel('Message').click()
  await page.keyboard.type('Is it ')
  await checks.letGo()
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.type('framed?')
  await expect(page.getByLabel('Message')).toHaveValue('Is it framed?')
  await expect(page.locator('[data-toasts]').getByRole('alert')).toContainText('Error')
})

test('6 a letter that could not be sent stays where it is', async ({ page, context, complaints }) => {
  await visit(page, '/')
  // What draws messages is fetched as soon as somebody begins to write.
  const drawn = page.waitForResponse(/\/assets\/toast-.*\.js$/)
  await write(page, MESSAGE, 'media')
  await (await drawn).finished()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Send Message' }).click()
  const toast = page.locator('[data-toasts]').getByRole('alert')
  await expect(toast).toContainText('Error')
  await expect(toast).toContainText('Failed to send message. Please try again.')
  await expect(page.getByLabel('Message')).toHaveValue(MESSAGE.message)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.locator('[data-toasts]')).toContainText('Message Sent!')
  // The browser tells of the lost connection; nothing else may be said.
  expect(complaints.splice(0).filter((text) => !/ERR_INTERNET_DISCONNECTED|fetch/i.test(text))).toEqual([])
})

test('6 thanks are seen once the connection is back, also where no message could be drawn without it', async ({
  page,
  context,
  complaints,
}) => {
  await page.route('**/api/contact', (route) => route.fulfill({ status: 201, json: {} }))
  await visit(page, '/')
  await context.setOffline(true)
  await write(page, MESSAGE, 'media')
  const form = page.locator('#contact form')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(form.getByRole('alert')).toHaveText('Failed to send message. Please try again.')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByLabel('Message')).toHaveValue('')
  await expect(page.locator('[data-toasts]')).toContainText('Message Sent!')
  expect(complaints.splice(0).filter((text) => !/ERR_INTERNET_DISCONNECTED|fetch/i.test(text))).toEqual([])
})

test('6 what is added while a letter is on its way stays, to be sent as another', async ({ page }) => {
  const keys: unknown[] = []
  const { promise: added, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/contact', async (route) => {
    keys.push(JSON.parse(route.request().postData() ?? '{}').key)
    await added
    await route.fulfill({ status: 201, json: {} })
  })
  await visit(page, '/')
  await write(page, MESSAGE, 'media')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect.poll(() => keys.length).toBe(1)
  await page.getByLabel('Message').fill(`${MESSAGE.message} P.S. And signed?`)
  answer()
  await expect(page.locator('[data-toasts]')).toContainText('Message Sent!')
  await expect(page.getByLabel('Message')).toHaveValue(`${MESSAGE.message} P.S. And signed?`)
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByLabel('Message')).toHaveValue('')
  expect(new Set(keys).size).toBe(2)
})

test('6 on a phone the toast leaves free what the form says of a refusal', async ({ page, complaints }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const refusal = 'Too many letters just now. Please try again in an hour.'
  await page.route('**/api/contact', (route) => route.fulfill({ status: 429, json: { message: refusal } }))
  await visit(page, '/')
  await write(page, MESSAGE, 'media')
  await page.getByRole('button', { name: 'Send Message' }).click()
  const said = page.locator('#contact').getByText(refusal)
  // To where a toast lies that makes way for nothing.
  await said.evaluate((sentence) =>
    window.scrollBy({ top: sentence.getBoundingClientRect().bottom - 660, behavior: 'instant' }),
  )
  await expect(said).toBeInViewport({ ratio: 1 })
  const toast = page.locator('[data-toasts]').getByRole('alert')
  await expect(toast).toBeVisible()
  await expect(async () => {
    const [above, below] = await Promise.all([said.boundingBox(), toast.boundingBox()])
    if (!above || !below) throw new Error('One of them is not there')
    expect(above.y + above.height <= below.y || below.y + below.height <= above.y).toBe(true)
  }).toPass({ timeout: 2_000 })
  expect(complaints.splice(0).filter((text) => !/429/.test(text))).toEqual([])
})
