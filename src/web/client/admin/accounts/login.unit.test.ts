import { afterEach, describe, expect, it, vi } from 'vitest'
import { attemptLogin, missingFields } from './login-dialog.tsx'

afterEach(() => vi.unstubAllGlobals())

const answering = (status: number, body: object): void => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }))
}
const credentials = { username: 'leela', password: 'x' }

it('asks for what is missing', () => {
  expect(missingFields({ username: ' ', password: '' })).toEqual({
    username: 'Username is required',
    password: 'Password is required',
  })
  expect(missingFields(credentials)).toEqual({})
})

describe('the true reason of a failed login', () => {
  it('is the credentials where those are wrong', async () => {
    answering(401, { message: 'Unauthorized' })
    expect(await attemptLogin(credentials)).toEqual({ ok: false, reason: 'Invalid username or password.' })
  })

  it("is the server's sentence after too many attempts", async () => {
    answering(429, { message: 'Please wait ten minutes' })
    expect(await attemptLogin(credentials)).toEqual({ ok: false, reason: 'Please wait ten minutes' })
  })

  it("is not the credentials where a proxy's own answer came", async () => {
    for (const status of [403, 413, 502]) {
      vi.stubGlobal('fetch', async () => new Response('<html>', { status }))
      const { reason } = { reason: '', ...(await attemptLogin(credentials)) }
      expect(reason).toContain(`(${status}). Please try again in a moment`)
    }
  })

  it('is the connection when no answer came', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await attemptLogin(credentials)).toMatchObject({ reason: expect.stringContaining('connection') })
  })
})
