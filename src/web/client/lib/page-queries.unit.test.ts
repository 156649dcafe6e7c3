import { afterEach, expect, it, vi } from 'vitest'
import { queryLoader } from './page-queries.ts'
import { queryClient } from './queries.ts'

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

it('asks again when a log-out empties the cache while a page loads', async () => {
  const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
  let asked = 0
  vi.stubGlobal('fetch', () => answers[asked++]?.promise)
  const loaded = queryLoader.load('categories')
  await expect.poll(() => asked).toBe(1)
  queryClient.clear()
  await expect.poll(() => asked).toBe(2)
  answers[1]?.resolve(Response.json([{ name: 'Landscape' }]))
  expect(await loaded).toEqual([{ name: 'Landscape' }])
})
