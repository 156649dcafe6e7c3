import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scannedCode } from '../../../../test/support/scanned-code.ts'
import { type Client, openWebSite, type WebSite } from '../../../../test/support/web-site.ts'

let site: WebSite
let owner: Client
beforeAll(async () => {
  site = await openWebSite()
  owner = await site.owner()
})
afterAll(async () => site.close())

const scanned = (svg: string) => scannedCode(Buffer.from(svg))
const save = (body: object) => owner.call('changeSiteContent', { body })
const code = (client: Client, method = 'GET') => client.send(method, '/qr/test.svg')

describe('the test code of one rupee', () => {
  it('is not for visitors, and says without a UPI id where to save it', async () => {
    const stranger = await code(site.visitor())
    expect([stranger.status, stranger.text]).toEqual([401, 'Unauthorized\n'])
    const none = await code(owner)
    expect(none.status).toBe(404)
    expect(none.text).toMatch(/^There is no UPI ID yet\. Save yours in the dashboard/)
    for (const answer of [stranger, none])
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })

  it.each([
    [
      { upiId: 'leela@okbank', upiPayeeName: 'Leela Rao', upiKind: 'personal' },
      'upi://pay?pa=leela@okbank&pn=Leela%20Rao&am=1.00&cu=INR&tn=Test',
    ],
    [
      { upiId: 'studio@okbank', upiPayeeName: '', upiKind: 'merchant', artistName: 'Leela' },
      'upi://pay?pa=studio@okbank&pn=Leela&am=1.00&cu=INR&tn=Test&tr=test',
    ],
  ])('pays exactly one rupee to the saved id %#, and is kept by nobody', async (settings, text) => {
    await save(settings)
    const answer = await code(owner)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('image/svg+xml')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(await scanned(answer.text)).toBe(text)
    expect((await code(owner, 'HEAD')).status).toBe(200)
    expect((await code(owner, 'POST')).status).toBe(405)
    expect((await code(site.visitor())).status).toBe(401)
  })

  it('is gone with the id, and with the session', async () => {
    await save({ upiId: '' })
    expect((await code(owner)).status).toBe(404)
    await save({ upiId: 'leela@okbank' })
    const other = await site.owner()
    expect((await code(other)).status).toBe(200)
    await other.call('logout')
    expect((await code(other)).status).toBe(401)
  })
})
