import { afterAll, beforeAll, expect, it } from 'vitest'
import { atelier } from '../support/atelier.ts'
import { password, signIn, type Site } from '../support/site.ts'
import { describeAttacks, tooLongMs, whileAsking } from './under-attack.ts'

const minutes = { timeout: 600_000 }
const json = { 'content-type': 'application/json' }

interface Guess {
  readonly username?: string
  readonly password: string
  /** the network it comes from */
  readonly from?: number
  readonly cookie?: string
}

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

/** The cookies that outlive a session. */
const deviceIn = (cookies: string): string =>
  cookies
    .split('; ')
    .filter((each) => each.includes('device'))
    .join('; ')

/** An address of its own network for each number. */
const network = (n: number): string => `203.${n >> 8}.${n & 255}.7`

const logIn = async (site: Site, guess: Guess) => {
  const { username = 'admin', from = 0, cookie } = guess
  const answer = await fetch(`${site.url}/api/login`, {
    method: 'POST',
    headers: { ...json, 'x-forwarded-for': network(from), ...(cookie === undefined ? {} : { cookie }) },
    body: JSON.stringify({ username, password: guess.password }),
  })
  await answer.body?.cancel()
  return { status: answer.status, cookie: cookiesOf(answer) }
}

const isSignedIn = async (site: Site, cookie: string): Promise<boolean> => {
  const answer = await fetch(`${site.url}/api/auth/user`, { headers: { cookie } })
  await answer.body?.cancel()
  return answer.status === 200
}

const changePassword = async (site: Site, cookie: string, currentPassword: string, newPassword: string) => {
  const answer = await fetch(`${site.url}/api/account/password`, {
    method: 'PUT',
    headers: { ...json, cookie },
    body: JSON.stringify({ currentPassword, newPassword }),
  })
  await answer.body?.cancel()
  return answer.status
}

await describeAttacks('signing in', (start) => {
  let site: Site
  let env: Readonly<Record<string, string>>
  let owner: string
  let current = password
  beforeAll(async () => {
    site = await start({ TRUST_PROXY: '1', LOG_LEVEL: 'error' })
    env = site.env
    owner = await signIn(site)
  })
  afterAll(() => site?.stop())

  /** Logs in all the while from browsers that know her and from others, until told to stop; the sessions it got. */
  const loggingIn = (withPassword: string) => {
    // Her session stays out of it: signing in again in one browser ends the session there was.
    const device = deviceIn(owner)
    let stopped = false
    const got: string[] = []
    const one = async (n: number): Promise<void> => {
      while (!stopped) {
        const cookie = n % 2 === 0 ? device : undefined
        const answer = await logIn(site, {
          password: withPassword,
          from: 1_000 + n,
          ...(cookie ? { cookie } : {}),
        })
        if (answer.status === 200) got.push(answer.cookie)
        // The password is another one by now: more of these would only count against her browser.
        if (answer.status === 401) return
      }
    }
    const all = Promise.all([0, 1, 2, 3].map(one))
    return {
      got,
      stop: async () => {
        stopped = true
        await all
      },
    }
  }

  it('by the old password while it is changed outlives no change', minutes, async () => {
    for (let round = 0; round < 4; round += 1) {
      const next = `the password of round ${round}`
      const logins = loggingIn(current)
      await expect.poll(() => logins.got.length).toBeGreaterThan(2)
      expect(await changePassword(site, owner, current, next)).toBe(204)
      await logins.stop()
      current = next
      const alive = await Promise.all(logins.got.map((cookie) => isSignedIn(site, cookie)))
      expect(alive).not.toContain(true)
      expect(await isSignedIn(site, owner)).toBe(true)
    }
  })

  it('by the old password while the operator sets another outlives no change', minutes, async () => {
    const next = 'what the operator has typed'
    const logins = loggingIn(current)
    await expect.poll(() => logins.got.length).toBeGreaterThan(2)
    const { code, errors } = await atelier(site.dataDir, ['admin', 'set-password', 'admin'], `${next}\n`, env)
    expect([code, errors]).toEqual([0, ''])
    await logins.stop()
    current = next
    const alive = await Promise.all([...logins.got, owner].map((cookie) => isSignedIn(site, cookie)))
    expect(alive).not.toContain(true)
    const again = await logIn(site, { password: current, from: 2_000 })
    expect(again.status).toBe(200)
    owner = again.cookie
  })

  it('guesses of the current password are counted before they are looked at', minutes, async () => {
    const guesses = Array.from({ length: 100 }, (_, n) =>
      changePassword(site, owner, `guess ${n}`, 'whatever it is'),
    )
    const statuses = await Promise.all(guesses)
    expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(10)
    expect(statuses.filter((status) => status !== 422 && status !== 429 && status !== 503)).toEqual([])
  })

  it(
    'four hundred logins from four hundred networks keep neither others nor her own browser',
    minutes,
    async () => {
      const { result, waiting } = await whileAsking(site, async () => {
        const flood = Array.from({ length: 400 }, (_, n) =>
          logIn(site, { username: n % 2 === 0 ? 'admin' : `name ${n}`, password: 'a guess', from: n }),
        )
        const hers = []
        for (let times = 0; times < 3; times += 1) {
          const { status } = await logIn(site, { password: current, from: 0, cookie: deviceIn(owner) })
          hers.push(status)
        }
        return { hers, statuses: (await Promise.all(flood)).map(({ status }) => status) }
      })
      expect(result.hers).toEqual([200, 200, 200])
      expect(result.statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([])
      expect(result.statuses).toContain(503)
      expect(waiting.longestMs).toBeLessThan(tooLongMs)
    },
  )
})
