/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import type { ContactMessage } from '#web/contract/messages.ts'
import type { Site } from '../support/site.ts'
import { endSessions, expect, expectToast, openDashboard, test } from './dashboard.ts'
import { oneImage } from './images.ts'

const card = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name })

async function write(site: Pick<Site, 'url'>, name: string, more: object = {}): Promise<void> {
  const answer = await fetch(`${site.url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name,
      email: 'ritu@example.com',
      subject: 'purchase',
      message: 'Is it still available?\nMy number is +91 98200 12345.',
      ...more,
    }),
  })
  if (answer.status !== 201) throw new Error(`The message was answered ${answer.status}`)
}

test('a message arrives by itself, is highlighted and counted, read, answered and erased', async ({
  page,
  workshop: { site, owner },
}) => {
  for (const { id } of await owner<ContactMessage[]>('GET', '/api/contact-messages'))
    await owner('DELETE', `/api/contact-messages/${id}`)
  await openDashboard(page, site, 'Messages')
  await expect(page.getByText('No messages received yet.')).toBeVisible()
  await expect(page).toHaveTitle('Admin Dashboard')

  const artwork = await owner<{ id: string }>('POST', '/api/artworks', {
    title: 'Monsoon',
    imageUrl: await oneImage(owner),
  })
  await write(site, 'Ritu Khanna', { artworkId: artwork.id })
  const ritu = card(page, 'Ritu Khanna')
  await expect(ritu).toBeVisible()
  await expect(ritu).toContainText('Purchase Existing Work')
  await expect(ritu).toContainText('Monsoon')
  await expect(ritu.getByText('Unread')).toBeAttached()
  await expect(page).toHaveTitle('(1) Admin Dashboard')
  await expect(page.getByRole('tab', { name: 'Messages' })).toContainText('1 unread of 1')

  const mail = await ritu.getByRole('link', { name: /by e-mail/ }).getAttribute('href')
  expect(decodeURIComponent(mail ?? '')).toContain('Re: Monsoon')
  const chat = await ritu.getByRole('link', { name: /WhatsApp/ }).getAttribute('href')
  expect(chat).toMatch(/^https:\/\/wa\.me\/919820012345\?text=.*Monsoon/)

  await ritu.getByRole('button', { name: 'Mark Read' }).click()
  await expectToast(page, 'Success', 'Message marked as read.')
  await expect(ritu.getByRole('button', { name: 'Mark Read' })).toHaveCount(0)
  await expect(page).toHaveTitle('Admin Dashboard')

  await ritu.getByRole('button', { name: 'Delete' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Delete Message' })
  await expect(confirm).toContainText('A copy in your mailbox is not erased.')
  await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Success', 'Message deleted successfully.')
  await expect(page.getByText('No messages received yet.')).toBeVisible()
  expect(await owner<ContactMessage[]>('GET', '/api/contact-messages')).toEqual([])
})

test('in a dashboard that was opened the day before, a message of today is of today', async ({
  page,
  workshop: { site },
}) => {
  await page.clock.setFixedTime(Date.now() - 86_400_000)
  await openDashboard(page, site, 'Messages')
  await expect(page.getByRole('heading', { name: 'Contact Messages' })).toBeVisible()
  await page.clock.setFixedTime(Date.now())
  await write(site, 'Of today')
  await expect(card(page, 'Of today').locator('time')).toContainText('Today, ')
})

test('a dead session says so, and leads nowhere by itself', async ({ page, workshop: { site, owner } }) => {
  await write(site, 'Farhan Ali')
  await openDashboard(page, site, 'Messages')
  const farhan = card(page, 'Farhan Ali')
  await farhan.waitFor()
  await endSessions(owner)
  await farhan.getByRole('button', { name: 'Mark Read' }).click()
  await expectToast(page, 'Error', 'Authentication expired. Please log in again.')
  // It is asked for where she is; below the dialog the message stands as it was.
  await expect(page.getByRole('dialog', { name: 'Admin Login' })).toContainText('Your session has ended.')
  await expect(page.locator('article', { hasText: 'Farhan Ali' }).getByText('Mark Read')).toBeVisible()
  await expect(page).toHaveURL(`${site.url}/admin`)
})

test('the first message on screen waits for nothing, as the way to the login is near', async ({
  page,
  workshop: { site, owner },
}) => {
  await page.clock.install()
  await write(site, 'Meher Irani')
  await openDashboard(page, site, 'Messages')
  const meher = card(page, 'Meher Irani')
  await meher.waitFor()
  await endSessions(owner)
  // No timer runs any more: what is drawn now did not wait for one.
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000))
  await meher.getByRole('button', { name: 'Mark Read' }).click()
  await expectToast(page, 'Error', 'Authentication expired. Please log in again.')
})

test('with the server gone nothing is lost and everything says so', async ({
  page,
  ownWorkshop: { site },
}) => {
  await write(site, 'Sister Agnes')
  await openDashboard(page, site, 'Messages')
  const agnes = card(page, 'Sister Agnes')
  await agnes.waitFor()
  await site.stop()
  await agnes.getByRole('button', { name: 'Mark Read' }).click()
  await expectToast(page, 'Error', 'Failed to update message. Please try again.')
  await expect(agnes.getByRole('button', { name: 'Mark Read' })).toBeVisible()
  await agnes.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Error', 'Failed to delete message. Please try again.')
  await expect(agnes).toBeVisible()
})

/** Messages as the server lists them, newest first. */
const manyMessages = (count: number): ContactMessage[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    name: `Visitor ${index}`,
    email: `visitor${index}@example.org`,
    subject: 'general',
    message: 'A line.\n'.repeat(1 + (index % 7)),
    isRead: index % 3 !== 0,
    artworkId: '',
    artworkTitle: '',
    mail: 'off',
    version: 1,
    createdAt: new Date(2026, 0, 1, 0, index).toISOString(),
  }))

test('5,000 messages scroll and open without a hitch', async ({ page, workshop: { site } }) => {
  const many = manyMessages(5_000)
  await page.route('**/api/contact-messages', (route) => route.fulfill({ json: many }))
  await openDashboard(page, site, 'Messages')
  await card(page, 'Visitor 0').waitFor()
  expect(await page.getByRole('article').count()).toBeLessThan(40)
  const scroller = page.locator('[data-scrolls]')
  // Cards are measured as they come into view, and the list grows by that: its end is reached in a few steps.
  await expect
    .poll(async () => {
      await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return card(page, 'Visitor 4999').count()
    })
    .toBe(1)
  await page.getByPlaceholder('Search messages').fill('visitor4321@')
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('a message of thousands of lines is folded until all of it is wanted', async ({
  page,
  ownWorkshop: { site },
}) => {
  await write(site, 'Long Words', { message: `${'a\n'.repeat(2_400)}the end` })
  await openDashboard(page, site, 'Messages')
  const long = card(page, 'Long Words')
  const height = (): Promise<number> => long.evaluate((element) => element.clientHeight)
  await expect(long).toBeVisible()
  expect(await height()).toBeLessThan(900)
  await long.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(height).toBeGreaterThan(50_000)
  await long.getByRole('button', { name: 'Show less' }).click()
  await expect.poll(height).toBeLessThan(900)
})

test('older messages come when they are asked for, page by page', async ({ page, workshop: { site } }) => {
  const many = manyMessages(1_003)
  await page.route(/\/api\/contact-messages(?:\?before=.*)?$/, (route) => {
    const before = new URL(route.request().url()).searchParams.get('before')
    const from = before === null ? 0 : many.findIndex(({ id }) => id === before) + 1
    return route.fulfill({ json: many.slice(from, from + 500) })
  })
  await openDashboard(page, site, 'Messages')
  const older = page.getByRole('button', { name: 'Show older messages' })
  const search = page.getByPlaceholder('Search messages')
  await search.fill('visitor1002@')
  await expect(page.getByText('No message fits.')).toBeVisible()
  await older.click()
  await search.fill('visitor999@')
  await expect(card(page, 'Visitor 999')).toBeVisible()
  await older.click()
  await search.fill('visitor1002@')
  await expect(card(page, 'Visitor 1002')).toBeVisible()
  await expect(older).toHaveCount(0)
})
