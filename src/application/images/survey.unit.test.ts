import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { NewEvent } from '../kernel/ports/event-store.ts'
import { surveyImages } from './survey.ts'
import { ownerCommand, testApplication } from '../testing/application.ts'
import { imageUrlOf } from '#domain/images/image-address.ts'
import { postAggregate, type PostCommand } from '#domain/journal/blog-post.ts'

const [copied, ofBlog, ofSample, own] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
  string,
]

it('remembers what is copied and what the owner names, and nothing that only a blog has written', async () => {
  const { app, eventStore } = testApplication()
  const send = (id: string, command: PostCommand) =>
    app.executor.execute({
      ...postAggregate(id),
      command,
      context: ownerCommand(),
      expectedVersion: null,
    })
  const post = (hash: string, title: string) => ({
    title,
    content: `<p>${hash}</p>`,
    excerpt: hash,
    pictureUrl: imageUrlOf(hash),
    publishedAt: null,
    externalUrl: `https://blog.example/${hash}`,
  })
  const mirror = (externalId: string, title: string) =>
    send('p1', { type: 'MirrorPost', blogUrl: 'https://blog.example', externalId, post: post(ofBlog, title) })
  await mirror('one', 'One')
  await mirror(ofBlog, 'Two')
  const sourceUrl = `https://blog.example/${ofBlog}.jpg`
  await send('p1', { type: 'RecordPictureCopied', sourceUrl, imageUrl: imageUrlOf(copied), hash: copied })
  await send('p1', { type: 'RevisePost', changes: { imageUrl: imageUrlOf(own) } })
  await send('p1', { type: 'RemovePost', reason: 'gone' })
  await mirror('three', 'Three')
  await send('s1', {
    type: 'MirrorPost',
    blogUrl: '',
    externalId: 'sample:one',
    post: post(ofSample, 'Sample'),
    sample: true,
  })
  const { used } = await surveyImages(eventStore, new AbortController().signal)
  expect([...used].toSorted()).toEqual([copied, ofSample, own])
})

it('finds the hash in a copy whose event has rotted', async () => {
  const { eventStore } = testApplication()
  const rotted = {
    id: randomUUID(),
    type: 'BlogPostPictureCopied',
    schemaVersion: 1,
    occurredAt: '2026-03-04T05:06:07.000Z',
    meta: {},
    data: { damaged: `{"hash":"${copied}"` },
  }
  // What the disk has spoiled is no event that anybody writes.
  await eventStore.append('journal-post-p1', 'no-stream', [rotted as unknown as NewEvent])
  expect([...(await surveyImages(eventStore, new AbortController().signal)).used]).toEqual([copied])
})
