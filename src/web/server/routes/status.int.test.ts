import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWebSite, uploadPicture, type WebSite } from '../../../../test/support/web-site.ts'

describe('the state of the site', () => {
  let site: WebSite
  let owner: Client
  beforeAll(async () => {
    site = await openWebSite()
    owner = await site.owner()
  })
  afterAll(async () => site.close())

  it('names version, mail and free space', async () => {
    const { json } = await owner.call('getStatus')
    expect(json).toMatchObject({ version: '0.0.0-test', firstPassword: false, mail: 'off', backup: null })
    expect(json.freeBytes).toBeGreaterThan(0)
  })

  it('lists the work behind the scenes', async () => {
    const imageUrl = await uploadPicture(owner)
    const hash = imageUrl.split('/')[2]
    await expect
      .poll(async () => (await owner.call('listJobs')).json.items)
      .toContainEqual(expect.objectContaining({ name: 'process-image', subjectId: hash }))
  })
})

describe('the samples', () => {
  it('are all there at the first start, and all gone with one call', async () => {
    const site = await openWebSite({ settings: { SAMPLES: 'auto' } })
    try {
      const owner = await site.owner()
      const works = (await site.visitor().call('listArtworks')).json
      expect(works).toHaveLength(12)
      expect((await site.visitor().call('listBlogPosts')).json).toHaveLength(3)
      const imageUrl = await uploadPicture(owner)
      const kept = { title: 'Mine', imageUrl, category: works[0].category }
      await owner.call('addArtwork', { body: kept })
      expect((await owner.call('removeSamples')).status).toBe(204)
      const left = (await site.visitor().call('listArtworks')).json
      expect(left.map(({ title }: { title: string }) => title)).toEqual(['Mine'])
      const categories = (await site.visitor().call('listCategories')).json
      expect(categories.map(({ name }: { name: string }) => name)).toEqual([works[0].category])
      expect((await owner.call('listArtworks', { query: 'deleted=true' })).json).toEqual([])
      expect((await site.visitor().call('listBlogPosts')).json).toEqual([])
    } finally {
      await site.close()
    }
  }, 60_000)
})
