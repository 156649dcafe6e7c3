import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getArtwork, listArtworks, listContactMessages } from '#web/contract/addresses.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import { keyOf } from './stale.ts'
import { reading } from './queries.ts'

const fetched = vi.fn<typeof fetch>()
beforeEach(() => vi.stubGlobal('fetch', fetched))
afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
})

describe('data fetching', () => {
  it('has a key that joins to the address, so that a list is the beginning of its works', () => {
    const list = keyOf(listArtworks, {})
    const artwork = keyOf(getArtwork, { params: { id: 'id' } })
    expect(artwork.join('/')).toBe('/api/artworks/id')
    expect(artwork.slice(0, list.length)).toEqual(list)
  })

  it('fetches a key once: what is there is never stale', async () => {
    fetched.mockImplementation(async () => Response.json([1]))
    const client = createQueryClient()
    await client.fetchQuery(reading(listArtworks, {}))
    expect(await client.fetchQuery(reading(listArtworks, {}))).toEqual([1])
    expect(fetched).toHaveBeenCalledTimes(1)
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/artworks')
  })

  it('tries a failed call once, and raises on 401', async () => {
    fetched.mockImplementation(async () => Response.json({ message: 'Unauthorized' }, { status: 401 }))
    const client = createQueryClient()
    await expect(client.fetchQuery(reading(listContactMessages, {}))).rejects.toThrow('401: ')
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  it('is not asked for again by what is opened later when it failed, but is when it changed meanwhile', async () => {
    fetched.mockImplementation(async () => Response.json([1]))
    const client = createQueryClient()
    const open = (): void => new QueryObserver(client, reading(listArtworks, {})).subscribe(() => undefined)()
    await client.fetchQuery(reading(listArtworks, {}))
    open()
    expect(fetched).toHaveBeenCalledTimes(1)
    await client.invalidateQueries()
    fetched.mockRejectedValueOnce(new Error('away'))
    await client.refetchQueries()
    expect(fetched).toHaveBeenCalledTimes(2)
    open()
    expect(fetched).toHaveBeenCalledTimes(2)
    await client.refetchQueries()
    await client.invalidateQueries()
    open()
    expect(fetched).toHaveBeenCalledTimes(4)
  })

  it('neither polls nor refetches by itself', () => {
    const options = createQueryClient().defaultQueryOptions({ queryKey: ['list'] })
    expect(options).toMatchObject({
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    })
    // The library does not by itself.
    expect(options).not.toHaveProperty('refetchInterval')
  })
})
