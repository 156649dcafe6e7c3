import { EngineUnheard } from '#application/kernel/ports/event-store.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import { artworksProjection } from '#projections/artworks/artworks-view.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import { createPublicLists } from './public-lists.ts'
import { decode } from './door/encoding.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const settings = { publicUrl: 'http://art.example', blogUrl: '' }
const html = { siteText: (text: string) => text }

let version: () => string | Promise<string>
let finds = 0
let failing = false
/** what every reading waits for */
let holding: PromiseWithResolvers<void> | null = null
let stored = memoryDocuments()
/** A public work, in what the lists ask of it. */
const put = ({
  id = 'one',
  ...artwork
}: {
  readonly id?: string
  readonly title: string
  readonly category: string
}): void => {
  stored
    .all(artworksProjection.view)
    .set(id, { id, kind: 'work', isPublic: true, imageHash: null, altText: 'Rain', ...artwork })
}
const open = (heardAt?: () => number, changedAt?: () => number) => {
  stored = memoryDocuments()
  const documents: Documents = {
    ...stored,
    find: async (view, query) => {
      finds += 1
      await holding?.promise
      return failing ? Promise.reject(new Error('away')) : stored.find(view, query)
    },
  }
  const readModels = { shows: async () => true, version: () => version() }
  return createPublicLists({
    documents,
    html,
    readModels,
    settings,
    clock: { now: () => new Date(0) },
    log: quiet,
    ...(heardAt && { heardAt }),
    ...(changedAt && { changedAt }),
  })
}

