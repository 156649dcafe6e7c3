import { openAsBlob } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn, type Site } from '../support/site.ts'
import { upload, uploadOnce } from '../support/upload.ts'
import { describeAttacks, tooLongMs, whileAsking } from './under-attack.ts'

const samples = join(import.meta.dirname, '../../samples')

await describeAttacks('payment codes', (start) => {
  let site: Site
  let cookie: string
  let code: string
  beforeAll(async () => {
    site = await start()
    cookie = await signIn(site)
    const { imageUrl } = await upload(site, cookie, await openAsBlob(join(samples, 'yamuna.jpg')))
    const send = (method: string, path: string, body: object) =>
      fetch(site.url + path, {
        method,
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await send('PUT', '/api/site-content', { upiId: 'leela@okbank', upiPayeeName: 'Leela Rao' })
    const added = await send('POST', '/api/artworks', { title: 'Lotus Tank', price: 140_000, imageUrl })
    const { id } = (await added.json()) as { readonly id: string }
    for (code = ''; code === ''; ) {
      const shown = (await (await fetch(`${site.url}/api/artworks/${id}`)).json()) as { qrCodeUrl?: string }
      code = shown.qrCodeUrl ?? ''
    }
  })
  afterAll(() => site?.stop())

  it('asked for by many let the owner upload a picture meanwhile', async () => {
    const agent = new Agent({ maxSockets: 200 })
    const ask = (): Promise<number> =>
      new Promise((resolve, reject) => {
        get(site.url + code, { agent }, (response) => {
          response.resume()
          response.once('end', () => resolve(response.statusCode ?? 0))
        }).once('error', reject)
      })
    const image = await openAsBlob(join(samples, 'haldi.jpg'))
    const { result, waiting } = await whileAsking(site, async () => {
      // Each also asks MongoDB for the text of its code: a thousand of them measured the machine, not the drawing.
      const flood = Array.from({ length: 300 }, ask)
      // The row is there before the picture is.
      await Promise.race(flood)
      let status: number
      // Where a slow MongoDB is asked by too many she is told to come again, as they are.
      do ({ status } = await uploadOnce(site, cookie, image))
      while (status === 503)
      expect(status).toBe(201)
      return new Set(await Promise.all(flood))
    })
    agent.destroy()
    // Of the many some may be told to come again where the servers are slow.
    expect(result).toContain(200)
    expect(waiting.longestMs).toBeLessThan(tooLongMs)
  })
})
