/// <reference lib="dom" />
import { held, listening } from '../support/visit.ts'
import { signInBrowser } from './owner.ts'
import { expect, test } from './public-site.ts'

const CHANGES = '**/api/changes*'
const PROGRAM = '**/assets/entry-*.js'

test('a page that is opened beside another shows what was changed while it was on its way', async ({
  page,
  context,
  gallery: { site, owner, artworks },
}) => {
  const artwork = artworks.find(({ title }) => title === 'Gulmohar')
  const put = (price: number) => owner('PUT', `/api/artworks/${artwork?.id}`, { price })
  await page.goto(site.url)
  await listening(page)
  const second = await context.newPage()
  await second.route(`${site.url}/`, async (route) => {
    const response = await route.fetch()
    await put(84_000)
    // The tab that listens has heard it: nothing is told of it any more.
    await expect(page.locator('#gallery').getByRole('link', { name: /Gulmohar/ })).toContainText('₹84,000')
    await route.fulfill({ response })
  })
  await second.goto(site.url)
  await second.bringToFront()
  await expect(second.locator('#gallery').getByRole('link', { name: /Gulmohar/ })).toContainText('₹84,000')
  await put(85_000)
})

test('a list that was fetched before the stream of changes was open is up to date all the same', async ({
  page,
  context,
  gallery: { site, owner },
}) => {
  await signInBrowser(context, site)
  const stream = await held(page, CHANGES)
  await page.goto(`${site.url}/admin`)
  await page.getByRole('tab', { name: 'Categories' }).click()
  await expect(page.getByRole('button', { name: 'Edit Sculpture' })).toBeVisible()
  const { id } = await owner<{ id: string }>('POST', '/api/categories', { name: 'Textiles' })
  await stream.letGo()
  await expect(page.getByRole('button', { name: 'Edit Textiles' })).toBeVisible()
  await owner('DELETE', `/api/categories/${id}`)
})

test('a change that is told while the program is on its way is shown', async ({
  page,
  gallery: { site, owner, artworks },
}) => {
  const artwork = artworks.find(({ title }) => title === 'Kajal')
  const put = (price: number) => owner('PUT', `/api/artworks/${artwork?.id}`, { price })
  const program = await held(page, PROGRAM)
  await page.goto(site.url)
  await listening(page)
  // The word to the other tabs, for which the page listens before there is one.
  const heard = await page.evaluateHandle(() => ({
    word: new Promise((resolve) => {
      new BroadcastChannel('atelier-changes').addEventListener('message', resolve, { once: true })
    }),
  }))
  await put(19_000)
  await heard.evaluate(({ word }) => word.then(() => undefined))
  await program.letGo()
  await expect(page.locator('#gallery').getByRole('link', { name: /Kajal/ })).toContainText('₹19,000')
  await put(18_500)
})

test.describe('a stream of changes that a proxy refuses', () => {
  test.use({ expectedComplaints: /^Failed to load resource.*502|EventSource/ })

  test('is opened anew after half a minute', async ({ page, gallery: { site } }) => {
    await page.clock.install()
    await page.route(CHANGES, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    const refused = page.waitForResponse((answer) => answer.status() === 502)
    await page.goto(site.url)
    // The page listens once it is idle.
    await page.clock.runFor(5_000)
    await refused
    await page.unroute(CHANGES)
    const again = page.waitForResponse((answer) => answer.url().includes('/api/changes') && answer.ok())
    await page.clock.runFor(31_000)
    await again
  })
})