beforeEach(() => {
  version = () => '1'
  finds = 0
  failing = false
  holding = null
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the public lists', () => {
  it('are read once for all who ask until something changes', async () => {
    const lists = open()
    await Promise.all([lists.answer('/api/categories', null, {}), lists.answer('/api/categories', null, {})])
    await lists.answer('/api/categories', null, {})
    expect(finds).toBe(1)
    version = () => '2'
    await lists.answer('/api/categories', null, {})
    expect(finds).toBe(2)
  })

  it('that change with every request are read one after the other, the newest for all who wait', async () => {
    const lists = open()
    let now = 0
    version = () => String((now += 1))
    holding = Promise.withResolvers()
    const asked = Array.from({ length: 10 }, async () => lists.answer('/api/artworks', null, {}))
    await expect.poll(() => finds).toBeGreaterThan(0)
    put({ title: 'Monsoon', category: 'Rain' })
    holding.resolve()
    const answers = await Promise.all(asked)
    expect(finds).toBeLessThanOrEqual(4)
    expect(String(answers.at(-1)?.body)).toContain('Monsoon')
  })

  it('are one array of JSON, in every form the same and under the tag of what they say', async () => {
    const titles = ['Monsoon', 'मानसून 🌧', 'a "quoted", [listed] {one}\n\u2028', '']
    const [lists, again] = [open(), open()]
    for (const title of titles) put({ id: title, title, category: 'Rain' })
    const answers = await Promise.all(
      (['identity', 'gzip', 'br'] as const).map(async (encoding) => {
        const { headers, body } = await again.answer('/api/artworks', null, { acceptEncoding: encoding })
        const unchanged = await again.answer('/api/artworks', null, {
          acceptEncoding: encoding,
          ifNoneMatch: headers['etag'],
        })
        expect(unchanged).toMatchObject({ status: 304 })
        return String(await decode(body, encoding))
      }),
    )
    const [text = ''] = answers
    expect(new Set(answers).size).toBe(1)
    expect(JSON.stringify(JSON.parse(text))).toBe(text)
    expect(titles.filter((title) => text.includes(JSON.stringify(title)))).toEqual(titles)
    const [one, other] = await Promise.all(
      [lists, again].map(async (each) => each.answer('/api/artworks', null, {})),
    )
    expect(one?.headers['etag']).toBe(other?.headers['etag'])
  })

  it('are answered without waiting when they are ready', async () => {
    const lists = open()
    await lists.answer('/api/categories', null, {})
    expect(lists.answer('/api/categories', null, {})).not.toBeInstanceOf(Promise)
  })

  it('read nothing for categories that nobody has, which are all one empty list', async () => {
    const lists = open()
    await lists.answer('/api/artworks', null, {})
    const before = finds
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => lists.answer('/api/artworks', `made up ${n}`, {})),
    )
    expect(finds).toBe(before)
    expect(new Set(answers.map(({ body }) => String(body)))).toEqual(new Set(['[]']))
  })

  it('find a category as soon as a work has it, and lose it with the last', async () => {
    const lists = open()
    expect(String((await lists.answer('/api/artworks', 'Rain', {})).body)).toBe('[]')
    version = () => '2'
    put({ title: 'Monsoon', category: 'Rain' })
    expect(String((await lists.answer('/api/artworks', 'Rain', {})).body)).toContain('Monsoon')
    const read = finds
    await lists.answer('/api/artworks', 'Rain', {})
    expect(finds).toBe(read)
    version = () => '3'
    put({ title: 'Monsoon', category: 'Sun' })
    expect(String((await lists.answer('/api/artworks', 'Rain', {})).body)).toBe('[]')
  })

  it('are answered as they were, and say so, while they cannot be read', async () => {
    const lists = open()
    await lists.answer('/api/categories', null, {})
    version = () => '2'
    failing = true
    const answer = await lists.answer('/api/categories', null, {})
    expect(answer.status).toBe(200)
    expect(answer.headers['warning']).toBe('110 - "Response is Stale"')
  })

  it('are not answered as they were where they have changed since anybody asked: what they show may be hidden', async () => {
    vi.useFakeTimers()
    let changed = Number.NEGATIVE_INFINITY
    let heard = Number.NEGATIVE_INFINITY
    const lists = open(
      () => heard,
      () => changed,
    )
    const stale = { warning: '110 - "Response is Stale"' }
    const askLater = async () => {
      vi.advanceTimersByTime(10_000)
      return lists.answer('/api/categories', null, {})
    }
    await lists.answer('/api/categories', null, {})
    failing = true
    version = () => '2'
    heard = performance.now() + 5_000
    expect((await askLater()).headers).toMatchObject(stale)
    changed = performance.now() - 9_900
    await expect(askLater()).rejects.toThrow('away')
    // Read ahead since, it is the newest that was heard of.
    failing = false
    await lists.readNewest()
    failing = true
    version = () => '3'
    heard = performance.now() + 5_000
    expect((await askLater()).headers).toMatchObject(stale)
  })

  it('are answered as they were after a second of silence', async () => {
    vi.useFakeTimers()
    const lists = open()
    await lists.answer('/api/categories', null, {})
    version = () => new Promise<string>(() => {})
    const answer = lists.answer('/api/categories', null, {})
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await answer).headers['warning']).toBe('110 - "Response is Stale"')
  })

  it('are waited for while the engines are slow, and answer others', async () => {
    vi.useFakeTimers()
    const lists = open(() => performance.now())
    await lists.answer('/api/categories', null, {})
    const slow = Promise.withResolvers<string>()
    version = () => slow.promise
    const answer = lists.answer('/api/categories', null, {})
    await vi.advanceTimersByTimeAsync(10_000)
    slow.resolve('2')
    expect((await answer).headers).not.toHaveProperty('warning')
  })

  it('are answered as they were once the engines have answered nobody for three seconds', async () => {
    vi.useFakeTimers()
    const last = performance.now()
    const lists = open(() => last)
    await lists.answer('/api/categories', null, {})
    version = () => new Promise<string>(() => {})
    const answer = Promise.resolve(lists.answer('/api/categories', null, {}))
    const ended = vi.fn<() => void>()
    void answer.then(ended)
    await vi.advanceTimersByTimeAsync(2_900)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(100)
    expect((await answer).headers['warning']).toBe('110 - "Response is Stale"')
  })

  it('fail where an engine has no answer for this one and answers others, and else are answered as they were', async () => {
    let heardAt = () => performance.now()
    const lists = open(() => heardAt())
    await lists.answer('/api/categories', null, {})
    version = () => Promise.reject(new EngineUnheard('mongodb', 'crowded'))
    await expect(lists.answer('/api/categories', null, {})).rejects.toThrow('crowded')
    heardAt = () => Number.NEGATIVE_INFINITY
    expect((await lists.answer('/api/categories', null, {})).headers['warning']).toBe(
      '110 - "Response is Stale"',
    )
  })

  it('are answered as they are however long it takes to compress them', async () => {
    vi.useFakeTimers()
    const lists = open()
    await lists.answer('/api/categories', null, {})
    version = () => '2'
    const compressed = lists.answer('/api/categories', null, { acceptEncoding: 'br' })
    await lists.answer('/api/categories', null, {})
    // the list has been read by now, and is being compressed
    vi.advanceTimersByTime(1_000)
    expect((await compressed).headers).not.toHaveProperty('warning')
  })

  it('fail where there is no older answer', async () => {
    failing = true
    await expect(open().answer('/api/categories', null, {})).rejects.toThrow('away')
  })
})
