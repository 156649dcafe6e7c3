import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/api.ts'
import { refresh } from './refresh.ts'

const KEY = ['/api', 'categories']
let client: QueryClient
let server: () => readonly string[]
let asked = 0

beforeEach(() => {
  vi.useFakeTimers()
  asked = 0
  server = () => ['Landscape']
  client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: Infinity,
        queryFn: async () => {
          asked += 1
          return server()
        },
      },
    },
  })
})
afterEach(() => {
  client.clear()
  vi.useRealTimers()
})

const looking = async (): Promise<() => void> => {
  const stop = new QueryObserver(client, { queryKey: KEY }).subscribe(() => {})
  await vi.waitFor(() => expect(asked).toBe(1))
  return stop
}

it('asks for a list again until it comes when a server is away after a change', async () => {
  await looking()
  server = () => {
    throw new ApiError(503, '', 'MongoDB does not answer')
  }
  await refresh(client, KEY)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(client.getQueryData(KEY)).toEqual(['Landscape'])
  server = () => ['Landscape', 'Portrait']
  await vi.advanceTimersByTimeAsync(2_000)
  expect(client.getQueryData(KEY)).toEqual(['Landscape', 'Portrait'])
  const before = asked
  await vi.advanceTimersByTimeAsync(120_000)
  expect(asked).toBe(before)
})

it('does not ask again for what the server has refused', async () => {
  await looking()
  server = () => {
    throw new ApiError(401, '', 'Unauthorized')
  }
  await refresh(client, KEY)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(asked).toBe(2)
})

it('does not ask for what nobody looks at any more', async () => {
  const stop = await looking()
  server = () => {
    throw new TypeError('cut off')
  }
  await refresh(client, KEY)
  stop()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(asked).toBe(2)
})
