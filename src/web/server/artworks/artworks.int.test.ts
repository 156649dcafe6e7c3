import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Client,
  imageBytes,
  openWebSite,
  uploadImage,
  type WebSite,
} from '../../../../test/support/web-site.ts'

let site: WebSite
let owner: Client
let imageUrl: string
beforeAll(async () => {
  site = await openWebSite({ settings: { FETCH_ALLOW_PRIVATE: '1' } })
  owner = await site.owner()
  imageUrl = await uploadImage(owner)
})
afterAll(async () => site.close())

const add = async (fields: object = {}) => {
  const answer = await owner.call('addArtwork', { body: { title: 'Monsoon', imageUrl, ...fields } })
  expect(answer.status).toBe(201)
  return answer.json
}
const idsOf = async (client: Client, query = ''): Promise<string[]> =>
  (await client.call('listArtworks', { query })).json.map(({ id }: { id: string }) => id)

describe('adding a work', () => {
  it('answers 201 with the whole entity and the defaults', async () => {
    const artwork = await add()
    expect(artwork).toMatchObject({
      title: 'Monsoon',
      price: 0,
      isVisible: true,
      isAvailable: true,
      isFeatured: false,
      saleStatus: 'for_sale',
      version: 1,
      yearCreated: new Date().getUTCFullYear(),
      imageSource: 'own',
      slug: 'monsoon',
      sample: false,
      qrCodeUrl: null,
      upi: null,
    })
    expect(artwork.image).toMatchObject({ width: 320, height: 240 })
  })

  it('shows it in the very next list, to everybody', async () => {
    const { id } = await add()
    expect(await idsOf(site.visitor())).toContain(id)
    expect(await idsOf(owner)).toContain(id)
  })

  it('is for the owner only', async () => {
    const answer = await site.visitor().call('addArtwork', { body: { title: 'x', imageUrl } })
    expect(answer.status).toBe(401)
    expect(answer.json).toEqual({ message: 'Unauthorized' })
  })

  it('names every wrong field at once', async () => {
    const body = { title: '', imageUrl: '', price: 'NaN', yearCreated: 999, colour: 'red' }
    const answer = await owner.call('addArtwork', { body })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.json.fields).toSorted()).toEqual([
      'colour',
      'imageUrl',
      'price',
      'title',
      'yearCreated',
    ])
    expect(answer.json.fields.imageUrl).toBe('Please upload an image or provide an image URL.')
  })

  it('refuses a picture that is not here', async () => {
    const body = { title: 'x', imageUrl: `/images/${'0'.repeat(64)}/original-view.jpg` }
    const answer = await owner.call('addArtwork', { body })
    expect(answer.status).toBe(422)
    expect(answer.json.fields.imageUrl).toMatch(/upload it again/)
  })

  it('refuses an http address that cannot be copied', async () => {
    const body = { title: 'x', imageUrl: 'http://127.0.0.1:1/picture.jpg' }
    const answer = await owner.call('addArtwork', { body })
    expect(answer.status).toBe(422)
    expect(answer.json.fields).toHaveProperty('imageUrl')
  })
})

describe('who sees which works', () => {
  it('keeps hidden and unpublished works from visitors', async () => {
    const hidden = await add({ isAvailable: false })
    const unpublished = await add({ isVisible: false })
    const seen = await idsOf(site.visitor())
    expect(seen).not.toContain(hidden.id)
    expect(seen).not.toContain(unpublished.id)
    expect(await idsOf(owner)).toEqual(expect.arrayContaining([hidden.id, unpublished.id]))
    expect((await site.visitor().call('getArtwork', { params: { id: hidden.id } })).status).toBe(404)
    expect((await owner.call('getArtwork', { params: { id: hidden.id } })).status).toBe(200)
  })

  it('filters by the exact name of a category', async () => {
    const { id } = await add({ category: 'Sea & sky' })
    expect(await idsOf(site.visitor(), `category=${encodeURIComponent('Sea & sky')}`)).toEqual([id])
    expect(await idsOf(owner, `category=${encodeURIComponent('Sea & sky')}`)).toEqual([id])
    expect(await idsOf(site.visitor(), 'category=unknown')).toEqual([])
    expect(await idsOf(site.visitor(), 'category=all')).toContain(id)
    expect(await idsOf(site.visitor(), 'category=')).toContain(id)
  })

  it('refuses two categories at once', async () => {
    expect((await site.visitor().call('listArtworks', { query: 'category=a&category=b' })).status).toBe(422)
  })

  it.each(['not-an-id', '../../etc/passwd', '0'.repeat(36)])('knows no work called %s', async (id) => {
    expect((await site.visitor().call('getArtwork', { params: { id } })).status).toBe(404)
  })
})

