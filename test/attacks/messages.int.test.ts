import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Site, signIn } from '../support/site.ts'
import { describeAttacks } from './under-attack.ts'

await describeAttacks('letters', (start) => {
  let site: Site
  beforeAll(async () => {
    site = await start({ TRUST_PROXY: '1' })
  })
  afterAll(() => site?.stop())

  const write = (n: number, more: object = {}): Promise<Response> =>
    fetch(`${site.url}/api/contact`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `198.51.${n >> 8}.${n & 255}`,
        'idempotency-key': `letter ${n}`,
      },
      body: JSON.stringify({
        name: 'Asha',
        email: 'asha@example.org',
        subject: 'general',
        message: 'Hello',
        ...more,
      }),
    })

  it('of a flood are taken up to a number', async () => {
    const answers: Response[] = []
    // Many at once, so that the last that is taken is one of many.
    for (let sent = 0; sent < 260; sent += 65) {
      const trapped = Array.from({ length: 65 }, (_, n) => write(n, { website: 'http://spam.example' }))
      expect((await Promise.all(trapped)).every(({ status }) => status === 201)).toBe(true)
      answers.push(...(await Promise.all(Array.from({ length: 65 }, (_, n) => write(1_000 + sent + n)))))
    }
    const taken = answers.filter(({ status }) => status === 201 || status === 202)
    expect(taken).toHaveLength(200)
    const refused = answers.filter((answer) => !taken.includes(answer))
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]))
    expect(await refused[0]?.json()).toEqual({
      message: 'Too many letters just now. Please try again in an hour.',
    })
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(60)

    const headers = { cookie: await signIn(site) }
    const list = async () =>
      (await (await fetch(`${site.url}/api/contact-messages`, { headers })).json()).length
    await expect.poll(list).toBe(200)
  })
})
