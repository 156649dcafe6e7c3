import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addArtwork, listJobs, moveArtwork } from '#web/contract/addresses.ts'
import type { ChangeListener } from '../../lib/changes.ts'
import { PAGE } from '../../lib/page-queries.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import { browserStore } from '../testing/browser-store.ts'
import { keyOf, staleBySave } from './stale.ts'
import { carryOut, enter, fetchChanged, leave, postpone, sendCommand, untilSent } from './under-way.ts'

let last = 0
/** a list of its own for each test */
const list = () => ['/api', `list-${(last += 1)}`]

it('is fetched after a change, and only after the last of several', () => {
  const key = list()
  enter(key)
  enter(key)
  expect(leave(key, true)).toBe(false)
  expect(leave(key, true)).toBe(true)
})

it('is fetched after a failed change when an earlier one was made', () => {
  const key = list()
  enter(key)
  enter(key)
  leave(key, true)
  expect(leave(key, false)).toBe(true)
})

it('is fetched after a failed change when news came meanwhile, and not otherwise', () => {
  const key = list()
  enter(key)
  expect(postpone(key)).toBe(true)
  expect(leave(key, false)).toBe(true)
  enter(key)
  expect(leave(key, false)).toBe(false)
})

it('is fetched at once when nothing is on its way', () => {
  expect(postpone(list())).toBe(false)
})

it('marks the list of the page below that has changed, and asks for it only later', () => {
  const client = createQueryClient()
  const queryFn = vi.fn<() => Promise<readonly never[]>>(async () => [])
  for (const model of ['categories', 'artworks']) {
    client.setQueryData([PAGE, model], [])
    new QueryObserver(client, { queryKey: [PAGE, model], queryFn }).subscribe(() => undefined)
  }
  fetchChanged(client, ['categories'])
  const isMarked = (model: string) => client.getQueryState([PAGE, model])?.isInvalidated
  expect([isMarked('categories'), isMarked('artworks')]).toEqual([true, false])
  expect(queryFn).not.toHaveBeenCalled()
})

it('has a list of the page that is on its way when it changes fetched once nobody lies above it, and not its older answer taken', async () => {
  const client = createQueryClient()
  const queryKey = [PAGE, 'artworks']
  const older = Promise.withResolvers<string>()
  const queryFn = vi.fn<() => Promise<string>>(() => older.promise)
  client.setQueryData(queryKey, 'before')
  new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined)
  void client.refetchQueries({ queryKey })
  fetchChanged(client, ['artworks'])
  older.resolve('older')
  await older.promise
  await Promise.resolve()
  expect(client.getQueryState(queryKey)).toMatchObject({ data: 'before', isInvalidated: true })
  queryFn.mockResolvedValue('newest')
  // As the dashboard does when it closes.
  await client.refetchQueries({ queryKey, type: 'active' })
  expect(client.getQueryData(queryKey)).toBe('newest')
})

