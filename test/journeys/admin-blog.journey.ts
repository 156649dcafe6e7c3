/// <reference lib="dom" />
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { BlogPost } from '#web/contract/journal.ts'
import { held, listening, visit } from '../support/visit.ts'
import { expect, expectToast, openDashboard, test } from './dashboard.ts'

type Post = { title: string; text: string }

/** A blog that can be written to: a home page that names its feed, the feed, and an image once there is one. */
async function startBlog(): Promise<{
  url: string
  posts: Post[]
  paint: (image: Buffer) => void
  stop: () => void
}> {
  const posts: Post[] = []
  let painted: Buffer | null = null
  const server = createServer((request, response) => {
    if (request.url === '/feed.xml') {
      response.setHeader('content-type', 'application/atom+xml')
      response.end(feed(`http://${request.headers.host}`, posts))
      return
    }
    if (request.url === '/own.png') {
      response.writeHead(painted === null ? 404 : 200, { 'content-type': 'image/png' }).end(painted)
      return
    }
    response.setHeader('content-type', 'text/html')
    response.end(
      '<!doctype html><title>Journal</title><link rel="alternate" type="application/atom+xml" href="/feed.xml">',
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Listening on a port, it has one.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    posts,
    paint: (image) => {
      painted = image
    },
    stop: () => server.close(),
  }
}

/** Atom that says it holds everything (RFC 5005), so that a missing post is a removed one. */
function feed(base: string, posts: readonly Post[]): string {
  const entries = posts.map(({ title, text }, index) => {
    const path = encodeURIComponent(title)
    const at = new Date(Date.UTC(2025, 10, 14 - index)).toISOString()
    return (
      `<entry><id>urn:post:${path}</id><title>${title}</title>` +
      `<link rel="alternate" href="${base}/${path}"/><published>${at}</published><updated>${at}</updated>` +
      `<content type="html">&lt;p&gt;${text}&lt;/p&gt;</content></entry>`
    )
  })
  return (
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" ' +
    'xmlns:fh="http://purl.org/syndication/history/1.0"><fh:complete/><id>urn:journal</id><title>Journal</title>' +
    `<updated>2025-11-14T00:00:00Z</updated>${entries.join('')}</feed>`
  )
}

const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })
const sync = (page: Page) => page.getByRole('button', { name: /Sync Now|Syncing\.\.\./ })

test('without an address the panel names the setting, and there is nothing to press', async ({
  page,
  workshop: { site },
}) => {
  await openDashboard(page, site, 'Blog')
  await expect(page.getByText('No blog posts found. Sync from Blogger or add custom posts.')).toBeVisible()
  await expect(page.getByText(/No blog address is set yet/)).toBeVisible()
  await expect(sync(page)).toBeDisabled()
})

test('a sync whose answer was lost is not said to have failed once it has run', async ({
  page,
  ownWorkshop: { site, owner },
}) => {
  const blog = await startBlog()
  try {
    blog.posts.push({ title: 'Haldi', text: 'It is a smell, a wedding.' })
    await owner('PUT', '/api/site-content', { blogUrl: blog.url })
    await openDashboard(page, site, 'Blog')
    await page.route('**/api/blog-posts/sync', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      return route.abort()
    })
    const panel = page.getByRole('region', { name: 'Auto-sync from an external blog' })
    await sync(page).click()
    await expect(panel.getByRole('status')).toContainText('cannot be reached')
    await owner('POST', '/api/blog-posts/sync')
    await expect(panel).toContainText('1 created')
    await expect(panel.getByRole('status')).toBeEmpty()
  } finally {
    blog.stop()
  }
})

test('while a sync of hers runs, the list of posts and the activity tell what has changed', async ({
  page,
  ownWorkshop: { site, owner },
}) => {
  const blog = await startBlog()
  try {
    blog.posts.push({ title: 'Haldi', text: 'It is a smell, a wedding.' })
    await owner('PUT', '/api/site-content', { blogUrl: blog.url })
    await owner('POST', '/api/blog-posts/sync')
    await openDashboard(page, site, 'Blog')
    await listening(page)
    const answer = await held(page, '**/api/blog-posts/sync', 'POST')
    await sync(page).click()
    await expect(sync(page)).toHaveText('Syncing...')
    const [post] = await owner<BlogPost[]>('GET', '/api/blog-posts')
    await owner('PUT', `/api/blog-posts/${post?.id}`, { isVisible: false })
    await expect(row(page, 'Haldi')).toContainText('Hidden')
    await expect(sync(page)).toHaveText('Syncing...')
    await answer.letGo()
    await expectToast(page, 'Success', 'Blog posts synced successfully.')
    await expect(sync(page)).toHaveText('Sync Now')
  } finally {
    blog.stop()
  }
})

