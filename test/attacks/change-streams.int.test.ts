import { Agent, get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Site, signIn } from '../support/site.ts'
import { describeAttacks } from './under-attack.ts'

await describeAttacks('change streams', (start) => {
  let site: Site
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  beforeAll(async () => {
    site = await start({ TRUST_PROXY: '1' })
  })
  afterAll(async () => {
    agent.destroy()
    await site?.stop()
  })

  /** Opens a stream from an address. @returns the answer, which stays open where it is a stream */
  const listen = (address: string, cookie = ''): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { 'x-forwarded-for': address, cookie }
      get(`${site.url}/api/changes`, { agent, headers }, resolve).once('error', reject)
    })

  it('of strangers take neither her place nor each other’s', async () => {
    const addresses = Array.from({ length: 50 }, (_, n) => `198.51.100.${n}`)
    const statuses: number[] = []
    for (const address of addresses) {
      // Another spelling of an address is the same address.
      for (let n = 0; n < 22; n += 1) {
        const answer = await listen(n % 2 === 0 ? address : `::ffff:${address}`)
        answer.resume().once('error', () => undefined)
        statuses.push(answer.statusCode ?? 0)
      }
    }
    expect(statuses.slice(0, 22)).toEqual([...Array<number>(20).fill(200), 204, 204])
    expect(statuses.filter((status) => status === 200)).toHaveLength(950)

    const cookie = await signIn(site)
    const hers = await listen('198.51.100.0', cookie)
    expect(hers.statusCode).toBe(200)
    let heard = ''
    hers.on('data', (bytes: Buffer) => {
      heard += bytes.toString()
    })
    hers.once('error', () => undefined)
    const added = await fetch(`${site.url}/api/categories`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ name: 'Heard' }),
    })
    expect(added.status).toBe(201)
    await expect.poll(() => heard).toContain('categories')
  })
})
