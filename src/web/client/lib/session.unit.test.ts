import type { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '#web/contract/accounts.ts'
import { createQueryClient } from './query-client.ts'
import { askSession, logOut, sessionQuery, setUser } from './session.ts'

const user: User = {
  id: '00000000-0000-4000-8000-000000000001',
  username: 'admin',
  email: null,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  createdAt: '2025-01-01T00:00:00.000Z',
  updatedAt: '2025-01-01T00:00:00.000Z',
}

const fetched = vi.fn<typeof fetch>()
beforeEach(() => vi.stubGlobal('fetch', fetched))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  fetched.mockReset()
})

/** What is known in that cache. */
const known = (client: QueryClient) => client.getQueryData(sessionQuery.queryKey)

describe('who is signed in', () => {
  it('is asked once on a page where somebody may be, and not where nobody is', async () => {
    fetched.mockResolvedValueOnce(Response.json(user))
    const client = createQueryClient()
    expect(known(client)).toBeUndefined()
    await Promise.all([client.prefetchQuery(sessionQuery), client.prefetchQuery(sessionQuery)])
    expect(known(client)).toEqual(user)
    expect(fetched.mock.calls.map(([address]) => address)).toEqual(['/api/auth/user'])
    const visitors = createQueryClient()
    setUser(visitors, null)
    await visitors.prefetchQuery(sessionQuery)
    expect(known(visitors)).toBeNull()
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  it('is nobody after a refusal, silently', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    fetched.mockResolvedValueOnce(Response.json({ message: 'Unauthorized' }, { status: 401 }))
    expect(await askSession(createQueryClient())).toBeNull()
    expect(warn).not.toHaveBeenCalled()
  })

  it('is nobody without a connection', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    const client = createQueryClient()
    await askSession(client)
    expect(known(client)).toBeNull()
  })

  it.each([
    ['there is no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the server starts', () => Promise.resolve(Response.json({}, { status: 503 }))],
  ])('is who it was where %s', async (_case, answer) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const client = createQueryClient()
    setUser(client, user)
    fetched.mockImplementationOnce(answer)
    expect(await askSession(client)).toEqual(user)
    expect(known(client)).toEqual(user)
  })

  it('is asked once more when somebody wants to know anew', async () => {
    const client = createQueryClient()
    setUser(client, user)
    fetched.mockResolvedValueOnce(Response.json({ message: 'Unauthorized' }, { status: 401 }))
    await askSession(client)
    expect(known(client)).toBeNull()
  })

  it('is whom a login answered, whatever is answered late to an earlier question', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    fetched.mockReturnValueOnce(promise)
    const client = createQueryClient()
    const asked = client.prefetchQuery(sessionQuery)
    await expect.poll(() => fetched).toHaveBeenCalled()
    setUser(client, user)
    resolve(Response.json({ message: 'Unauthorized' }, { status: 401 }))
    await asked
    expect(known(client)).toEqual(user)
  })

  it('is nobody here also when the log-out call fails, which the console alone hears (§8)', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    const client = createQueryClient()
    setUser(client, user)
    await logOut(client)
    expect(known(client)).toBeNull()
    expect(error).toHaveBeenCalledWith('Logout error', expect.anything())
  })
})