describe('keeping the list', () => {
  /** The list changes once more when the worker has made the image's variants. */
  const untilImageIsMade = () =>
    expect
      .poll(async () =>
        (await site.visitor().call('listArtworks')).json.every(
          ({ image }: { image: { ready: boolean } | null }) => image?.ready !== false,
        ),
      )
      .toBe(true)

  it('answers 304 to who has the newest, and the new one after a change', async () => {
    await untilImageIsMade()
    const first = await site.visitor().call('listArtworks')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    const headers = { 'if-none-match': etag }
    expect((await site.visitor().call('listArtworks', { headers })).status).toBe(304)
    await add()
    expect((await site.visitor().call('listArtworks', { headers })).status).toBe(200)
  })

  it('tells caches that it depends on who asks', async () => {
    const open = await site.visitor().call('listArtworks')
    expect(open.headers.get('vary')).toMatch(/Cookie/)
    expect(open.headers.get('cache-control')).toBe('public, no-cache')
    const own = await owner.call('listArtworks')
    expect(own.headers.get('vary')).toMatch(/Cookie/)
    expect(own.headers.get('cache-control')).toBe('private, no-store')
  })

  it('answers with the same headers to a dead session as to none', async () => {
    await untilImageIsMade()
    const open = await site.visitor().send('GET', '/api/artworks')
    const dead = await site
      .visitor()
      .send('GET', '/api/artworks', { headers: { cookie: 'atelier=nonsense' } })
    const named = ({ headers }: { headers: Headers }) =>
      [...headers].filter(([name]) => !['date', 'x-request-id', 'keep-alive', 'connection'].includes(name))
    expect(named(dead)).toEqual(named(open))
    expect(dead.text).toBe(open.text)
  })

  it.each(['br', 'gzip'])('sends it as %s', async (encoding) => {
    const answer = await site.visitor().call('listArtworks', { headers: { 'accept-encoding': encoding } })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.json.length).toBeGreaterThan(0)
  })
})

