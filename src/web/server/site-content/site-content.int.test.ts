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
beforeAll(async () => {
  site = await openWebSite({ settings: { BLOG_URL: 'https://default.example/' } })
  owner = await site.owner()
})
afterAll(async () => site.close())

describe('the texts of the site', () => {
  it('are all there before anything was saved', async () => {
    const answer = await site.visitor().call('getSiteContent')
    expect(answer.json).toMatchObject({
      artistName: '',
      heroTitle: '',
      version: 0,
      updatedAt: null,
      blogUrl: 'https://default.example/',
    })
  })

  it('change only where something was sent, for everybody at once', async () => {
    const before = (await owner.call('getSiteContent')).json
    const answer = await owner.call('changeSiteContent', {
      body: { artistName: 'Mira Rao', heroTitle: 'Sea' },
    })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ artistName: 'Mira Rao', version: before.version + 1 })
    await owner.call('changeSiteContent', { body: { heroTitle: 'Rain' } })
    const seen = (await site.visitor().call('getSiteContent')).json
    expect(seen).toMatchObject({ artistName: 'Mira Rao', heroTitle: 'Rain' })
  })

  it('say whether the achievements are shown: yes at first, and again after an undo', async () => {
    const shown = async () => (await site.visitor().call('getSiteContent')).json.showAchievements
    expect(await shown()).toBe(true)
    const saved = await owner.call('changeSiteContent', { body: { showAchievements: false } })
    expect(saved.json.showAchievements).toBe(false)
    expect(await shown()).toBe(false)
    const [newest] = (await shownActivity(owner)).json.items
    expect(newest?.sentence).toBe('The achievements were taken off the page')
    await owner.call('undoActivity', { params: { id: newest?.id ?? '' } })
    expect(await shown()).toBe(true)
    const wrong = await owner.call('changeSiteContent', { body: { showAchievements: 'no' } })
    expect(wrong.json.fields).toEqual({ showAchievements: 'Show achievements must be true or false' })
  })

  it('have no blog once its default is emptied, and the default again after an undo', async () => {
    const blog = async () => (await site.visitor().call('getSiteContent')).json.blogUrl
    expect((await owner.call('changeSiteContent', { body: { blogUrl: '' } })).json.blogUrl).toBe('')
    expect(await blog()).toBe('')
    const [newest] = (await shownActivity(owner)).json.items
    await owner.call('undoActivity', { params: { id: newest?.id ?? '' } })
    expect(await blog()).toBe('https://default.example/')
  })

  it('take the record as GET answered it', async () => {
    const before = (await owner.call('getSiteContent')).json
    const answer = await owner.call('changeSiteContent', { body: before })
    expect(answer.status).toBe(200)
    expect(answer.json.version).toBe(before.version)
  })

  it('refuse unknown keys and malformed values', async () => {
    const body = { colour: 'red', upiId: 'nonsense', upiKind: 'bank', contactEmail: 'x' }
    const answer = await owner.call('changeSiteContent', { body })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.json.fields).toSorted()).toEqual(['colour', 'contactEmail', 'upiId', 'upiKind'])
  })

  it('refuse a stale version with the texts as they are now', async () => {
    const { version } = (await owner.call('getSiteContent')).json
    await owner.call('changeSiteContent', { body: { artistQuote: 'newer' } })
    const answer = await owner.call('changeSiteContent', {
      body: { artistQuote: 'older' },
      headers: { 'if-match': `"${version}"` },
    })
    expect(answer.status).toBe(409)
    expect(answer.json.current.artistQuote).toBe('newer')
  })

  it('keep only harmless HTML', async () => {
    const artistDescription =
      '<p onclick="x()">Rain<script>x()</script> <a href="javascript:x()">a</a><a href="https://b.in">b</a></p>'
    const saved = await owner.call('changeSiteContent', { body: { artistDescription } })
    expect(saved.json.artistDescription).not.toMatch(/script|onclick/)
    expect(saved.json.artistDescription).toContain('https://b.in')
  })

  it('are changed by the owner only', async () => {
    expect((await site.visitor().call('changeSiteContent', { body: { heroTitle: 'x' } })).status).toBe(401)
  })

  it('hold an address of a picture that was uploaded', async () => {
    const profileImageUrl = await uploadImage(owner)
    const answer = await owner.call('changeSiteContent', { body: { profileImageUrl } })
    expect(answer.json.profileImageUrl).toBe(profileImageUrl)
  })
})

describe('paying by UPI', () => {
  it('gives every work with a price a code of its own, and takes the old one away', async () => {
    const imageUrl = await uploadImage(owner)
    const { id } = (await owner.call('addArtwork', { body: { title: 'Sea', imageUrl, price: 500 } })).json
    await owner.call('changeSiteContent', { body: { upiId: 'mira@okbank', upiPayeeName: 'Mira' } })
    const first = (await site.visitor().call('getArtwork', { params: { id } })).json
    expect(first.upi).toMatchObject({ id: 'mira@okbank', amount: 500 })
    const code = await fetch(site.url + first.qrCodeUrl)
    expect(code.status).toBe(200)
    expect(code.headers.get('content-type')).toBe('image/png')
    expect(code.headers.get('cache-control')).toContain('immutable')
    await code.arrayBuffer()
    await owner.call('changeArtwork', { params: { id }, body: { price: 600 } })
    const gone = await fetch(site.url + first.qrCodeUrl)
    expect(gone.status).toBe(404)
    await gone.text()
  })
})