describe('a change that is carried out', () => {
  const changed = ['jobs'] as const
  let tell: ChangeListener | undefined
  beforeEach(() => {
    vi.stubGlobal('window', {
      atelierChanges: {
        onChanges: (listener: ChangeListener) => {
          tell = listener
          return () => undefined
        },
        onOpened: () => () => undefined,
      },
    })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  /** A list on the screen, and how often it was asked for. */
  const shown = () => {
    const client = createQueryClient()
    const queryFn = vi.fn<() => Promise<readonly never[]>>(async () => [])
    const queryKey = keyOf(listJobs, {})
    client.setQueryData(queryKey, [])
    new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined)
    for (const key of staleBySave(changed)) enter(key)
    return { client, queryFn }
  }

  it.each(['before', 'after'])('asks once, with the word of the stream %s its answer', async (when) => {
    const { client, queryFn } = shown()
    const hear = (): void => {
      fetchChanged(client, changed)
      tell?.(changed, '7')
    }
    const send = async (): Promise<string> => {
      if (when === 'before') hear()
      else setTimeout(hear)
      return 'made'
    }
    expect(await carryOut(client, changed, send, false)).toBe('made')
    expect(queryFn).toHaveBeenCalledTimes(1)
  })

  it('is shown a moment after its answer where the stream says nothing', async () => {
    vi.useFakeTimers()
    const { client, queryFn } = shown()
    const made = carryOut(client, changed, async () => 'made', false)
    await vi.advanceTimersByTimeAsync(100)
    expect(await made).toBe('made')
    expect(queryFn).toHaveBeenCalledTimes(1)
  })

  it('and failed asks for nothing, unless it was shown', async () => {
    for (const [isOwed, times] of [
      [false, 0],
      [true, 1],
    ] as const) {
      const { client, queryFn } = shown()
      const failing = carryOut(client, changed, () => Promise.reject(new Error('refused')), isOwed)
      await expect(failing).rejects.toThrow('refused')
      expect(queryFn).toHaveBeenCalledTimes(times)
    }
  })

  it('that adds something is known until the lists are there, for a page that dies before', async () => {
    const store = browserStore()
    vi.stubGlobal('localStorage', store)
    vi.stubGlobal('fetch', async () => new Response('{"id":"7"}', { status: 201 }))
    const { client, queryFn } = shown()
    let come = (): void => undefined
    queryFn.mockReturnValue(new Promise((resolve) => (come = () => resolve([]))))
    const sent = { body: { title: 'Kajal', imageUrl: 'https://art.example/kajal.jpg' } }
    const made = sendCommand(client, addArtwork, sent, changed, { isOwed: false })
    await expect.poll(() => queryFn).toHaveBeenCalled()
    expect(Object.keys(store)).toEqual([expect.stringContaining('POST /api/artworks')])
    come()
    await made
    expect(Object.keys(store)).toEqual([])
  })

  it('that adds something, and was made before its lists showed it, is known where it is turned away when asked for again', async () => {
    vi.stubGlobal('localStorage', browserStore())
    vi.stubGlobal('window', {
      atelierChanges: {
        onChanges: (listener: ChangeListener) => {
          listener(changed, '7')
          return () => undefined
        },
        onOpened: () => () => undefined,
      },
    })
    const answers = [
      Response.json({ id: '7', position: '7' }, { status: 202 }),
      Response.json({ message: 'Unauthorized' }, { status: 401 }),
    ]
    const keys: unknown[] = []
    vi.stubGlobal('fetch', async (_path: string, { headers }: RequestInit) => {
      keys.push(new Headers(headers).get('idempotency-key'))
      return answers[keys.length - 1] ?? Response.json({ id: '7' }, { status: 201 })
    })
    const { client } = shown()
    const sent = { body: { title: 'Haldi', imageUrl: 'https://art.example/haldi.jpg' } }
    const add = () => sendCommand(client, addArtwork, sent, changed, { isOwed: false })
    await expect(add()).rejects.toThrow('401')
    expect((await add()).status).toBe(201)
    expect(keys).toEqual([keys[0], keys[0], keys[0]])
  })

  it('and is a move is sent again under its key where its answer is lost, and once', async () => {
    vi.stubGlobal('localStorage', browserStore())
    const answers = [() => Promise.reject(new TypeError('Failed to fetch')), async () => Response.json({})]
    const keys: unknown[] = []
    vi.stubGlobal('fetch', (_path: string, { headers }: RequestInit) => {
      keys.push(new Headers(headers).get('idempotency-key'))
      return answers[keys.length - 1]?.() ?? Promise.reject(new TypeError('Failed to fetch'))
    })
    const { client } = shown()
    const sent = { params: { id: '7' }, body: { before: null } }
    const move = (isRepeated: boolean) =>
      sendCommand(client, moveArtwork, sent, changed, { isOwed: true, isRepeated })
    expect((await move(true)).status).toBe(200)
    expect(keys).toEqual([keys[0], keys[0]])
    await expect(move(true)).rejects.toThrow('Failed to fetch')
    expect(keys).toHaveLength(4)
    await expect(move(false)).rejects.toThrow('Failed to fetch')
    expect(keys).toHaveLength(5)
  })
})

it('a log-out waits ten seconds for what is on its way, also where a hidden tab is given its turns late', async () => {
  vi.useFakeTimers()
  const key = list()
  enter(key)
  try {
    const sent = untilSent().then(() => performance.now())
    const asked = performance.now()
    const soon = globalThis.setTimeout
    vi.stubGlobal('setTimeout', (turn: () => void) => soon(turn, 60_000))
    await vi.runAllTimersAsync()
    expect((await sent) - asked).toBeLessThan(2 * 60_000)
  } finally {
    leave(key, false)
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
})
