import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '#web/contract/accounts.ts'
import { createSessionStore } from './session.ts'

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

describe('createSessionStore', () => {
  it('is signed out without the mark, and asks nobody', () => {
    expect(createSessionStore(false).get()).toEqual({ status: 'out' })
    expect(fetched).not.toHaveBeenCalled()
  })

  it('is loading with the mark, then holds the user', async () => {
    fetched.mockResolvedValueOnce(Response.json(user))
    const store = createSessionStore(true)
    expect(store.get()).toEqual({ status: 'loading' })
    expect(await store.refresh()).toEqual({ status: 'in', user })
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/auth/user')
  })

  it('takes a refusal for signed out, silently', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    fetched.mockResolvedValueOnce(Response.json({ message: 'Unauthorized' }, { status: 401 }))
    expect(await createSessionStore(true).refresh()).toEqual({ status: 'out' })
    expect(warn).not.toHaveBeenCalled()
  })

  it('takes a lost connection for signed out', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    expect(await createSessionStore(true).refresh()).toEqual({ status: 'out' })
  })

  it('signs out here also when the log-out call fails, which the console alone hears (§8)', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    const store = createSessionStore(false)
    store.set(user)
    await store.logOut()
    expect(store.get()).toEqual({ status: 'out' })
    expect(error).toHaveBeenCalledWith('Logout error', expect.anything())
  })

  it('tells its listeners', () => {
    const store = createSessionStore(false)
    const seen: string[] = []
    const stop = store.subscribe(() => seen.push(store.get().status))
    store.set(user)
    stop()
    store.set(null)
    expect(seen).toEqual(['in'])
  })
})
