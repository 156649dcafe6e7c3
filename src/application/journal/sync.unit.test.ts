import { describe, expect, it } from 'vitest'
import { readablePost } from './readable-post.ts'
import { runSync, startSync } from './sync.ts'
import { blogKey, postId, sampleKey } from './post-ids.ts'
import { type BlogFeed, BlogFeedError, type CrawlResult, type FeedEntry } from '../ports/blog-feed.ts'
import { maxEventBytes, UnreadableEvent } from '../kernel/codec.ts'
import { EngineAway } from '../kernel/ports/event-store.ts'
import type { MirroredPost } from '../ports/lookups.ts'
import { ownerCommand, testApplication } from '../testing/application.ts'
import { memoryLedger } from '../testing/memory-ledger.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import { postAggregate, postOf, postStream } from '#domain/journal/blog-post.ts'
import { blogSyncAggregate } from '#domain/journal/blog-sync.ts'

const blogUrl = 'https://blog.example'
const entry = (key: string, fields: Partial<FeedEntry> = {}): FeedEntry => ({
  externalId: key,
  title: `Post ${key}`,
  contentHtml: `<p>${key}</p>`,
  excerpt: '',
  publishedAt: '2025-11-14T04:30:00.000Z',
  url: `${blogUrl}/${key}`,
  imageUrl: null,
  ...fields,
})
const whole = (...entries: FeedEntry[]): CrawlResult => ({
  unchanged: false,
  entries,
  complete: true,
  memory: memoryOf(...entries),
})
/** What a feed with these posts says of itself: another state for other titles. */
const memoryOf = (...entries: FeedEntry[]) => ({
  blogUrl,
  pages: [{ url: blogUrl, etag: entries.map(({ title }) => title).join(), lastModified: null }],
})

/** So many posts of a blog that are in her own words. */
const hersAt = (url: string, many: number): readonly MirroredPost[] =>
  Array.from({ length: many }, (_, n) => ({
    id: `of-before-${n}`,
    externalId: `before ${n}`,
    title: `Before ${n}`,
    excerpt: '',
    externalUrl: null,
    publishedAt: null,
    blogUrl: url,
    removedFor: null,
    sample: false,
    touched: true,
  }))

/** A journal that mirrors what the test says the blog answers. */
const journal = () => {
  const { app: bare, eventStore } = testApplication()
  /** As the view has them. */
  const posts = async (status: 'present' | 'removed'): Promise<readonly MirroredPost[]> => {
    const streams = new Set(eventStore.events.map(({ stream }) => stream))
    const ids = [...streams].flatMap((stream) => /^blogPost-(.*)/.exec(stream)?.[1] ?? [])
    const all = await Promise.all(
      ids.map(async (id) => ({ id, ...(await bare.executor.load(postAggregate(id))) })),
    )
    return all
      .filter((post) => post.status === status)
      .map(({ post: { externalUrl, title, excerpt, publishedAt }, ...state }) => ({
        ...state,
        externalUrl,
        title,
        excerpt,
        publishedAt,
      }))
  }
  const disk: { room: number | null } = { room: null }
  const readModels = { shows: true }
  const app = {
    ...bare,
    readModels: { ...bare.readModels, shows: async () => readModels.shows },
    files: { ...bare.files, room: async () => disk.room },
    lookups: {
      ...bare.lookups,
      mirroredPosts: () => posts('present'),
      removedPosts: () => posts('removed'),
    },
  }
  const effects = memoryLedger()
  const memories: unknown[] = []
  let runs = 0
  const sync = async (
    answer: CrawlResult | Error,
    options: {
      readonly url?: string
      readonly signal?: AbortSignal
      readonly readPost?: BlogFeed['readPost']
    } = {},
  ) => {
    const runId = `run-${++runs}`
    const url = options.url ?? blogUrl
    const blogFeed: BlogFeed = {
      discover: async () => ({ feedUrl: url, kind: 'feed', title: '' }),
      readPost: options.readPost ?? (async (post) => readablePost(app.html, post)),
      crawl: async (_url, asked) => {
        memories.push(asked?.memory ?? null)
        if (answer instanceof Error) throw answer
        return answer
      },
    }
    const before = eventStore.events.length
    await startSync(app, { runId, blogUrl: url, trigger: 'owner' }, ownerCommand())
    const signal = options.signal ?? new AbortController().signal
    await runSync({ app, blogFeed, effects }, runId, { signal, progress: () => {} })
    return {
      types: eventStore.events.slice(before).map((event) => event.type),
      end: eventStore.events.at(-1)?.data,
      again: () =>
        runSync({ app, blogFeed, effects }, runId, {
          signal: new AbortController().signal,
          progress: () => {},
        }),
    }
  }
  /** Runs the run that is open once more, as its job would. */
  const again = async (
    answer: CrawlResult = whole(entry('a'), entry('b')),
    options: { readonly readPost?: BlogFeed['readPost'] } = {},
  ) => {
    const blogFeed: BlogFeed = {
      discover: async () => ({ feedUrl: blogUrl, kind: 'feed', title: '' }),
      readPost: options.readPost ?? (async (post) => readablePost(app.html, post)),
      crawl: async (_url, asked) => {
        memories.push(asked?.memory ?? null)
        return answer
      },
    }
    await runSync({ app, blogFeed, effects }, `run-${runs}`, {
      signal: new AbortController().signal,
      progress: () => {},
    })
  }
  const shown = async (key: string) => postOf(await app.executor.load(postAggregate(postId(key))))
  const hide = (key: string) =>
    app.executor.execute({
      ...postAggregate(postId(key)),
      command: { type: 'RevisePost', changes: { isVisible: false } },
      expectedVersion: null,
      context: ownerCommand(),
    })
  return { sync, again, shown, hide, memories, eventStore, app, disk, readModels }
}

