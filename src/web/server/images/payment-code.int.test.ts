import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scannedCode } from '../../../../test/support/scanned-code.ts'
import { type Client, openWebSite, uploadImage, type WebSite } from '../../../../test/support/web-site.ts'

let site: WebSite
let owner: Client
let id: string
let imageUrl: string
beforeAll(async () => {
  site = await openWebSite()
  owner = await site.owner()
  const settings = { upiId: 'leela@okbank', upiPayeeName: 'Leela Rao', upiKind: 'personal' }
  await owner.call('changeSiteContent', { body: settings })
  imageUrl = await uploadImage(owner)
  id = (await owner.call('addArtwork', { body: { title: 'Lotus Tank', price: 140_000, imageUrl } })).json.id
})
afterAll(async () => site.close())

/** The artwork as a visitor gets it at this very moment. */
const shown = async () => (await site.visitor().call('getArtwork', { params: { id } })).json
/** What a phone's camera reads from the code at an address; null where there is none. */
const scanned = async (address: string | null): Promise<string | null> => {
  const answer = await fetch(site.url + (address ?? '/qr/none.png'))
  const bytes = Buffer.from(await answer.arrayBuffer())
  return answer.status === 200 ? ((await scannedCode(bytes)) ?? '') : null
}
const change = (body: object) => owner.call('changeArtwork', { params: { id }, body })
const link = 'upi://pay?pa=leela@okbank&pn=Leela%20Rao'

describe('the payment code of a work, scanned', () => {
  it('is the exact link', async () => {
    expect(await scanned((await shown()).qrCodeUrl)).toBe(`${link}&am=140000.00&cu=INR&tn=Lotus%20Tank`)
  })

  it.each([
    ['its price', () => change({ price: 90_000 }), `${link}&am=90000.00&cu=INR&tn=Lotus%20Tank`],
    [
      'its title',
      () => change({ title: 'कमल ताल' }),
      `${link}&am=90000.00&cu=INR&tn=${encodeURIComponent('कमल ताल')}`,
    ],
    [
      'the address to pay to',
      () => owner.call('changeSiteContent', { body: { upiId: 'leela.studio@okbank', upiKind: 'merchant' } }),
      /^upi:\/\/pay\?pa=leela\.studio@okbank&pn=Leela%20Rao&am=90000\.00&cu=INR&tn=[^&]+&tr=[0-9a-f]{32}$/,
    ],
  ])('changes in the same moment as %s, and the old address shows nothing', async (_, act, expected) => {
    const before = (await shown()).qrCodeUrl
    expect((await act()).status).toBe(200)
    // Right behind the answer: not one request sees the old price.
    const now = await shown()
    expect(now.qrCodeUrl).not.toBe(before)
    const text = await scanned(now.qrCodeUrl)
    if (typeof expected === 'string') expect(text).toBe(expected)
    else expect(text).toMatch(expected)
    expect(now.upi.uri).toBe(text)
    expect(await scanned(before)).toBeNull()
  })

  it.each([
    ['sold', { saleStatus: 'sold' }, { saleStatus: 'for_sale' }],
    ['reserved', { saleStatus: 'reserved' }, { saleStatus: 'for_sale' }],
    ['of no price', { price: 0 }, { price: 90_000 }],
  ])('is gone while the work is %s, and back with it', async (_, gone, back) => {
    const before = (await shown()).qrCodeUrl
    await change(gone)
    expect(await shown()).toMatchObject({ qrCodeUrl: null, upi: null })
    expect(await scanned(before)).toBeNull()
    await change(back)
    expect((await shown()).qrCodeUrl).toBe(before)
    expect(await scanned(before)).not.toBeNull()
  })

  it('is gone while the work is hidden, and back with it', async () => {
    const before = (await shown()).qrCodeUrl
    await change({ isVisible: false })
    expect(await scanned(before)).toBeNull()
    await change({ isVisible: true })
    expect(await scanned(before)).not.toBeNull()
  })

  it('gives way to one given by hand, which is kept while the work is sold', async () => {
    const made = (await shown()).qrCodeUrl
    await change({ qrCodeUrl: imageUrl })
    expect(await shown()).toMatchObject({ qrCodeUrl: imageUrl })
    expect(await scanned(made)).toBeNull()
    await change({ saleStatus: 'sold' })
    expect((await shown()).qrCodeUrl).toBeNull()
    await change({ saleStatus: 'for_sale' })
    expect((await shown()).qrCodeUrl).toBe(imageUrl)
    await change({ qrCodeUrl: null })
    expect((await shown()).qrCodeUrl).toBe(made)
  })
})
