import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scannedCode } from '../../../../test/support/scanned-code.ts'
import { type Client, openWebSite, uploadImage, type WebSite } from '../../../../test/support/web-site.ts'

let site: WebSite
let owner: Client
let id: string
beforeAll(async () => {
  site = await openWebSite()
  owner = await site.owner()
  const imageUrl = await uploadImage(owner)
  id = (await owner.call('addArtwork', { body: { title: 'Lotus Tank', price: 140_000, imageUrl } })).json.id
})
afterAll(async () => site.close())

const code = (headers: Record<string, string> = {}) =>
  site.visitor().send('GET', `/qr/work/${id}.svg`, { headers })

const scanned = (svg: string) => scannedCode(Buffer.from(svg))

describe('the code of a work, scanned', () => {
  it('leads to the work, and to its new address when it is called otherwise', async () => {
    const first = await code()
    expect(first.headers.get('content-type')).toContain('image/svg+xml')
    expect(await scanned(first.text)).toBe(`${site.url}/artwork/lotus-tank-${id}`)
    const tag = first.headers.get('etag') ?? ''
    expect((await code({ 'if-none-match': tag })).status).toBe(304)

    await owner.call('changeArtwork', { params: { id }, body: { title: 'Red Tank' } })
    const second = await code({ 'if-none-match': tag })
    expect(second.status).toBe(200)
    expect(await scanned(second.text)).toBe(`${site.url}/artwork/red-tank-${id}`)
  })

  it('is not there for works that nobody may see', async () => {
    await owner.call('changeArtwork', { params: { id }, body: { isVisible: false } })
    expect((await code()).status).toBe(404)
    expect((await owner.send('GET', `/qr/work/${id}.svg`)).status).toBe(404)
    await owner.call('changeArtwork', { params: { id }, body: { isVisible: true } })
    expect((await code()).status).toBe(200)
  })
})
