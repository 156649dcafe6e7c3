import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Client,
  openWebSite,
  shownActivity,
  uploadImage,
  type WebSite,
} from '../../../../test/support/web-site.ts'

let site: WebSite
let owner: Client
let imageUrl: string
beforeAll(async () => {
  site = await openWebSite()
  owner = await site.owner()
  imageUrl = await uploadImage(owner)
})
afterAll(async () => site.close())

const added = async (title = 'Sea') =>
  (await owner.call('addArtwork', { body: { title, imageUrl, price: 100 } })).json
const latest = async (query = '') => (await shownActivity(owner, query)).json.items[0]

describe('what happened', () => {
  it('is told in words, newest first, page by page', async () => {
    const { id } = await added('Told')
    await owner.call('changeArtwork', { params: { id }, body: { price: 200 } })
    const page = (await shownActivity(owner, 'limit=1')).json
    expect(page.items).toHaveLength(1)
    expect(page.items[0]).toMatchObject({ actor: 'You', module: 'artworks', subjectId: id })
    expect(page.items[0].sentence).toMatch(/₹|200/)
    const next = (await owner.call('listActivity', { query: `limit=1&before=${page.next}` })).json
    expect(next.items[0].sentence).toContain('Told')
  })

  it('can be asked of one work', async () => {
    const [one] = [await added('One'), await added('Other')]
    const { items } = (await shownActivity(owner, `artworkId=${one.id}`)).json
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

/** The id in `x-activity`, by which an act is taken back. */
const actOf = ({ headers }: { readonly headers: Headers }): string => headers.get('x-activity') ?? ''
const undo = (id: string) => owner.call('undoActivity', { params: { id } })

describe('an answer names the act by which it can be taken back', () => {
  const set = [
    ['addCategory', 'changeCategory', 'deleteCategory', 'listCategories'],
    ['addMedium', 'changeMedium', 'deleteMedium', 'listMediums'],
  ] as const
  it.each(set)('%s, %s and %s', async (add, change, remove, list) => {
    const name = (title: string) => `${title} ${add}`
    const addition = await owner.call(add, { body: { name: name('Hills') } })
    expect(addition.headers.has('x-activity')).toBe(false)
    const { id } = addition.json
    const changed = await owner.call(change, {
      params: { id },
      body: { name: name('Peaks'), isActive: false },
    })
    const back = await undo(actOf(changed))
    expect([back.status, back.json]).toMatchObject([200, { id, name: name('Hills'), isActive: true }])
    const removed = await owner.call(remove, { params: { id } })
    expect(removed.status).toBe(204)
    const restored = await undo(actOf(removed))
    expect(restored.json).toMatchObject({ id, name: name('Hills') })
    expect((await owner.call(list)).json).toContainEqual(expect.objectContaining({ id }))
    // Undoing that takes it away again; there is nothing to show then.
    const gone = await undo(actOf(restored))
    expect([gone.status, gone.json]).toEqual([200, { skipped: [] }])
  })

  it('a category whose name was taken meanwhile is refused with the reason', async () => {
    const { id } = (await owner.call('addCategory', { body: { name: 'Rivers' } })).json
    const removed = await owner.call('deleteCategory', { params: { id } })
    await owner.call('addCategory', { body: { name: 'rivers' } })
    const answer = await undo(actOf(removed))
    expect(answer.status).toBe(409)
    expect(answer.json.message).toBe('There is already a category called “rivers”')
  })

  it.each([
    [{ saleStatus: 'sold' }, { saleStatus: 'for_sale' }],
    [{ price: 900 }, { price: 100 }],
    [{ isAvailable: false }, { isAvailable: true }],
    [{ isVisible: false }, { isVisible: true }],
  ])('a work that is changed: %o', async (body, before) => {
    const { id } = await added('Act')
    const changed = await owner.call('changeArtwork', { params: { id }, body })
    expect((await undo(actOf(changed))).json).toMatchObject({ id, ...before })
  })

  it('a work that is moved, deleted, and restored by undo', async () => {
    const [one, other] = [await added('One'), await added('Other')]
    const order = async () => (await owner.call('listArtworks')).json.map(({ id }: { id: string }) => id)
    const before = await order()
    const moved = await owner.call('moveArtwork', { params: { id: other.id }, body: { before: null } })
    expect((await order()).at(-1)).toBe(other.id)
    expect((await undo(actOf(moved))).status).toBe(200)
    expect(await order()).toEqual(before)
    const deleted = await owner.call('deleteArtwork', { params: { id: one.id } })
    const restored = await undo(actOf(deleted))
    expect(restored.json).toMatchObject({ id: one.id })
    const again = await undo(actOf(restored))
    expect([again.status, again.json]).toEqual([200, { skipped: [] }])
  })

  it('a site text', async () => {
    await owner.call('changeSiteContent', { body: { heroTitle: 'Before' } })
    const changed = await owner.call('changeSiteContent', { body: { heroTitle: 'After' } })
    expect((await undo(actOf(changed))).json).toMatchObject({ heroTitle: 'Before' })
  })

  it('also when the call is repeated after a lost answer, but not where nothing was written', async () => {
    const { id } = await added('Repeated')
    const call = () =>
      owner.call('changeArtwork', {
        params: { id },
        body: { price: 900 },
        headers: { 'idempotency-key': 'x-activity-1' },
      })
    const first = actOf(await call())
    expect(first).not.toBe('')
    expect(actOf(await call())).toBe(first)
    const unchanged = await owner.call('changeArtwork', { params: { id }, body: { price: 900 } })
    expect(unchanged.headers.has('x-activity')).toBe(false)
  })
})

describe('a value that was changed and set again is no longer that of the first act', () => {
  const change = (id: string, body: object) => owner.call('changeArtwork', { params: { id }, body })
  const remove = (id: string) => owner.call('deleteArtwork', { params: { id } })
  const restore = (id: string) => owner.call('restoreArtwork', { params: { id } })
  const batch = async (rows: readonly object[]): Promise<string> =>
    actOf(await owner.call('batchArtworks', { body: { rows } }))
  const two = async (): Promise<readonly [string, string]> => [
    (await added('Again')).id,
    (await added('Once')).id,
  ]
  const read = async (id: string) => (await owner.call('getArtwork', { params: { id } })).json
  const isListed = async (id: string): Promise<boolean> =>
    (await owner.call('listArtworks')).json.some((artwork: { id: string }) => artwork.id === id)
  const stays = (id: string) => ({
    skipped: [
      {
        subjectId: id,
        sentence: '“Again” stays as it is: this was changed again since, so it can no longer be undone',
      },
    ],
  })

  it('of many that were deleted, one that was restored and deleted again stays deleted', async () => {
    const [again, once] = await two()
    const act = await batch([again, once].map((id) => ({ id, delete: true })))
    await restore(again)
    await remove(again)
    expect((await undo(act)).json).toEqual(stays(again))
    expect([await isListed(again), await isListed(once)]).toEqual([false, true])
  })

  it.each([
    [{ isVisible: false }, { isVisible: true }],
    [{ saleStatus: 'sold' }, { saleStatus: 'for_sale' }],
    [{ price: 900 }, { price: 100 }],
  ])('of many that became %o, one that became so again stays', async (now, before) => {
    const [again, once] = await two()
    const act = await batch([again, once].map((id) => ({ id, fields: now })))
    await change(again, before)
    await change(again, now)
    expect((await undo(act)).json).toEqual(stays(again))
    expect(await read(again)).toMatchObject(now)
    expect(await read(once)).toMatchObject(before)
  })

  it('an undo that is asked for again leaves alone what it has been at', async () => {
    const [again, once] = await two()
    const act = await batch([again, once].map((id) => ({ id, delete: true })))
    expect((await undo(act)).json).toEqual({ skipped: [] })
    await remove(again)
    expect((await undo(act)).json).toEqual({ skipped: [] })
    expect([await isListed(again), await isListed(once)]).toEqual([false, true])
  })

  it('an undo that was undone is done no more: what it had been at is named', async () => {
    const [again, once] = await two()
    const act = await batch([again, once].map((id) => ({ id, fields: { price: 900 } })))
    const undone = actOf(await undo(act))
    const redone = actOf(await undo(undone))
    expect((await undo(act)).json.skipped).toHaveLength(2)
    for (const id of [again, once]) expect(await read(id)).toMatchObject({ price: 900 })
    await undo(redone)
    expect((await undo(act)).json).toEqual({ skipped: [] })
    for (const id of [again, once]) expect(await read(id)).toMatchObject({ price: 100 })
  })

  it('of one thing it is refused', async () => {
    const { id } = await added('Again')
    const act = actOf(await change(id, { isVisible: false }))
    await change(id, { isVisible: true })
    await change(id, { isVisible: false })
    expect((await undo(act)).status).toBe(409)
    expect(await read(id)).toMatchObject({ isVisible: false })
  })

  it('a change between that was undone is none', async () => {
    const [again, once] = await two()
    const act = await batch([again, once].map((id) => ({ id, fields: { price: 900 } })))
    await undo(actOf(await change(again, { price: 950 })))
    expect((await undo(act)).json).toEqual({ skipped: [] })
    for (const id of [again, once]) expect(await read(id)).toMatchObject({ price: 100 })
  })

  it('of a category that is hidden again it is refused as well', async () => {
    const { id } = (await owner.call('addCategory', { body: { name: 'Twice hidden' } })).json
    const first = actOf(await owner.call('changeCategory', { params: { id }, body: { isActive: false } }))
    await owner.call('changeCategory', { params: { id }, body: { isActive: true } })
    await owner.call('changeCategory', { params: { id }, body: { isActive: false } })
    expect((await undo(first)).status).toBe(409)
  })
})