test('the blog’s text comes back only over the words that were seen, and not over a draft that is restored', async ({
  page,
  ownWorkshop: { site, owner },
}) => {
  const blog = await startBlog()
  try {
    blog.posts.push({ title: 'Turmeric is not a yellow', text: 'It is a smell, a wedding.' })
    await owner('PUT', '/api/site-content', { blogUrl: blog.url })
    await owner('POST', '/api/blog-posts/sync')
    const titled = async (title?: string): Promise<string> => {
      const [post] = await owner<BlogPost[]>('GET', '/api/blog-posts')
      return title === undefined
        ? post!.title
        : (await owner<BlogPost>('PUT', `/api/blog-posts/${post!.id}`, { title })).title
    }
    await titled('Haldi')
    await openDashboard(page, site, 'Blog')
    await row(page, 'Haldi').getByRole('button', { name: /^Edit/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Post' })
    const useBlogs = dialog.getByRole('button', { name: /Title: Use the blog/ })
    const bringsBack = dialog.getByText('Saving brings the blog’s own back.')
    await useBlogs.click()
    await titled('Haldi, elsewhere')
    const notice = dialog.getByRole('alert').filter({ hasText: 'changed meanwhile' })
    await expect(notice).toContainText('The blog’s own')
    await expect(notice).toContainText('Haldi, elsewhere')
    await notice.getByRole('button', { name: 'Take the saved one' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take the saved one' }).click()
    await expect(bringsBack).toBeHidden()

    const title = dialog.getByRole('textbox', { name: 'Title' })
    await title.fill('Haldi, mine')
    await useBlogs.click()
    await dialog.getByRole('button', { name: 'Title: Keep mine' }).click()
    await expect(title).toHaveValue('Haldi, mine')
    page.on('dialog', (question) => void question.accept())
    await page.reload()
    const offer = page.getByRole('status').filter({ hasText: 'A draft of “Haldi, elsewhere”' })
    await offer.getByRole('button', { name: 'Restore' }).click()
    await expect(title).toHaveValue('Haldi, mine')
    await page.reload()
    await expect(offer).toBeVisible()
    await row(page, 'Haldi, elsewhere').getByRole('button', { name: /^Edit/ }).click()
    await useBlogs.click()
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await expect(title).toHaveValue('Haldi, mine')
    await expect(bringsBack).toBeHidden()
    for (const [label, longest] of [
      ['Title', 200],
      ['Excerpt', 5_000],
      ['Picture (address)', 2_048],
    ] as const) {
      const field = dialog.getByRole('textbox', { name: label })
      const before = await field.inputValue()
      await field.selectText()
      // As a paste does, it heeds what a field takes at most.
      await page.keyboard.insertText(`https://example.org/${'a'.repeat(longest)}`)
      await dialog.getByRole('button', { name: 'Update Post' }).click()
      await expect(field).toHaveAccessibleDescription(/at most [\d,]+ characters/)
      await field.fill(before)
    }
    await dialog.getByRole('button', { name: 'Update Post' }).click()
    await expect(dialog).toBeHidden()
    expect(await titled()).toBe('Haldi, mine')
  } finally {
    blog.stop()
  }
})

test('a picture that she gives by its address is shown at once, one that has not come is told, none is shown as broken', async ({
  page,
  ownWorkshop: { site, owner },
}) => {
  const blog = await startBlog()
  try {
    blog.posts.push({ title: 'Turmeric is not a yellow', text: 'It is a smell, a wedding.' })
    await owner('PUT', '/api/site-content', { blogUrl: blog.url })
    await owner('POST', '/api/blog-posts/sync')
    await openDashboard(page, site, 'Blog')
    const dialog = page.getByRole('dialog', { name: 'Edit Post' })
    const image = dialog.locator('img')
    const field = dialog.getByRole('textbox', { name: 'Picture (address)' })
    const awaited = dialog.getByText('No picture has come from there yet')
    const edit = row(page, 'Turmeric').getByRole('button', { name: /^Edit/ })
    const update = dialog.getByRole('button', { name: 'Update Post' })
    await edit.click()
    await field.fill('/no-picture')
    await expect(image).toHaveCount(0)
    // The blog's home page is no picture, and never will be one.
    await field.fill(blog.url)
    await update.click()
    await expect(field).toHaveAccessibleDescription(/Only/)
    // By http the page may load nothing, and no copy of it can be made yet.
    await field.fill(`${blog.url}own.png`)
    await expect(image).toHaveCount(0)
    await update.click()
    await expect(dialog).toBeHidden()
    await edit.click()
    await expect(field).toHaveValue(`${blog.url}own.png`)
    await expect(dialog).toContainText('Your own picture')
    await expect(awaited).toBeVisible()
    await expect(image).toHaveCount(0)
    await dialog.getByRole('button', { name: /Picture.*: Use the blog/ }).click()
    await update.click()
    await expect(row(page, 'Turmeric')).not.toContainText('Own')
    blog.paint(
      await sharp({ create: { width: 64, height: 48, channels: 3, background: '#a63' } })
        .png()
        .toBuffer(),
    )
    await edit.click()
    await field.fill(`${blog.url}own.png`)
    await update.click()
    await expect(dialog).toBeHidden()
    await expect(row(page, 'Turmeric')).toContainText('Own picture')
    await expect(row(page, 'Turmeric')).not.toContainText('Own words')
    await edit.click()
    await expect(field).toHaveValue(/^\/images\//)
    await expect(image).toHaveCount(1)
    await expect(awaited).toBeHidden()
  } finally {
    blog.stop()
  }
})

test('publish, edit and unpublish on the blog, and the journal follows', async ({
  page,
  context,
  ownWorkshop: { site, owner },
}) => {
  test.slow()
  const blog = await startBlog()
  try {
    blog.posts.push(
      { title: 'Turmeric is not a yellow', text: 'It is a smell, a wedding.' },
      { title: 'Three days in the Rann', text: 'At noon the pans turn pink.' },
    )
    await owner('PUT', '/api/site-content', { blogUrl: blog.url })
    await openDashboard(page, site, 'Blog')
    const journal = await context.newPage()
    await visit(journal, `${site.url}/`)
    await listening(journal)

    await sync(page).click()
    await expectToast(page, 'Success', 'Blog posts synced successfully.')
    await expect(row(page, 'Turmeric is not a yellow')).toContainText('External Post')
    await expect(row(page, 'Turmeric is not a yellow')).toContainText('14 November 2025')
    await expect(page.getByRole('region', { name: /Auto-sync/ })).toContainText('2 created')
    await expect(journal.getByRole('heading', { name: 'Turmeric is not a yellow' })).toBeVisible()

    await row(page, 'Three days')
      .getByRole('button', { name: /^Show on website/ })
      .click()
    await expect(row(page, 'Three days')).toContainText('Hidden')
    await expect(journal.getByText('Three days in the Rann')).toHaveCount(0)

    await row(page, 'Turmeric').getByRole('button', { name: /^Edit/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Post' })
    await dialog.getByLabel('Title').fill('Haldi is not a yellow')
    await dialog.getByRole('button', { name: 'Update Post' }).click()
    await expect(row(page, 'Haldi is not a yellow')).toContainText('Own words')
    await expect(journal.getByRole('heading', { name: 'Haldi is not a yellow' })).toBeVisible()

    // Her own words are taken back in the message that tells of them, and come again by taking that back.
    const undo = page.locator('[data-toasts] li').getByRole('button', { name: 'Undo' })
    await undo.click()
    await expect(row(page, 'Turmeric is not a yellow')).not.toContainText('Own words')
    await expect(journal.getByRole('heading', { name: 'Turmeric is not a yellow' })).toBeVisible()
    await undo.click()
    await expect(row(page, 'Haldi is not a yellow')).toContainText('Own words')

    blog.posts.splice(0, 1, { title: 'Turmeric is not a yellow', text: 'Dry it in the shade.' })
    await sync(page).click()
    await expect(row(page, 'Haldi is not a yellow')).toContainText('Dry it in the shade.')

    await row(page, 'Haldi').getByRole('button', { name: /^Edit/ }).click()
    await dialog.getByRole('button', { name: /Title: Use the blog/ }).click()
    await dialog.getByRole('button', { name: 'Update Post' }).click()
    await expect(row(page, 'Turmeric is not a yellow')).not.toContainText('Own words')

    blog.posts.splice(0, 1)
    await sync(page).click()
    await expect(row(page, 'Turmeric is not a yellow')).toHaveCount(0)
    await expect(journal.getByText('Turmeric is not a yellow')).toHaveCount(0)
  } finally {
    blog.stop()
  }
})

test('says Syncing... while it runs, and the reason when the blog does not answer', async ({
  page,
  workshop: { site, owner },
}) => {
  // Says nothing until it is told to break off, so that the run can be seen while it goes on.
  const broken = Promise.withResolvers<void>()
  const server = createServer((request) => void broken.promise.then(() => request.socket.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on a port, so its address is not a path.
  const { port } = server.address() as AddressInfo
  await owner('PUT', '/api/site-content', { blogUrl: `http://127.0.0.1:${port}/` })
  await openDashboard(page, site, 'Blog')
  await sync(page).click()
  await expect(sync(page)).toHaveText('Syncing...')
  broken.resolve()
  await expectToast(page, 'Error', 'Failed to sync blog posts. Please try again.')
  await expect(sync(page)).toHaveText('Sync Now')
  const panel = page.getByRole('region', { name: /Auto-sync/ })
  await expect(panel).toContainText(/The last try, .+, failed/)
  await expect(panel).not.toContainText('Last synced')
  await owner('PUT', '/api/site-content', { blogUrl: '' })
  server.close()
})

test('a list that did not come leaves the keyboard where it was when it is asked for again', async ({
  page,
  workshop: { site },
}) => {
  await page.route('**/api/blog-posts?*', (route) => route.abort())
  await openDashboard(page, site, 'Blog')
  const said = page.getByRole('alert').filter({ hasText: 'This could not be loaded.' })
  await expect(said).toBeVisible()
  await page.unroute('**/api/blog-posts?*')
  await said.getByRole('button', { name: 'Retry' }).press('Enter')
  await expect(said).toBeHidden()
  await expect(page.getByRole('tabpanel')).toBeFocused()
})
