import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, vi } from 'vitest'
import { signIn, startSite } from './support/site.ts'
import { upload } from './support/upload.ts'

const image = join(import.meta.dirname, '../samples/monsoon.jpg')

it('what was hidden behind the last look at a page is not shown where the page cannot be made any more', async () => {
  const site = await startSite()
  try {
    const cookie = await signIn(site)
    const send = async (path: string, method: string, body: object) =>
      (
        await fetch(site.url + path, {
          method,
          headers: { cookie, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json() as Promise<{ readonly id: string }>
    const { imageUrl } = await upload(site, cookie, await openAsBlob(image))
    const title = 'Shown, and then hidden'
    const { id } = await send('/api/artworks', 'POST', { title, price: 10_000, imageUrl })
    await send('/api/site-content', 'PUT', { heroTitle: 'A title' })
    const page = async () => {
      const answer = await fetch(`${site.url}/`)
      return { status: answer.status, shows: (await answer.text()).includes(title) }
    }
    expect(await page()).toEqual({ status: 200, shows: true })

    const data = new DatabaseSync(join(site.dataDir, 'atelier.db'))
    data.exec('UPDATE "view_site-content_v2" SET doc = \'{\'')
    data.close()
    await send(`/api/artworks/${id}`, 'PUT', { isVisible: false })
    await vi.waitFor(async () => expect(await page()).toEqual({ status: 503, shows: false }), {
      timeout: 60_000,
    })
  } finally {
    await site.stop()
  }
})
