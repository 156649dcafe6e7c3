import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '#application/ports/clock.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { openWebSite, password, type WebSite } from '../../../../test/support/web-site.ts'

const day = 24 * 60 * 60_000
let ahead = 0
const clock: Clock = {
  now: () => new Date(systemClock.now().getTime() + ahead),
  newId: systemClock.newId,
}
let site: WebSite
beforeAll(async () => {
  site = await openWebSite({ clock, settings: { TRUST_PROXY: '1' } })
})
afterAll(async () => site.close())
afterEach(() => {
  ahead = 0
})

/** Each test comes from an address of its own, for failures are counted by it. */
let addresses = 0
const newAddress = (): Record<string, string> => ({ 'x-forwarded-for': `203.0.113.${(addresses += 1)}` })

describe('signing in', () => {
  it('answers the user, and never the password', async () => {
    const answer = await site.visitor().call('login', { body: { username: ' ADMIN ', password } })
    expect(answer.status).toBe(200)
    expect(answer.json.user).toMatchObject({ username: 'admin', email: null })
    expect(answer.text).not.toMatch(/argon2|hash/i)
  })

  it('gives a cookie that scripts cannot read and other sites do not send', async () => {
    const answer = await site.visitor().call('login', { body: { username: 'admin', password } })
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^atelier=[\w-]{43};/)
    expect(cookie).toMatch(/; httponly/i)
    expect(cookie).toMatch(/; samesite=lax/i)
    expect(cookie).toMatch(/; path=\//i)
    expect(cookie).not.toMatch(/; secure/i)
  })

  it('gives a new id each time, and forgets the one before', async () => {
    const client = await site.owner()
    const before = client.cookies()
    await client.signIn()
    expect(client.cookies()).not.toBe(before)
    const old = await site.visitor().send('GET', '/api/auth/user', { headers: { cookie: before } })
    expect(old.status).toBe(401)
  })

  it.each([
    ['a wrong password', { username: 'admin', password: 'wrong' }],
    ['an unknown name', { username: 'nobody', password }],
  ])('answers %s with one word', async (_, body) => {
    const answer = await site.visitor().call('login', { body, headers: newAddress() })
    expect(answer.status).toBe(401)
    expect(answer.json).toEqual({ message: 'Unauthorized' })
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it('names what is missing', async () => {
    const answer = await site.visitor().call('login', { body: { username: '' } })
    expect(answer.status).toBe(422)
    expect(answer.json.fields).toEqual({
      username: 'Username is required',
      password: 'Password is required',
    })
  })

  it('makes an address wait after ten failures, and no other', async () => {
    const headers = newAddress()
    const body = { username: 'somebody', password: 'wrong' }
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        site.visitor().call('login', { body: { ...body, username: `somebody-${n}` }, headers }),
      ),
    )
    expect(answers.some(({ status }) => status === 429)).toBe(true)
    const next = await site.visitor().call('login', { body: { username: 'admin', password }, headers })
    expect(next.status).toBe(429)
    expect(Number(next.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = { body: { username: 'admin', password }, headers: newAddress() }
    expect((await site.visitor().call('login', other)).status).toBe(200)
  })
})

describe('a session', () => {
  it('says who is signed in, to its own browser only', async () => {
    const owner = await site.owner()
    expect((await owner.call('getUser')).json.username).toBe('admin')
    expect((await site.visitor().call('getUser')).status).toBe(401)
  })

  it('is not made up from a value that the site did not sign', async () => {
    const owner = await site.owner()
    const [session = ''] = owner.cookies().split('; ')
    const answer = await site.visitor().send('GET', '/api/auth/user', { headers: { cookie: session } })
    expect(answer.status).toBe(401)
  })

  it('ends at once with logging out, on the server too', async () => {
    const owner = await site.owner()
    const cookie = owner.cookies()
    expect((await owner.call('logout')).status).toBe(204)
    expect(owner.cookies()).toBe('')
    expect((await site.visitor().send('GET', '/api/auth/user', { headers: { cookie } })).status).toBe(401)
  })

  it('that is over is taken out of the browser with the question who is signed in', async () => {
    const owner = await site.owner()
    const cookie = owner.cookies()
    const [name = ''] = cookie.split('=')
    await owner.call('logout')
    const answer = await site.visitor().call('getUser', { headers: { cookie } })
    expect(answer.status).toBe(401)
    expect(answer.headers.getSetCookie().join()).toMatch(new RegExp(`${name}=; .*expires=Thu, 01 Jan 1970`))
  })

  it('lets logging out be repeated by anybody', async () => {
    const answer = await site.visitor().call('logout')
    expect(answer.status).toBe(204)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it('slides by use and ends after seven days without', async () => {
    const owner = await site.owner()
    ahead = 4 * day
    const used = await owner.call('getUser')
    expect(used.status).toBe(200)
    ahead = 10.9 * day
    expect((await owner.call('getUser')).status).toBe(200)
    ahead = 18 * day
    expect((await owner.call('getUser')).status).toBe(401)
  })

  it('ends after thirty days, however much it was used', async () => {
    const owner = await site.owner()
    for (let days = 3; days < 30; days += 3) {
      ahead = days * day
      expect((await owner.call('getUser')).status).toBe(200)
    }
    ahead = 30.1 * day
    expect((await owner.call('getUser')).status).toBe(401)
  })
})

describe('a site that is served by TLS', () => {
  it('binds the cookie to its host and to TLS, behind a proxy that ends it', async () => {
    const secured = await openWebSite({ settings: { PUBLIC_URL: 'https://art.example', TRUST_PROXY: '1' } })
    try {
      const headers = { origin: 'https://art.example' }
      const owner = secured.visitor()
      const answer = await owner.call('login', { body: { username: 'admin', password }, headers })
      expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-atelier=[\w-]{43}; path=\/;.*; secure;/)
      expect(answer.headers.get('strict-transport-security')).toContain('max-age=')
      expect((await owner.call('getUser')).status).toBe(200)
      expect((await owner.send('GET', '/')).headers.get('cache-control')).toBe('private, no-store')
    } finally {
      await secured.close()
    }
  })
})

describe('the list of sessions', () => {
  it('shows device and address, marks the own one and ends others', async () => {
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const phone = site.visitor()
    await phone.call('login', {
      body: { username: 'admin', password },
      headers: { 'user-agent': firefox, 'x-forwarded-for': '198.51.100.7' },
    })
    const owner = await site.owner()
    const list = (await owner.call('listSessions')).json
    expect(list.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)
    const other = list.find(({ address }: { address: string }) => address === '198.51.100.7')
    expect(other).toMatchObject({ device: 'Firefox on Linux', current: false })
    expect(owner.cookies()).not.toContain(other.id)
    expect((await owner.call('endSession', { params: { id: other.id } })).status).toBe(204)
    expect((await phone.call('getUser')).status).toBe(401)
    expect((await owner.call('endSession', { params: { id: other.id } })).status).toBe(404)
  })
})

describe('the password', () => {
  const next = 'another few words of mine'

  it('is changed with the current one, and other sessions end', async () => {
    const [owner, other] = [await site.owner(), await site.owner()]
    const answer = await owner.call('changePassword', {
      body: { currentPassword: password, newPassword: next },
    })
    expect(answer.status).toBe(204)
    expect((await owner.call('getUser')).status).toBe(200)
    expect((await other.call('getUser')).status).toBe(401)
    const old = { body: { username: 'admin', password }, headers: newAddress() }
    expect((await site.visitor().call('login', old)).status).toBe(401)
    await owner.call('changePassword', { body: { currentPassword: next, newPassword: password } })
  })

  it.each([
    ['currentPassword', { currentPassword: 'wrong', newPassword: next }],
    ['newPassword', { currentPassword: password, newPassword: 'short' }],
    ['newPassword', { currentPassword: password, newPassword: 'password123' }],
  ])('refuses at %s', async (field, body) => {
    const owner = await site.owner()
    const answer = await owner.call('changePassword', { body })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.json.fields)).toEqual([field])
    expect(answer.text).not.toContain('Unauthorized')
  })

  it('cannot be guessed from an open session for ever', async () => {
    const owner = await site.owner()
    const body = { currentPassword: 'wrong', newPassword: next }
    const statuses: number[] = []
    for (let n = 0; n < 11; n += 1) statuses.push((await owner.call('changePassword', { body })).status)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('the redirect after signing in', () => {
  it.each([
    ['', '/admin'],
    ['returnTo=%2F%3Fcategory%3DSea', '/?category=Sea'],
    ['returnTo=https%3A%2F%2Fevil.example%2F', '/admin'],
    ['returnTo=%2F%2Fevil.example', '/admin'],
    ['returnTo=a&returnTo=b', '/admin'],
  ])('leads from ?%s to %s', async (query, location) => {
    const answer = await site.visitor().call('loginRedirect', { query })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(location)
  })
})
