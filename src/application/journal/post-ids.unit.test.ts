import { expect, it } from 'vitest'
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
    sample: false,
    touched: false,
  }))
  const entries = [
    ...present.map(({ externalId, externalUrl }) => entry(externalId, externalUrl)),
    ...former.map((key, n) => entry(key, `https://blog.example/new/${n}`)),
  ]
  const idOf = await postsOfEntries({ entries, complete: true }, present, async () => [])
  const ids = entries.map(idOf)
  expect(ids.slice(0, present.length)).toEqual(present.map(({ id }) => id))
  expect(new Set(ids).size).toBe(entries.length)
  // Its first step leads to a free one, whatever others have taken.
  expect(ids.slice(present.length)).toEqual(
    former.map((key) => derivedId('post beside', postId(key), keptKey(key))),
  )
})