describe('changing a work', () => {
  it('changes only what was sent and raises the version', async () => {
    const { id } = await add({ description: 'kept' })
    const answer = await owner.call('changeArtwork', { params: { id }, body: { price: '1500' } })
    expect(answer.json).toMatchObject({ price: 1500, description: 'kept', version: 2 })
    const shown = await site.visitor().call('getArtwork', { params: { id } })
    expect(shown.json.price).toBe(1500)
  })

  it('takes the record as GET answered it', async () => {
    const artwork = await add()
    const answer = await owner.call('changeArtwork', { params: { id: artwork.id }, body: artwork })
    expect(answer.status).toBe(200)
    expect(answer.json.version).toBe(1)
  })

  it.each<[string, { body: object; headers?: Record<string, string> }]>([
    ['expectedVersion', { body: { price: 2, expectedVersion: 1 } }],
    ['If-Match', { body: { price: 2 }, headers: { 'if-match': '"1"' } }],
  ])('refuses a stale %s with the work as it is now', async (_, sent) => {
    const { id } = await add()
    await owner.call('changeArtwork', { params: { id }, body: { price: 7 } })
    const answer = await owner.call('changeArtwork', { params: { id }, ...sent })
    expect(answer.status).toBe(409)
    expect(answer.json.current).toMatchObject({ id, price: 7, version: 2 })
    expect((await owner.call('getArtwork', { params: { id } })).json.price).toBe(7)
  })

  it('lets one of two racers on one version win', async () => {
    const { id } = await add()
    const answers = await Promise.all(
      [10, 20].map((price) =>
        owner.call('changeArtwork', { params: { id }, body: { price, expectedVersion: 1 } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  it('refuses versions that contradict each other', async () => {
    const { id } = await add()
    const sent = { body: { price: 1, expectedVersion: 1 }, headers: { 'if-match': '"2"' } }
    expect((await owner.call('changeArtwork', { params: { id }, ...sent })).status).toBe(422)
  })

  it('knows no unknown work', async () => {
    const params = { id: '00000000-0000-4000-8000-000000000000' }
    expect((await owner.call('changeArtwork', { params, body: { price: 1 } })).status).toBe(404)
  })

  it('shows each of 50 writers its own change at once', async () => {
    const artworks = await Promise.all(Array.from({ length: 50 }, (_, n) => add({ title: `Work ${n}` })))
    await Promise.all(
      artworks.map(async ({ id }, n) => {
        await owner.call('changeArtwork', { params: { id }, body: { price: 1000 + n } })
        const list = (await site.visitor().call('listArtworks')).json
        expect(list.find((artwork: { id: string }) => artwork.id === id)).toMatchObject({ price: 1000 + n })
      }),
    )
  })
})

it('changes a work in the order in which it was asked: what is put back and saved is not changed behind it', async () => {
  const slowHost = createServer().listen(0, '127.0.0.1')
  const asked = once(slowHost, 'request')
  const { id, version } = await add({ isVisible: false })
  const { port } = slowHost.address() as AddressInfo // it listens at a port
  const change = (fields: object) =>
    owner.call('changeArtwork', { params: { id }, body: { ...fields, expectedVersion: version } })
  const first = change({ imageUrl: `http://127.0.0.1:${port}/a.jpg`, isVisible: true })
  const [, image] = (await asked) as [unknown, ServerResponse] // of its 'request'
  const back = change({ imageUrl, isVisible: false })
  await owner.call('getArtwork', { params: { id } })
  image.writeHead(200, { 'content-type': 'image/png' }).end(await imageBytes({ colour: '#112233' }))
  expect((await first).status).toBe(200)
  expect((await back).status).toBe(409)
  slowHost.close()
})

describe('deleting and restoring', () => {
  it('answers 204, then 404, and lists the work among the deleted', async () => {
    const { id } = await add()
    expect((await owner.call('deleteArtwork', { params: { id } })).status).toBe(204)
    expect((await owner.call('deleteArtwork', { params: { id } })).status).toBe(404)
    expect((await owner.call('getArtwork', { params: { id } })).status).toBe(404)
    const deleted = await idsOf(owner, 'deleted=true')
    expect(deleted[0]).toBe(id)
    expect(await idsOf(owner, `deleted=true&before=${id}`)).toEqual(deleted.slice(1))
    const restored = await owner.call('restoreArtwork', { params: { id } })
    expect(restored.status).toBe(200)
    expect(await idsOf(site.visitor())).toContain(id)
    expect((await owner.call('listArtworks', { query: `deleted=true&before=${id}` })).status).toBe(404)
  })

  it('restores only what was deleted', async () => {
    const { id } = await add()
    const answer = await owner.call('restoreArtwork', { params: { id } })
    expect(answer.status).toBe(409)
    expect(answer.json.current.id).toBe(id)
  })

  it('shows the deleted to the owner only', async () => {
    expect((await site.visitor().call('listArtworks', { query: 'deleted=true' })).status).toBe(401)
  })

  it('heeds If-Match', async () => {
    const { id } = await add()
    await owner.call('changeArtwork', { params: { id }, body: { price: 7 } })
    const answer = await owner.call('deleteArtwork', { params: { id }, headers: { 'if-match': '"1"' } })
    expect(answer.status).toBe(409)
    expect(answer.json.current.version).toBe(2)
  })
})

describe('the order of works', () => {
  it('puts the newest first and moves where it is told', async () => {
    const [a, b, c] = [await add(), await add(), await add()]
    expect((await idsOf(owner)).slice(0, 3)).toEqual([c.id, b.id, a.id])
    await owner.call('moveArtwork', { params: { id: a.id }, body: { before: c.id } })
    expect((await idsOf(owner)).slice(0, 3)).toEqual([a.id, c.id, b.id])
    await owner.call('moveArtwork', { params: { id: a.id }, body: { before: null } })
    expect((await idsOf(site.visitor())).at(-1)).toBe(a.id)
  })

  it('says which work is not there', async () => {
    const { id } = await add()
    const before = '00000000-0000-4000-8000-000000000000'
    const answer = await owner.call('moveArtwork', { params: { id }, body: { before } })
    expect(answer.status).toBe(422)
    expect(answer.json.fields).toHaveProperty('before')
  })
})

describe('the inventory', () => {
  it('is a table in which no text is a formula', async () => {
    await add({ title: '=HYPERLINK("http://x")', description: 'two\nlines' })
    const answer = await owner.send('GET', '/api/artworks.csv')
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.text).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(answer.text).toContain('"two\nlines"')
  })

  it('is for the owner only', async () => {
    expect((await site.visitor().call('exportArtworks')).status).toBe(401)
  })
})
