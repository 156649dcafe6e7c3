import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '#application/kernel/ports/clock.ts'
import { systemClock } from '#infrastructure/clock.ts'
import {
  type Answer,
  type Client,
  openWebSite,
  password,
  type WebSite,
} from '../../../../test/support/web-site.ts'

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

const cookieOf = ({ headers }: Answer, name: string): string =>
  headers.getSetCookie().find((line) => line.startsWith(`${name}=`)) ?? ''
const failTimes = async (client: Client, times: number, headers: Record<string, string>) => {
  const statuses: number[] = []
  for (let n = 0; n < times; n += 1) {
    const body = { username: `somebody-${n}`, password: 'wrong' }
    statuses.push((await client.call('login', { body, headers })).status)
  }
  return statuses
}

describe('signing in', () => {
  it('answers the user, and never the password', async () => {
    const answer = await site.visitor().call('login', { body: { username: ' ADMIN ', password } })
    expect(answer.status).toBe(200)
    expect(answer.json.user).toMatchObject({ username: 'admin', email: null })
    expect(answer.text).not.toMatch(/argon2|hash/i)
  })

  it('gives a cookie that scripts cannot read and other sites do not send', async () => {
    const answer = await site.visitor().call('login', { body: { username: 'admin', password } })
    const cookie = cookieOf(answer, 'atelier')
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
    expect((await failTimes(site.visitor(), 11, headers)).at(-1)).toBe(429)
    const next = await site.visitor().call('login', { body: { username: 'admin', password }, headers })
    expect(next.status).toBe(429)
    expect(Number(next.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = { body: { username: 'admin', password }, headers: newAddress() }
    expect((await site.visitor().call('login', other)).status).toBe(200)
  })
})

describe('a browser in which she signed in before', () => {
  const body = { username: 'admin', password }

  it('is known by a signed cookie for a year, which scripts cannot read', async () => {
    const answer = await site.visitor().call('login', { body })
    const cookie = cookieOf(answer, 'atelier-device')
    expect(cookie).toMatch(/; httponly/i)
    expect(cookie).toMatch(/; samesite=lax/i)
    expect(cookie).toMatch(/; path=\//i)
    const [, until = ''] = /; expires=([^;]+)/i.exec(cookie) ?? []
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(364 * day)
    expect(cookieOf(answer, 'atelier-device.sig')).not.toBe('')
  })

  it('gets in while its address may not, after logging out too; and is forgotten after a year', async () => {
    const owner = await site.owner()
    await owner.call('logout')
    const headers = newAddress()
    expect((await failTimes(site.visitor(), 11, headers)).at(-1)).toBe(429)
    expect((await owner.call('login', { body, headers })).status).toBe(200)
    await owner.call('logout')
    const cookie = owner.cookies()
    expect((await site.visitor().call('login', { body, headers: { ...headers, cookie } })).status).toBe(200)
    ahead = 366 * day
    expect((await site.visitor().call('login', { body, headers: { ...headers, cookie } })).status).toBe(429)
  })

  it.each([
    ['one that was made up', (value: string) => value.replace('atelier-device=', 'atelier-device=x')],
    ['one without its signature', (value: string) => value.replace(/atelier-device\.sig=[^;]+/, '')],
    ['one of a clock that runs ahead', (value: string) => value],
  ])('is not known by %s', async (name, change) => {
    if (name.includes('ahead')) ahead = day
    const owner = await site.owner()
    ahead = 0
    const headers = newAddress()
    await failTimes(site.visitor(), 10, headers)
    const cookie = change(
      owner
        .cookies()
        .split('; ')
        .filter((each) => each.includes('device'))
        .join('; '),
    )
    expect((await site.visitor().call('login', { body, headers: { ...headers, cookie } })).status).toBe(429)
  })
})

describe('a session', () => {
  it('from the future is none', async () => {
    ahead = 2 * day
    const owner = await site.owner()
    expect((await owner.call('getUser')).status).toBe(200)
    const cookie = owner.cookies()
    ahead = 0
    expect((await site.visitor().call('getUser', { headers: { cookie } })).status).toBe(401)
    const listed = (await (await site.owner()).call('listSessions')).json
    const now = Date.now() + 60_000
    expect(listed.filter(({ createdAt }: { createdAt: string }) => Date.parse(createdAt) > now)).toEqual([])
  })

  it('says who is signed in, to its own browser only', async () => {
    const owner = await site.owner()
    expect((await owner.call('getUser')).json.username).toBe('admin')
    expect((await site.visitor().call('getUser')).status).toBe(401)
  })

  it('is not made up from a value that the site did not sign', async () => {
    const owner = await site.owner()
    const session =
      owner
        .cookies()
        .split('; ')
        .find((each) => each.startsWith('atelier=')) ?? ''
    const answer = await site.visitor().send('GET', '/api/auth/user', { headers: { cookie: session } })
    expect(answer.status).toBe(401)
  })

  it('ends at once with logging out, on the server too', async () => {
    const owner = await site.owner()
    const cookie = owner.cookies()
    expect((await owner.call('logout')).status).toBe(204)
    expect(owner.cookies()).not.toMatch(/(^|; )atelier(\.sig)?=/)
    expect((await site.visitor().send('GET', '/api/auth/user', { headers: { cookie } })).status).toBe(401)
  })

  it('that is over is taken out of the browser with the question who is signed in', async () => {
    const owner = await site.owner()
    const cookie = owner.cookies()
    await owner.call('logout')
    const answer = await site.visitor().call('getUser', { headers: { cookie } })
    expect(answer.status).toBe(401)
    expect(answer.headers.getSetCookie().join()).toMatch(/(^|,)atelier=; .*expires=Thu, 01 Jan 1970/)
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

  it('is renewed by no answer that others may keep, and by the next that they may not', async () => {
    const owner = await site.owner()
    ahead = 4 * day
    const open = await owner.send('GET', '/api/openapi.json')
    expect(open.headers.get('cache-control')).toBe('public, no-cache')
    expect(open.headers.getSetCookie()).toEqual([])
    expect(cookieOf(await owner.call('getUser'), 'atelier')).toMatch(/^atelier=/)
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

  it('lasts as long after a login over a session that was about to end', async () => {
    const owner = await site.owner()
    for (let days = 5; days < 30; days += 5) {
      ahead = days * day
      expect((await owner.call('getUser')).status).toBe(200)
    }
    ahead = 29.9 * day
    expect((await owner.call('login', { body: { username: 'admin', password } })).status).toBe(200)
    ahead = 35.9 * day
    expect((await owner.call('getUser')).status).toBe(200)
  })
})

describe('a site that is served by TLS', () => {
  it('binds the cookie to its host and to TLS, behind a proxy that ends it', async () => {
    const secured = await openWebSite({ settings: { PUBLIC_URL: 'https://art.example', TRUST_PROXY: '1' } })
    try {
      const headers = { origin: 'https://art.example' }
      const owner = secured.visitor()
      const answer = await owner.call('login', { body: { username: 'admin', password }, headers })
      expect(cookieOf(answer, '__Host-atelier')).toMatch(/^__Host-atelier=[\w-]{43}; path=\/;.*; secure;/)
      expect(cookieOf(answer, '__Host-atelier-device')).toMatch(/; path=\/;.*; secure; httponly/)
      expect(cookieOf(answer, '__Host-atelier-device.sig')).toMatch(/; path=\/;.*; secure; httponly/)
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

describe('all other sessions', () => {
  it('end at one call, and the one that asks goes on', async () => {
    const owner = await site.owner()
    const others = await Promise.all([site.owner(), site.owner()])
    expect((await owner.call('endOtherSessions')).status).toBe(204)
    for (const other of others) expect((await other.call('getUser')).status).toBe(401)
    expect((await owner.call('listSessions')).json).toEqual([expect.objectContaining({ current: true })])
    expect((await site.visitor().call('endOtherSessions')).status).toBe(401)
  })
})

describe('a request whose body is still on its way when its session ends', () => {
  const json = 'application/json'
  const form = 'multipart/form-data; boundary=b'
  const part =
    '--b\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nno image\r\n--b--\r\n'
  it.each([
    ['a text', 'PUT', '/api/site-content', json, '{"heroTitle":"Not hers"}'],
    ['nothing, sent in pieces', 'DELETE', '/api/samples', json, ''],
    ['a file', 'POST', '/api/upload/image', form, part],
  ])('is refused, and does nothing: %s', async (_, method, path, type, body) => {
    const [owner, other] = [await site.owner(), await site.owner()]
    const sent = request(`${site.url}${path}`, {
      method,
      headers: {
        cookie: other.cookies(),
        'content-type': type,
        'transfer-encoding': 'chunked',
        expect: '100-continue',
      },
    })
    const answered = once(sent, 'response')
    sent.flushHeaders()
    // From then on its session has been looked at before anything else is.
    await once(sent, 'continue')
    await owner.call('endOtherSessions')
    sent.end(body)
    // An event of this name gives the answer.
    const [answer] = (await answered) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(401)
    expect((await owner.call('getSiteContent')).json.heroTitle).not.toBe('Not hers')
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

describe('a list that is asked for as the owner', () => {
  const lists = ['artworks', 'categories', 'mediums', 'site-content', 'blog-posts']
  const headers = { 'x-session': 'required' }

  it.each(lists)('%s is refused to visitors and to a session that has ended', async (list) => {
    const [visitor, browser] = [site.visitor(), await site.owner()]
    expect((await browser.send('GET', `/api/${list}`, { headers })).status).toBe(200)
    const cookie = browser.cookies()
    await browser.call('logout')
    const answers = await Promise.all([
      visitor.send('GET', `/api/${list}`, { headers }),
      visitor.send('GET', `/api/${list}`, { headers: { ...headers, cookie } }),
      visitor.send('GET', `/api/${list}`),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200])
  })
})