describe('a sync', () => {
  it('whose own process can open nothing more goes on with the next try, and blames no blog', async () => {
    const { sync, again, eventStore } = journal()
    const cause = Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    const away = new BlogFeedError('unreachable', 'The connection broke off', { cause })
    await expect(sync(away)).rejects.toThrow('broke off')
    expect(eventStore.events.map(({ type }) => type)).toEqual(['BlogSyncStarted'])
    await again()
    expect(eventStore.events.at(-1)?.type).toBe('BlogSyncCompleted')
  })

  it('that is over writes nothing more: another process may have carried it on with newer words', async () => {
    const { sync, again, shown, app } = journal()
    const over = new AbortController()
    const [former, newer] = [whole(entry('a')), whole(entry('a', { title: 'Newer words' }))]
    const late = sync(former, {
      signal: over.signal,
      // It stood still here.
      readPost: async (post) => {
        await again(newer)
        over.abort(new Error('another has taken over'))
        return readablePost(app.html, post)
      },
    })
    await expect(late).rejects.toThrow('another has taken over')
    expect((await shown('a'))?.post.title).toBe('Newer words')
  })

  it('brings new posts, follows edits, leaves the rest and removes what is gone', async () => {
    const { sync, shown } = journal()
    expect((await sync(whole(entry('a'), entry('b'), entry('c')))).end).toMatchObject({
      created: 3,
      total: 3,
    })
    const { end, types } = await sync(whole(entry('a'), entry('b', { title: 'New words' })))
    expect(end).toMatchObject({ created: 0, updated: 1, removed: 1, unchanged: 1, total: 2 })
    expect(types).toEqual(['BlogSyncStarted', 'BlogPostRevised', 'BlogPostRemoved', 'BlogSyncCompleted'])
    expect([(await shown('b'))?.post.title, await shown('c')]).toEqual(['New words', null])
  })

  it('brings a post back that stands in the blog again', async () => {
    const { sync, shown } = journal()
    await sync(whole(entry('a'), entry('b')))
    await sync(whole(entry('a')))
    expect((await sync(whole(entry('a'), entry('b')))).end).toMatchObject({ created: 1, unchanged: 1 })
    expect(await shown('b')).not.toBeNull()
  })

  it('removes nothing on the word of a crawl that may not have seen everything', async () => {
    const { sync, shown } = journal()
    await sync(whole(entry('a'), entry('b')))
    const partial = whole(entry('a'))
    expect((await sync({ ...partial, complete: false } as CrawlResult)).end).toMatchObject({ removed: 0 })
    expect(await shown('b')).not.toBeNull()
  })

  it('makes room in a full journal for what a blog has new that never proves a post gone', async () => {
    const { sync, shown, hide, app } = journal()
    const part = (...entries: FeedEntry[]): CrawlResult => ({
      unchanged: false,
      entries,
      complete: false,
      memory: null,
    })
    await sync(part(entry('of another blog')), { url: 'https://other.example' })
    const years = ['2019', '2020', '2021', '2022'].map((year) =>
      entry(year, { publishedAt: `${year}-11-14T04:30:00.000Z` }),
    )
    await sync(part(...years))
    await hide('2019')
    // In her own words as well, and the journal is full with them.
    const many = hersAt(blogUrl, fieldLimits.blogPosts - 5)
    const { mirroredPosts } = app.lookups
    app.lookups.mirroredPosts = async () => [...many, ...(await mirroredPosts())]
    const { end, types } = await sync(part(entry('a'), entry('b'), entry('2022', { title: 'New words' })))
    expect(end).toMatchObject({ created: 2, updated: 1, removed: 2, total: 3 })
    // Never more than there is room for, whenever a run is cut off.
    expect(types.slice(0, 3)).toEqual(['BlogSyncStarted', 'BlogPostRemoved', 'BlogPostRemoved'])
    const keys = ['of another blog', '2019', '2020', '2021', '2022', 'a', 'b']
    const titles = await Promise.all(keys.map(async (key) => (await shown(key))?.post.title))
    expect(titles).toEqual([undefined, 'Post 2019', undefined, 'Post 2021', 'New words', 'Post a', 'Post b'])
  })

  it('takes nothing of the room that is left for her own work, and says so', async () => {
    const { sync, shown, disk } = journal()
    disk.room = fieldLimits.leastFreeBytes - 1
    const { end, types } = await sync(whole(entry('a')))
    expect(types).toEqual(['BlogSyncStarted', 'BlogSyncFailed'])
    expect(end).toMatchObject({ reason: expect.stringContaining('500 MB') })
    disk.room = fieldLimits.leastFreeBytes
    expect((await sync(whole(entry('a')))).end).toMatchObject({ created: 1 })
    expect(await shown('a')).not.toBeNull()
  })

  it('that fails changes nothing in the journal and says why', async () => {
    const { sync, shown } = journal()
    await sync(whole(entry('a')))
    const { types, end } = await sync(new BlogFeedError('unreachable', 'The blog does not answer'))
    expect(types).toEqual(['BlogSyncStarted', 'BlogSyncFailed'])
    expect(end).toMatchObject({ reason: 'The blog does not answer' })
    expect(await shown('a')).not.toBeNull()
  })

  it('of another blog removes the first one’s posts after its own complete crawl', async () => {
    const { sync, shown } = journal()
    await sync(whole(entry('a')))
    const { end } = await sync(whole(entry('x')), { url: 'https://other.example' })
    expect(end).toMatchObject({ created: 1, removed: 1 })
    expect([await shown('a'), (await shown('x'))?.blogUrl]).toEqual([null, 'https://other.example'])
  })

  it('of a blog that names but its newest brings back what went for another one, and nothing that it has no more itself', async () => {
    const { sync, shown, hide } = journal()
    const newest = (...entries: FeedEntry[]): CrawlResult =>
      ({ ...whole(...entries), complete: false }) as CrawlResult
    await sync(whole(entry('deleted'), entry('a')))
    await sync(whole(entry('a')))
    await sync(newest(entry('b'), entry('c')))
    await hide('a')
    const wrong = { url: 'https://wrong.example' }
    expect((await sync(whole(entry('x')), wrong)).end).toMatchObject({ created: 1, removed: 3 })
    const { end } = await sync(newest(entry('c'), entry('d')), { url: `${blogUrl}/` })
    expect(end).toMatchObject({ created: 4, removed: 0, total: 2 })
    expect((await shown('a'))?.isVisible).toBe(false)
    const keys = ['b', 'c', 'd', 'deleted']
    expect(await Promise.all(keys.map(async (key) => (await shown(key))?.isVisible))).toEqual([
      true,
      true,
      true,
      undefined,
    ])
    expect((await sync(newest(entry('c'), entry('d')))).end).toMatchObject({ created: 0, unchanged: 2 })
    // Of all of it nobody needs to be told.
    await sync(whole(entry('x')), wrong)
    await sync(whole(entry('c')))
    expect(await shown('b')).toBeNull()
  })

  it('of a blog that names but its newest brings back nothing that the whole of it had no more since', async () => {
    const { sync, shown, eventStore } = journal()
    await sync(whole(entry('a'), entry('deleted')))
    await sync(whole(entry('x')), { url: 'https://wrong.example' })
    expect((await sync(whole(entry('a')))).end).toMatchObject({ created: 1, removed: 1 })
    expect((await sync(whole(entry('a')))).types).toEqual(['BlogSyncStarted', 'BlogSyncCompleted'])
    const { end } = await sync({ ...whole(entry('a')), complete: false } as CrawlResult)
    expect(end).toMatchObject({ created: 0, unchanged: 1 })
    expect(await shown('deleted')).toBeNull()
    // The blog has it again.
    await sync(whole(entry('a'), entry('deleted')))
    expect(await shown('deleted')).not.toBeNull()
    expect(eventStore.events.filter(({ type }) => type === 'BlogPostReturned')).toHaveLength(2)
  })

  it.each(['http://blog.example', 'https://www.blog.example/', 'HTTPS://Blog.Example'])(
    'brings back the posts of the same blog where its address is typed in as %s',
    async (url) => {
      const { sync, shown } = journal()
      const newest = { ...whole(entry('a')), complete: false } as CrawlResult
      await sync(whole(entry('a'), entry('old')))
      await sync(whole(entry('x')), { url: 'https://wrong.example' })
      expect((await sync(newest, { url })).end).toMatchObject({ created: 2 })
      expect(await shown('old')).not.toBeNull()
    },
  )

  it('brings back no more than the room that is left for her own work allows, and the rest later', async () => {
    const { sync, shown, disk, app } = journal()
    const newest = { ...whole(entry('a')), complete: false } as CrawlResult
    await sync(whole(entry('a'), entry('old')))
    await sync(whole(entry('x')), { url: 'https://wrong.example' })
    const rooms = [fieldLimits.leastFreeBytes]
    app.files.room = async () => rooms.shift() ?? disk.room
    disk.room = fieldLimits.leastFreeBytes - 1
    expect((await sync(newest)).end).toMatchObject({ created: 1 })
    expect(await shown('old')).toBeNull()
    disk.room = null
    expect((await sync(newest)).end).toMatchObject({ created: 1, unchanged: 1 })
    expect(await shown('old')).not.toBeNull()
  })

  it.each([
    ['brought back', (now: FeedEntry) => ({ ...whole(now), complete: false }) as CrawlResult, blogUrl],
    ['found to be gone', whole, blogUrl],
    ['taken away', whole, 'https://wrong.example'],
  ])(
    'a post of which something has rotted, where it is to be %s, keeps no other one away',
    async (fate, crawlOf, url) => {
      const { sync, shown, app } = journal()
      const { end: before } = await sync(whole(entry('a'), entry('b'), entry('c')))
      expect(before).toMatchObject({ created: 3 })
      if (url === blogUrl) await sync(whole(entry('x')), { url: 'https://wrong.example' })
      const [rotted] = (
        await (url === blogUrl ? app.lookups.removedPosts() : app.lookups.mirroredPosts())
      ).filter(({ externalId }) => externalId === 'b')
      const { execute, load } = app.executor
      const orRotted = <T>(stream: string, go: () => Promise<T>): Promise<T> =>
        stream === postStream(rotted?.id ?? '') ? Promise.reject(new UnreadableEvent('rotted')) : go()
      app.executor = {
        ...app.executor,
        load: (aggregate) => orRotted(aggregate.stream, () => load(aggregate)),
        execute: (order) => orRotted(order.stream, () => execute(order)),
      }
      const { end } = await sync(crawlOf(entry('new')), { url })
      expect(end).toMatchObject({ reason: expect.stringContaining('All others of the blog are here') })
      expect(await shown('new')).not.toBeNull()
      expect((await shown('c')) !== null).toBe(fate === 'brought back')
    },
  )

  it('brings a blog’s posts back in the place of another one’s that have filled the journal', async () => {
    const { sync, shown, app } = journal()
    await sync(whole(entry('a'), entry('old')))
    await sync(whole(entry('x'), entry('y')), { url: 'https://wrong.example' })
    const { mirroredPosts } = app.lookups
    const many = hersAt('https://wrong.example', fieldLimits.blogPosts - 2)
    app.lookups.mirroredPosts = async () => [...many, ...(await mirroredPosts())]
    const { end } = await sync({ ...whole(entry('a')), complete: false } as CrawlResult)
    expect(end).toMatchObject({ created: 2, removed: 2 })
    const keys = ['a', 'old', 'x', 'y']
    expect(await Promise.all(keys.map(async (key) => (await shown(key)) !== null))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('cut off by a stop stays open, and goes on when its job is run again', async () => {
    const { sync, eventStore } = journal()
    const signal = AbortSignal.abort(new Error('stopping'))
    await expect(sync(whole(entry('a')), { signal })).rejects.toThrow('stopping')
    expect(eventStore.events.map((event) => event.type)).toEqual(['BlogSyncStarted'])
  })

  it('run again after it ended does nothing', async () => {
    const { sync, eventStore } = journal()
    const { again } = await sync(whole(entry('a')))
    const before = eventStore.events.length
    await again()
    expect(eventStore.events.length).toBe(before)
  })

  it('refuses to start while another one runs', async () => {
    const { sync, app } = journal()
    const signal = AbortSignal.abort(new Error('stopping'))
    await expect(sync(whole(entry('a')), { signal })).rejects.toThrow('stopping')
    const second = startSync(app, { runId: 'second', blogUrl, trigger: 'owner' }, ownerCommand())
    await expect(second).rejects.toMatchObject({ kind: 'blocked' })
  })

  it('asks the next time only for what changed, and counts the whole journal as unchanged', async () => {
    const { sync, memories } = journal()
    await sync(whole(entry('a'), entry('b')))
    const { end } = await sync({ unchanged: true })
    expect(memories).toEqual([null, memoryOf(entry('a'), entry('b'))])
    expect(end).toMatchObject({ created: 0, updated: 0, removed: 0, unchanged: 2, total: 2 })
  })

  it('remembers the blog as it was at the last run, not at an earlier one', async () => {
    const { sync, memories } = journal()
    await sync(whole(entry('a')))
    await sync(whole(entry('a'), entry('b')))
    await sync({ unchanged: true })
    await sync(new BlogFeedError('unreachable', 'The blog does not answer'))
    await sync(whole(entry('a')))
    const both = memoryOf(entry('a'), entry('b'))
    expect(memories).toEqual([null, memoryOf(entry('a')), both, both, both])
  })

  it.each([
    ['a crawl that may not have seen everything', { ...whole(entry('a')), complete: false } as CrawlResult],
    ['a blog that gives nothing to remember', { ...whole(entry('a')), memory: null } as CrawlResult],
  ])('remembers nothing of %s', async (_, answer) => {
    const { sync, memories } = journal()
    await sync(whole(entry('a')))
    await sync(answer)
    await sync(whole(entry('a')))
    expect(memories.at(-1)).toBeNull()
  })

  it('follows an edit that was made in the blog while it was cut off', async () => {
    const { sync, again, shown } = journal()
    const broken: BlogFeed['readPost'] = async (post) => {
      if (post.title === 'Post b') throw new Error('the disk is on fire')
      return { title: post.title, content: '' }
    }
    await expect(sync(whole(entry('a'), entry('b')), { readPost: broken })).rejects.toThrow('on fire')
    expect((await shown('a'))?.post.title).toBe('Post a')
    await again(whole(entry('a', { title: 'Edited' }), entry('b')))
    expect((await shown('a'))?.post.title).toBe('Edited')
  })

  it('follows an edit that was taken back while it was cut off twice', async () => {
    const { sync, again, shown } = journal()
    const cutOff = async (post: { readonly title: string }) => {
      if (post.title === 'Post b') throw new Error('the disk is on fire')
      return { title: post.title, content: '' }
    }
    const first = whole(entry('a'), entry('b'))
    await expect(sync(first, { readPost: cutOff })).rejects.toThrow('on fire')
    const edited = whole(entry('a', { title: 'Edited' }), entry('b'))
    await expect(again(edited, { readPost: cutOff })).rejects.toThrow('on fire')
    expect((await shown('a'))?.post.title).toBe('Edited')
    await again(first, { readPost: async ({ title }) => ({ title, content: '' }) })
    expect((await shown('a'))?.post.title).toBe('Post a')
  })

  it('removes a post that was gone, back and gone again while it was cut off', async () => {
    const { sync, again, shown, app, eventStore } = journal()
    await sync(whole(entry('a'), entry('b')))
    const { append } = eventStore
    // It is cut off where it would tell its end.
    const cutOff = async (run: () => Promise<unknown>): Promise<void> => {
      const broken = async (...args: Parameters<typeof append>) => {
        if (args[0] === 'blog-sync' && (await app.executor.load(blogSyncAggregate)).running !== null)
          throw new Error('the disk is on fire')
        return append(...args)
      }
      Object.assign(eventStore, { append: broken })
      await expect(run()).rejects.toThrow('on fire')
      Object.assign(eventStore, { append })
    }
    await cutOff(() => sync(whole(entry('a'))))
    expect(await shown('b')).toBeNull()
    await cutOff(() => again(whole(entry('a'), entry('b'))))
    expect(await shown('b')).not.toBeNull()
    await again(whole(entry('a')))
    expect(await shown('b')).toBeNull()
  })

  it('reads a post that it gave up once more the next time, and not for ever', async () => {
    const { sync, memories } = journal()
    const posts = whole(entry('a'))
    const readPost: BlogFeed['readPost'] = async ({ title }) => ({
      title,
      content: '',
      excerpt: '',
      isGivenUp: true,
    })
    for (let run = 0; run < 3; run += 1) await sync(posts, { readPost })
    expect(memories).toEqual([null, null, memoryOf(entry('a'))])
  })

  it('waits while the list of posts is behind the log, and leaves the run to the next try', async () => {
    const { sync, eventStore, memories, readModels } = journal()
    readModels.shows = false
    await expect(sync(whole(entry('a')))).rejects.toThrow(EngineAway)
    expect([memories, eventStore.events.map(({ type }) => type)]).toEqual([[], ['BlogSyncStarted']])
  })

  it('relies on no memory when it goes on in the middle', async () => {
    const { sync, again, memories } = journal()
    await sync(whole(entry('a')))
    const signal = AbortSignal.abort(new Error('stopping'))
    const cut = sync(whole(entry('a'), entry('b')), { signal })
    await expect(cut).rejects.toThrow('stopping')
    await again()
    expect(memories.map((memory) => memory !== null)).toEqual([false, true, false])
  })

  it('leaves out in words a post that the log does not take; the others come, and what is gone goes', async () => {
    const { sync, shown, memories } = journal()
    await sync(whole(entry('a'), entry('gone')))
    const posts = whole(entry('a', { title: 'Edited' }), entry('b'), entry('c'))
    const { end, types } = await sync(posts, {
      readPost: async ({ title }) => ({
        title,
        content: title === 'Post b' ? 'x'.repeat(maxEventBytes) : '',
        excerpt: '',
      }),
    })
    expect(end).toMatchObject({
      reason: '1 post could not be kept and was left out: "Post b". All others of the blog are here',
    })
    expect(types.toSorted()).toEqual([
      'BlogPostImported',
      'BlogPostRemoved',
      'BlogPostRevised',
      'BlogSyncFailed',
      'BlogSyncStarted',
    ])
    expect(await shown('b')).toBeNull()
    expect((await sync(posts)).end).toMatchObject({ created: 1 })
    expect(memories.at(-1)).toBeNull()
  })

  it('names a key that no blog would make by a fingerprint, always the same', async () => {
    const { sync, shown } = journal()
    const keys = ['k'.repeat(100_000), 'a\u0000b', '\ud800']
    await sync(whole(...keys.map((key) => entry(key, { url: null }))))
    for (const key of keys) expect((await shown(key))?.externalId).toMatch(/^[0-9a-f-]{36}$/)
    const { end } = await sync(whole(...keys.map((key) => entry(key, { url: null }))))
    expect(end).toMatchObject({ unchanged: 3 })
  })

  it('knows a post by its address where the blog gives it another key, as another program or https does', async () => {
    const { sync, shown, hide } = journal()
    await sync(
      whole(entry('http://blog.example/a', { url: 'http://blog.example/a' }), entry('b'), entry('c')),
    )
    for (const key of ['http://blog.example/a', 'b']) await hide(key)
    const { end, types } = await sync(
      whole(
        entry('https://blog.example/a', { url: 'https://blog.example/a' }),
        entry('another', { url: `${blogUrl}/b` }),
        entry('c'),
        entry('new', { url: `${blogUrl}/c` }),
      ),
    )
    expect(end).toMatchObject({ created: 1, removed: 0, updated: 2, unchanged: 1 })
    expect(types).not.toContain('BlogPostRemoved')
    expect((await shown('b'))?.isVisible).toBe(false)
    expect(await shown('http://blog.example/a')).toMatchObject({
      isVisible: false,
      post: { externalUrl: 'https://blog.example/a' },
    })
    for (const key of ['https://blog.example/a', 'another']) expect(await shown(key)).toBeNull()
  })

  it.each([
    [
      'a part of the blog, at another date',
      { complete: false },
      [entry('new', { url: `${blogUrl}/a`, publishedAt: '2026-01-01T00:00:00.000Z' }), entry('b')],
    ],
    [
      'a part of a blog that dates nothing',
      { complete: false },
      [entry('new', { url: `${blogUrl}/c`, publishedAt: null }), entry('b')],
    ],
    [
      'posts that share an address',
      {},
      [entry('new', { url: `${blogUrl}/a` }), entry('b', { url: `${blogUrl}/a` })],
    ],
  ])('takes no post for another by the address alone: %s', async (_, of, entries) => {
    const { sync, shown } = journal()
    await sync(whole(entry('a'), entry('b'), entry('c', { publishedAt: null })))
    await sync({ ...whole(...entries), ...of })
    expect(await shown('new')).not.toBeNull()
  })

  it('knows posts by their addresses in a part of a blog all of whose keys are others', async () => {
    const { sync, shown } = journal()
    await sync(whole(entry('a'), entry('b')))
    const moved = [entry('x', { url: `${blogUrl}/a` }), entry('y', { url: `${blogUrl}/y` })]
    const part = { unchanged: false, entries: moved, complete: false, memory: memoryOf(...moved) } as const
    expect((await sync(part)).end).toMatchObject({ created: 1 })
    expect(await shown('x')).toBeNull()
  })

  it.each([
    ['moves to another address later', [entry('x', { url: `${blogUrl}/elsewhere` })], 1],
    [
      'has left its key to another post',
      [entry('x', { url: null }), entry('a', { url: `${blogUrl}/new` })],
      2,
    ],
    ['is named by its first key again', [entry('a', { url: `${blogUrl}/elsewhere` })], 1],
  ])('knows a post by the key that it got last, also where it %s', async (_, entries, total) => {
    const { sync, shown, hide } = journal()
    await sync(whole(entry('a')))
    await hide('a')
    await sync(whole(entry('x', { url: `${blogUrl}/a` })))
    for (let run = 0; run < 2; run += 1) {
      expect((await sync(whole(...entries))).end).toMatchObject({ total, removed: 0 })
      expect(await shown('a')).toMatchObject({ isVisible: false, externalId: entries[0]?.externalId })
    }
  })

  it('keeps posts apart where a key is given to a third one, whose two former posts have others', async () => {
    const { sync, shown } = journal()
    const x = entry('x', { url: `${blogUrl}/a` })
    const second = { url: `${blogUrl}/second`, title: 'The second' }
    await sync(whole(entry('a')))
    await sync(whole(x))
    await sync(whole(x, entry('a', second)))
    await sync(whole(x, entry('b', second)))
    const entries = [x, entry('c', second), entry('a', { url: `${blogUrl}/third`, title: 'The third' })]
    for (const created of [1, 0])
      expect((await sync(whole(...entries))).end).toMatchObject({ created, removed: 0, total: 3 })
    expect((await shown('a'))?.externalId).toBe('x')
  })

  it('gives what it knows of a post back that comes under another key after it was away', async () => {
    const { sync, shown, hide } = journal()
    await sync(whole(entry('a'), entry('b')))
    await hide('a')
    await sync(whole(entry('b')))
    const { end } = await sync(whole(entry('x', { url: `${blogUrl}/a` }), entry('b')))
    expect(end).toMatchObject({ created: 1, unchanged: 1, total: 2 })
    expect(await shown('x')).toBeNull()
    expect(await shown('a')).toMatchObject({ isVisible: false, externalId: 'x' })
    expect((await sync(whole(entry('x', { url: null }), entry('b')))).end).toMatchObject({ updated: 1 })
  })

  it('knows them also once new posts are in that part, so that a hidden one stays hidden', async () => {
    const { sync, shown, hide } = journal()
    const part = (...entries: FeedEntry[]) => ({ ...whole(...entries), complete: false })
    await sync(part(entry('a'), entry('b')))
    await hide('a')
    const moved = [entry('x', { url: `${blogUrl}/a` }), entry('y', { url: `${blogUrl}/b` })]
    await sync(part(...moved))
    for (const key of ['c', 'd'])
      expect((await sync(part(entry(key), ...moved))).end).toMatchObject({ created: 1, unchanged: 2 })
    // One of them again by another key, beside some that are known.
    const again = entry('z', { url: `${blogUrl}/a` })
    expect((await sync(part(entry('d'), again))).end).toMatchObject({ created: 0 })
    for (const key of ['x', 'y', 'z']) expect(await shown(key)).toBeNull()
    expect(await shown('a')).toMatchObject({ isVisible: false, externalId: 'z' })
  })

  const addressed = (base: string, name: string, fields: Partial<FeedEntry> = {}): FeedEntry =>
    entry(`${base}/${name}`, { title: `Post ${name}`, url: `${base}/${name}`, ...fields })
  const day = (date: number): string => `2025-11-${date}T04:30:00.000Z`

  it.each([
    ['its host', addressed('https://www.blog.example', 'a'), true],
    ['its host and nothing else in a part of the blog', addressed('https://www.blog.example', 'a'), false],
    [
      'its host, in a blog that dates nothing',
      addressed('https://new.example', 'a', { publishedAt: null }),
      false,
    ],
    ['a slash at its end', addressed(blogUrl, 'a/', { title: 'Post a' }), false],
    ['its path', addressed(blogUrl, 'b', { title: 'Post a' }), false],
    ['its key, with no date', entry('x', { url: `${blogUrl}/a`, title: 'Post a', publishedAt: null }), false],
  ])(
    'keeps a post hidden that goes by its address in the blog, where that changes %s',
    async (_, moved, complete) => {
      const { sync, shown, hide } = journal()
      const { publishedAt } = moved
      await sync(
        whole(addressed(blogUrl, 'a', { publishedAt }), addressed(blogUrl, 'z', { publishedAt: day(20) })),
      )
      await hide(`${blogUrl}/a`)
      const stays = addressed(blogUrl, 'z', { publishedAt: day(20) })
      for (let run = 0; run < 2; run += 1)
        expect((await sync({ ...whole(moved, stays), complete } as CrawlResult)).end).toMatchObject({
          created: 0,
          removed: 0,
        })
      expect(await shown(moved.externalId)).toBeNull()
      expect(await shown(`${blogUrl}/a`)).toMatchObject({ isVisible: false, externalId: moved.externalId })
    },
  )

  it.each([
    ['a title at another date', [addressed(blogUrl, 'b', { title: 'Sketch', publishedAt: day(15) })]],
    ['a date under another title', [addressed(blogUrl, 'b', { publishedAt: day(14) })]],
    [
      'title and date of two',
      ['b', 'c'].map((name) => addressed(blogUrl, name, { title: 'Sketch', publishedAt: day(14) })),
    ],
  ])('takes no post for another by %s', async (_, entries) => {
    const { sync, hide } = journal()
    await sync(whole(addressed(blogUrl, 'a', { title: 'Sketch', publishedAt: day(14) })))
    await hide(`${blogUrl}/a`)
    expect((await sync(whole(...entries))).end).toMatchObject({ created: entries.length, removed: 1 })
  })

  it.each([true, false])(
    'tells posts apart whose keys are but their places in the feed (complete: %s)',
    async (complete) => {
      const { sync, shown, hide } = journal()
      const days = [11, 12, 13, 14, 15]
      const feed = (newest: number): CrawlResult =>
        ({
          ...whole(
            ...days
              .slice(complete ? 0 : newest - 3, newest)
              .toReversed()
              .map((date, place) =>
                addressed(blogUrl, `${date}`, { externalId: `${place + 1}`, publishedAt: day(date) }),
              ),
          ),
          complete,
        }) as CrawlResult
      await sync(feed(3))
      await hide('1')
      for (const newest of [4, 5])
        expect((await sync(feed(newest))).end).toMatchObject({ created: 1, removed: 0 })
      expect(await shown('1')).toMatchObject({ isVisible: false, post: { title: 'Post 13' } })
    },
  )

  it.each([
    ["Blogger's, at another address", 'tag:blogger.com,1999:blog-1.post-2', `${blogUrl}/other`],
    ['of its own, at its address', '65f0c2', `${blogUrl}/a`],
  ])(
    'knows a post by its key under another title and date, also where a new one has those: %s',
    async (_, key, url) => {
      const { sync, shown, hide } = journal()
      const diary = { title: 'Studio diary', publishedAt: day(14) }
      const [post, others] = [entry(key, { ...diary, url: `${blogUrl}/a` }), entry('z', { title: 'Z' })]
      await sync(whole(post, others))
      await hide(key)
      const edited = { ...post, title: 'The kiln', publishedAt: day(20), url }
      for (const created of [1, 0]) {
        const entries = [edited, entry('new', { ...diary, url: `${blogUrl}/b` }), others]
        expect((await sync(whole(...entries))).end).toMatchObject({ created, removed: 0 })
        expect(await shown(key)).toMatchObject({ isVisible: false, post: { title: 'The kiln' } })
        expect((await shown('new'))?.isVisible).toBe(true)
      }
    },
  )

  it.each([
    ['at its address', `${blogUrl}/a`, `${blogUrl}/a`, day(20)],
    ['as a part of one page', `${blogUrl}/diary#1`, `${blogUrl}/diary#2`, day(20)],
    ['at the address of all', `${blogUrl}/diary`, `${blogUrl}/diary`, day(14)],
  ])(
    'takes a new post with a title that comes again for one of its own, in a part of a blog with keys: %s',
    async (_, before, now, publishedAt) => {
      const { sync, shown, hide } = journal()
      const others = [1, 2].map((each) =>
        entry(`z${each}`, { title: `Z ${each}`, url: before, publishedAt: day(10 + each) }),
      )
      const part = (post: FeedEntry): CrawlResult =>
        ({ ...whole(post, ...others), complete: false }) as CrawlResult
      await sync(part(entry('a', { title: 'Studio diary', url: before, publishedAt: day(14) })))
      await hide('a')
      const title = publishedAt === day(14) ? 'Another' : 'Studio diary'
      expect((await sync(part(entry('b', { title, url: now, publishedAt })))).end).toMatchObject({
        created: 1,
      })
      expect((await shown('b'))?.isVisible).toBe(true)
    },
  )

  /** Long enough to be one post's own. */
  const textOf = (name: string): string =>
    `${name}: ${'at noon the pans turn pink and nobody can look. '.repeat(3)}`

  it.each([
    ['with its date in it', day(14), '/2025/11/14/a', '/2025/11/20/a', { publishedAt: day(20) }],
    ['and its title, in a blog that dates nothing', null, '/a', '/the-kiln', { title: 'The kiln' }],
    ['its date and its title', day(14), '/a', '/the-kiln', { title: 'The kiln', publishedAt: day(20) }],
  ])(
    'keeps a post hidden that goes by its address, where that changes %s: its text is the same',
    async (_, publishedAt, before, now, edit) => {
      for (const complete of [true, false]) {
        const { sync, shown, hide } = journal()
        const at = (path: string, fields: Partial<FeedEntry>) =>
          entry(blogUrl + path, {
            url: blogUrl + path,
            title: 'Title',
            excerpt: textOf('A'),
            publishedAt,
            ...fields,
          })
        const other = entry('z', { excerpt: textOf('Z'), publishedAt: null })
        const feed = (post: FeedEntry): CrawlResult => ({ ...whole(post, other), complete }) as CrawlResult
        await sync(feed(at(before, {})))
        await hide(blogUrl + before)
        expect((await sync(feed(at(now, edit)))).end).toMatchObject({ created: 0, removed: 0, total: 2 })
        expect(await shown(blogUrl + before)).toMatchObject({ isVisible: false, externalId: blogUrl + now })
      }
    },
  )

  it('leaves a post its text where a new one has its title and date, and keys are addresses', async () => {
    const { sync, shown, hide } = journal()
    const post = addressed(blogUrl, 'a', { excerpt: textOf('A'), publishedAt: day(14) })
    await sync(whole(post))
    await hide(post.externalId)
    const edited = { ...post, title: 'The kiln', publishedAt: day(20) }
    const another = addressed(blogUrl, 'b', { title: 'Post a', excerpt: textOf('B'), publishedAt: day(14) })
    expect((await sync(whole(edited, another))).end).toMatchObject({ created: 1, removed: 0 })
    expect(await shown(post.externalId)).toMatchObject({ isVisible: false, post: { title: 'The kiln' } })
    expect((await shown(another.externalId))?.isVisible).toBe(true)
  })

  it.each([
    ['a line on its picture', ['Oil on canvas, 30 x 40 cm']],
    ['what many begin with', [textOf('Every week'), textOf('Every week')]],
  ])(
    'takes no post for another by its text where that is but %s',
    async (_, [excerpt = '', ofOther = '']) => {
      const { sync, hide } = journal()
      const other = addressed(blogUrl, 'z', { excerpt: ofOther })
      await sync(whole(addressed(blogUrl, 'a', { excerpt, publishedAt: day(15) }), other))
      await hide(`${blogUrl}/a`)
      const another = addressed(blogUrl, 'b', { excerpt, publishedAt: day(20) })
      expect((await sync(whole(another, other))).end).toMatchObject({ created: 1, removed: 1 })
    },
  )

  it.each([
    ['addresses', `${blogUrl}/`],
    ['of their own', 'key '],
  ])(
    'takes a new post that begins as an old one for no other, where the blog names but its newest and its keys are %s',
    async (_, keys) => {
      const { sync, shown, hide } = journal()
      const newest = (...dates: number[]): CrawlResult =>
        ({
          ...whole(
            ...dates.map((date) =>
              addressed(blogUrl, `${date}`, {
                externalId: `${keys}${date}`,
                excerpt: textOf(date % 5 === 1 ? 'Every year' : `Of the ${date}th`),
                publishedAt: day(date),
              }),
            ),
          ),
          complete: false,
        }) as CrawlResult
      await sync(newest(12, 11))
      await hide(`${keys}11`)
      for (const date of [13, 14, 15, 16])
        expect((await sync(newest(date, date - 1))).end).toMatchObject({ created: 1, unchanged: 1 })
      expect(await shown(`${keys}11`)).toMatchObject({ isVisible: false, post: { title: 'Post 11' } })
      expect((await shown(`${keys}16`))?.isVisible).toBe(true)
    },
  )

  it('tells two posts apart that have come under one key', async () => {
    const { sync, shown } = journal()
    const untitled = (date: number) => ({
      title: 'Untitled',
      url: `${blogUrl}/${date}`,
      publishedAt: day(date),
    })
    const posts = {
      first: untitled(16),
      second: untitled(15),
      third: { url: `${blogUrl}/third`, title: 'Third', publishedAt: day(14) },
      fourth: { url: `${blogUrl}/fourth`, title: 'Fourth', publishedAt: day(13) },
      fifth: { url: `${blogUrl}/fifth`, title: 'Fifth', publishedAt: day(17) },
    }
    const places = (...names: (keyof typeof posts)[]): CrawlResult =>
      ({
        ...whole(...names.map((name, at) => entry(`${at + 1}`, posts[name]))),
        complete: false,
      }) as CrawlResult
    await sync(places('first', 'second', 'third', 'fourth'))
    await sync(places('third', 'fourth'))
    for (let run = 0; run < 2; run += 1) await sync(places('fifth', 'first', 'third', 'fourth'))
    expect(await shown('1')).toMatchObject({ externalId: '2', post: { publishedAt: day(16) } })
    expect(await shown('2')).toMatchObject({ externalId: '2', post: { publishedAt: day(15) } })
  })

  it('leaves sample posts alone, whatever key the blog gives a post', async () => {
    const { sync, shown, app } = journal()
    const key = sampleKey('turmeric')
    for (let run = 0; run < 2; run += 1) {
      await sync(whole(entry(key)))
      expect(await shown(key)).toBeNull()
    }
    const taken = postOf(await app.executor.load(postAggregate(postId(blogKey(key)))))
    expect(taken).toMatchObject({ post: { title: `Post ${key}` } })
    expect(taken?.externalId).not.toBe(key)
  })

  it('keeps the owner’s own words through an edit in the blog', async () => {
    const { sync, shown, app } = journal()
    await sync(whole(entry('a')))
    await app.executor.execute({
      ...postAggregate(postId('a')),
      command: { type: 'RevisePost', changes: { title: 'My words', isVisible: false } },
      context: ownerCommand(),
      expectedVersion: null,
    })
    await sync(whole(entry('a', { title: 'Edited there' })))
    expect(await shown('a')).toMatchObject({
      overrides: { title: 'My words' },
      isVisible: false,
      post: { title: 'Edited there' },
    })
  })
})
