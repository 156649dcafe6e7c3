import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient, queryAddress } from './queries.ts'

const fetched = vi.fn<typeof fetch>()
beforeEach(() => vi.stubGlobal('fetch', fetched))
afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
})

describe('data fetching', () => {
  it('joins the key to the address', () => {
    expect(queryAddress(['/api', 'artworks', 'id'])).toBe('/api/artworks/id')
    expect(queryAddress(['/api/artworks'])).toBe('/api/artworks')
  })

  it('fetches a key once: what is there is never stale', async () => {
    fetched.mockImplementation(async () => Response.json([1]))
    const client = createQueryClient()
    await client.fetchQuery({ queryKey: ['/api/artworks'] })
    expect(await client.fetchQuery({ queryKey: ['/api/artworks'] })).toEqual([1])
    expect(fetched).toHaveBeenCalledTimes(1)
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/artworks')
  })

  it('tries a failed call once, and raises on 401', async () => {
    fetched.mockImplementation(async () => Response.json({ message: 'Unauthorized' }, { status: 401 }))
    const client = createQueryClient()
    await expect(client.fetchQuery({ queryKey: ['/api/contact-messages'] })).rejects.toThrow('401: ')
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  it('neither polls nor refetches by itself', () => {
    expect(createQueryClient().getDefaultOptions().queries).toMatchObject({
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchInterval: false,
    })
  })
})
