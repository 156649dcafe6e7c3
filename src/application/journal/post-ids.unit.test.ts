import { expect, it } from 'vitest'
import { marksOfEntries } from './look-alikes.ts'
import { keptKey, postId, postsOfEntries } from './post-ids.ts'
import { derivedId } from '../kernel/ids.ts'
import type { FeedEntry } from '../ports/blog-feed.ts'

const entry = (externalId: string, url: string): FeedEntry => ({
  externalId,
  url,
  title: '',
  contentHtml: '',
  excerpt: '',
  publishedAt: null,
  imageUrl: null,
})

it('gives each entry a post of its own, and walks past no others, where the keys of a blog are made of its ids', async () => {
  const former = ['first']
  // With one way for all of them some of them take two hundred steps.
  while (former.length < 200) former.push(postId(former.at(-1) ?? ''))
  const present = former.map((key, n) => ({
    id: postId(key),
    externalId: `by now ${n}`,
    title: `Post ${n}`,
    excerpt: '',
    externalUrl: `https://blog.example/${n}`,
    publishedAt: null,
    blogUrl: 'https://blog.example',
    removedFor: null,
    sample: false,
    touched: false,
  }))
  const entries = [
    ...present.map(({ externalId, externalUrl }) => entry(externalId, externalUrl)),
    ...former.map((key, n) => entry(key, `https://blog.example/new/${n}`)),
  ]
  const idOf = await postsOfEntries({ entries, complete: true }, present, [])
  const ids = entries.map(idOf)
  expect(ids.slice(0, present.length)).toEqual(present.map(({ id }) => id))
  expect(new Set(ids).size).toBe(entries.length)
  // Its first step leads to a free one, whatever others have taken.
  expect(ids.slice(present.length)).toEqual(
    former.map((key) => derivedId('post beside', postId(key), keptKey(key))),
  )
})

it('tells entries from others by marks that are short, however long their addresses and titles are', () => {
  const entries = ['a', 'b'].map((name) => ({
    ...entry(name, `https://blog.example/${name}${'x'.repeat(2_000)}`),
    title: name.repeat(200),
    publishedAt: '2026-01-01T00:00:00.000Z',
  }))
  const marks = marksOfEntries(entries)()
  expect([...marks.entries.values()]).toEqual(entries.flatMap((each) => [each, each, each]))
  expect([...marks.entries.keys()].filter((mark) => mark.length > 50)).toEqual([])
})

it('leaves turns to others between its steps', async () => {
  let turns = 0
  const count = (): void => {
    turns += 1
    if (turns < 100) setImmediate(count)
  }
  setImmediate(count)
  await postsOfEntries({ entries: [entry('a', 'https://blog.example/a')], complete: true }, [], [])
  const during = turns
  turns = 100
  expect(during).toBeGreaterThan(4)
})
