import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import uploaded from '../golden/ImageUploaded.v1.json' with { type: 'json' }
import reprocessing from '../golden/ImageReprocessingRequested.v1.json' with { type: 'json' }
import { createExecutor } from '../kernel/execute.ts'
import { foreignType, type JsonObject, type NewEvent } from '../kernel/ports/event-store.ts'
import { surveyImages } from './survey.ts'
import { ownerCommand, testApplication } from '../testing/application.ts'
import { imageAggregate, imageStream } from '#domain/images/image.ts'
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

it('counts of an image’s stream what its decider counts, and nothing that another program wrote there', async () => {
  const { eventStore } = testApplication()
  const event = (type: string, data: JsonObject): NewEvent => ({
    id: randomUUID(),
    type,
    schemaVersion: 1,
    occurredAt: '2026-03-04T05:06:07.000Z',
    meta: { correlationId: 'r', causationId: 'r', commandId: 'c', actor: { kind: 'visitor' } },
    data,
  })
  await eventStore.append(imageStream(own), 'no-stream', [
    event('ImageUploaded', uploaded.data),
    event(foreignType, { type: 'OrderPlaced' }),
    event('ImageReprocessingRequested', reprocessing.data),
  ])
  const { state } = await createExecutor(eventStore).read(imageAggregate(own))
  const { images } = await surveyImages(eventStore, new AbortController().signal)
  expect([state.version, images.get(own)?.version]).toEqual([2, 2])
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
