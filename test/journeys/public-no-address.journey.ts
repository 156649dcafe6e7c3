/// <reference lib="dom" />
import { startSite } from '../support/site.ts'
import { visit } from '../support/visit.ts'
import { ownerOf } from './owner.ts'
import { stripedImage } from './images.ts'
import { test as base } from './journey.ts'
import { expect } from '@playwright/test'

type Artwork = { id: string; slug: string; title: string }
type Published = { url: string; pathOf: (title: string) => string; save: (content: object) => Promise<void> }

/** A site that the world reads, whose owner has not saved her e-mail address. */
const test = base.extend<object, { published: Published }>({
  published: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
    async ({}, use) => {
      const site = await startSite({ env: { PUBLIC_URL: 'https://asha.example' } })
      try {
        const owner = await ownerOf(site)
        const imageUrl = await stripedImage(owner, 800, 600, '#7a8f5a')
        const artworks = [
          await owner<Artwork>('POST', '/api/artworks', { title: 'Haldi', price: 12_000, imageUrl }),
          await owner<Artwork>('POST', '/api/artworks', { title: 'Low Water', saleStatus: 'sold', imageUrl }),
        ]
        await use({
          url: site.url,
          pathOf: (title) => {
            const artwork = artworks.find((each) => each.title === title)
            if (!artwork) throw new Error(`No work is called ${title}`)
            return `/artwork/${artwork.slug}-${artwork.id}`
          },
          save: async (content) => void (await owner('PUT', '/api/site-content', content)),
        })
      } finally {
        await site.stop()
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ published }, use) => use(published.url),
})

const LINES = [
  ['Haldi', 'To request a purchase, write by the form.'],
  ['Low Water', 'Sold. To ask about similar works, write by the form.'],
] as const

test('nothing on a public site leads to the built-in address; the lines lead to the form', async ({
  page,
  published,
}) => {
  await published.save({ contactEmail: '' })
  for (const path of ['/', ...LINES.map(([title]) => published.pathOf(title))]) {
    const html = await (await fetch(published.url + path)).text()
    expect(html).not.toContain('mailto:')
    expect(html).not.toContain('studio@example.org')
  }
  for (const [title, line] of LINES) {
    await visit(page, published.pathOf(title))
    const artwork = page.locator('[data-overlay]')
    await expect(artwork).toContainText(line)
    await expect(artwork.locator('[href^="mailto:"]')).toHaveCount(0)
    await artwork.getByRole('link', { name: 'by the form' }).click()
    await expect(page.getByLabel('Name')).toBeFocused()
    await expect(page.getByLabel('Message')).toHaveValue(new RegExp(`“${title}”`))
  }
  await expect(page.locator('#contact [href^="mailto:"]')).toHaveCount(0)
  await expect(page.locator('#contact').getByText('Studio', { exact: true })).toBeVisible()
})

test('without a script the line leads to the form, too', async ({ browser, published }) => {
  await published.save({ contactEmail: '' })
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: published.url })
  const page = await context.newPage()
  await page.goto(published.pathOf('Haldi'))
  await page.getByRole('link', { name: 'by the form' }).click()
  await expect(page).toHaveURL(/\/#contact$/)
  await context.close()
})

test('with her own address both lines lead to it', async ({ page, published }) => {
  await published.save({ contactEmail: 'asha@example.in' })
  await visit(page, published.pathOf('Low Water'))
  const artwork = page.locator('[data-overlay]')
  await expect(artwork).toContainText('Sold. To ask about similar works, e-mail asha@example.in.')
  await visit(page, published.pathOf('Haldi'))
  await expect(artwork).toContainText('To request a purchase, e-mail the artist at asha@example.in.')
  await published.save({ contactEmail: '' })
})

test('the achievements are on the page until she takes them off', async ({ page, published }) => {
  const heading = page.getByRole('heading', { name: 'Artistic Achievements' })
  await visit(page, '/')
  await expect(heading).toBeVisible()
  await published.save({ showAchievements: false })
  await visit(page, '/')
  await expect(page.getByRole('heading', { name: 'About' })).toBeAttached()
  await expect(heading).toHaveCount(0)
  await published.save({ showAchievements: true })
})
