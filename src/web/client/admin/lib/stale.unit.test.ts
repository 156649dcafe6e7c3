import { QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import {
  changeArtwork,
  changeCategory,
  deleteMessage,
  getBlogSync,
  listArtworks,
  listBlogPosts,
} from '#web/contract/addresses.ts'
import { calls } from '#web/contract/calls.ts'
import { ownerModels, publicModels } from '#web/contract/changes.ts'
import { fetchAnew } from '../../lib/fetch-anew.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import { type ChangingCall, changedBy, keyOf, staleBy, staleBySave } from './stale.ts'

describe('what is stale', () => {
  it('is known of every call by which the owner changes something', () => {
    const known: ReadonlySet<string> = new Set([...publicModels, ...ownerModels, 'sessions'])
    const hers = Object.values(calls).filter(
      // What is uploaded stands in no list yet, and whoever logs out sees none.
      ({ access, method, name }) => access === 'owner' && method !== 'GET' && name !== 'uploadImage',
    )
    // Those that `useSave` takes are all of them, by its types.
    const changed = hers.map(({ method, path }) => changedBy(`${method} ${path}` as ChangingCall))
    expect(changed.flat().filter((model) => !known.has(model))).toEqual([])
    expect(hers.length).toBeGreaterThan(20)
  })

  it.each([
    [changeArtwork, ['artworks']],
    [deleteMessage, ['contact-messages']],
    [changeCategory, ['categories', 'artworks']],
  ] as const)('after %s are lists of %s', (call, changed) => {
    expect(changedBy(call)).toEqual(changed)
  })

  it('is each list once, and after a save of hers the activity', () => {
    const keys = staleBySave(['categories', 'blog-posts']).map((key) => key.join('/'))
    expect(keys.toSorted()).toEqual(['/api/activity', '/api/blog-posts', '/api/categories', '/api/samples'])
  })

  it('is also what tells of works by the way: who uses a name, and what a message asks about', () => {
    const keys = staleBy(['artworks']).map((key) => key.join('/'))
    expect(keys).toEqual(
      expect.arrayContaining(['/api/artworks', '/api/categories', '/api/mediums', '/api/contact-messages']),
    )
  })

  it('is fetched once, also where one list stands below another, and what nobody sees not at all', async () => {
    const client = createQueryClient()
    const read = new Map<string, number>()
    const show = (queryKey: readonly unknown[], isSeen: boolean): void => {
      const queryFn = async () => {
        read.set(queryKey.join('/'), (read.get(queryKey.join('/')) ?? 0) + 1)
        return []
      }
      client.setQueryData(queryKey, [])
      const stop = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined)
      if (!isSeen) stop()
    }
    const deleted = keyOf(listArtworks, { query: { deleted: 'true' } })
    for (const key of [keyOf(listBlogPosts, {}), keyOf(getBlogSync, {}), deleted]) show(key, true)
    show(keyOf(listArtworks, {}), false)
    await fetchAnew(client, staleBy(['blog-posts', 'sync', 'artworks']))
    expect(Object.fromEntries(read)).toEqual({
      '/api/blog-posts': 1,
      '/api/blog-posts/sync': 1,
      '/api/artworks/?deleted=true': 1,
    })
    expect(client.getQueryState(keyOf(listArtworks, {}))?.isInvalidated).toBe(true)
  })
})
