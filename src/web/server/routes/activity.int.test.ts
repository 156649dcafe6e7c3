import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWebSite, uploadPicture, type WebSite } from '../../../../test/support/web-site.ts'

let site: WebSite
let owner: Client
let imageUrl: string
beforeAll(async () => {
  site = await openWebSite()
  owner = await site.owner()
  imageUrl = await uploadPicture(owner)
})
afterAll(async () => site.close())

const added = async (title = 'Sea') =>
  (await owner.call('addArtwork', { body: { title, imageUrl, price: 100 } })).json
const latest = async (query = '') => (await owner.call('listActivity', { query })).json.items[0]

describe('what happened', () => {
  it('is told in words, newest first, page by page', async () => {
    const { id } = await added('Told')
    await owner.call('changeArtwork', { params: { id }, body: { price: 200 } })
    const page = (await owner.call('listActivity', { query: 'limit=1' })).json
    expect(page.items).toHaveLength(1)
    expect(page.items[0]).toMatchObject({ actor: 'You', module: 'artworks', subjectId: id })
    expect(page.items[0].sentence).toMatch(/₹|200/)
    const next = (await owner.call('listActivity', { query: `limit=1&before=${page.next}` })).json
    expect(next.items[0].sentence).toContain('Told')
  })

  it('can be asked of one work', async () => {
    const [one] = [await added('One'), await added('Other')]
    const { items } = (await owner.call('listActivity', { query: `artworkId=${one.id}` })).json
    expect(new Set(items.map(({ subjectId }: { subjectId: string }) => subjectId))).toEqual(new Set([one.id]))
  })

  it.each(['limit=0', 'limit=x', 'artworkId=x'])('refuses ?%s', async (query) => {
    expect((await owner.call('listActivity', { query })).status).toBe(422)
  })

  it('names no person who wrote', async () => {
    const body = { name: 'Asha Rao', email: 'a@b.in', subject: 'general', message: 'Hello' }
    await site.visitor().call('sendEnquiry', { body })
    const item = await latest()
    expect(item).toMatchObject({ actor: 'A visitor', module: 'messages' })
    expect(JSON.stringify(item)).not.toMatch(/Asha|a@b/)
  })
})

describe('undoing', () => {
  it('restores the earlier value, and undoing that is an undo too', async () => {
    const { id } = await added()
    await owner.call('changeArtwork', { params: { id }, body: { price: 200, title: 'Rain' } })
    const undone = await owner.call('undoActivity', { params: { id: (await latest()).id } })
    expect(undone.status).toBe(200)
    expect(undone.json).toMatchObject({ id, price: 100, title: 'Sea', version: 5 })
    const redone = await owner.call('undoActivity', { params: { id: (await latest()).id } })
    expect(redone.json).toMatchObject({ id, price: 200, title: 'Rain' })
  })

  it('brings a deleted work back', async () => {
    const { id } = await added()
    await owner.call('deleteArtwork', { params: { id } })
    const undone = await owner.call('undoActivity', { params: { id: (await latest()).id } })
    expect(undone.json.id).toBe(id)
    expect((await site.visitor().call('getArtwork', { params: { id } })).status).toBe(200)
  })

  it('restores a text of the site', async () => {
    await owner.call('changeSiteContent', { body: { heroTitle: 'Before' } })
    await owner.call('changeSiteContent', { body: { heroTitle: 'After' } })
    const undone = await owner.call('undoActivity', { params: { id: (await latest()).id } })
    expect(undone.json.heroTitle).toBe('Before')
  })

  it('is refused, with the work as it is now, once the value has changed', async () => {
    const { id } = await added()
    await owner.call('changeArtwork', { params: { id }, body: { price: 200 } })
    const entry = await latest()
    await owner.call('changeArtwork', { params: { id }, body: { price: 300 } })
    const answer = await owner.call('undoActivity', { params: { id: entry.id } })
    expect(answer.status).toBe(409)
    expect(answer.json.current).toMatchObject({ id, price: 300 })
  })

  it('is refused for what can never be undone', async () => {
    await added()
    const entry = await latest()
    expect(entry).not.toHaveProperty('undo')
    expect((await owner.call('undoActivity', { params: { id: entry.id } })).status).toBe(409)
  })

  it('knows no unknown entry', async () => {
    expect((await owner.call('undoActivity', { params: { id: 'nothing' } })).status).toBe(404)
  })
})
