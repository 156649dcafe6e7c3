import { expect, it } from 'vitest'
import type { Application } from '../application.ts'
import { ImageWorkFailed } from '../ports/images.ts'
import { imageHash, ownerCommand, testApplication } from '../testing/application.ts'
import { revisePost } from './posts.ts'
import { postAggregate } from '#domain/journal/blog-post.ts'

const given = async (imageUrl: string, images: Partial<Application['images']> = {}) => {
  const { app: whole, eventStore } = testApplication()
  const app = { ...whole, images: { ...whole.images, ...images } }
  const post = {
    title: 'First light',
    content: '',
    excerpt: '',
    pictureUrl: null,
    publishedAt: null,
    externalUrl: null,
  }
  const command = { type: 'MirrorPost', externalId: 'k', blogUrl: 'https://blog.example', post } as const
  const order = { ...postAggregate('p1'), command, context: ownerCommand(), expectedVersion: null }
  await app.executor.execute(order)
  const before = eventStore.events.length
  const revised = revisePost(app, 'p1', { imageUrl }, null, ownerCommand())
  return { revised, events: () => eventStore.events.slice(before).map(({ type, data }) => ({ type, data })) }
}

it('copies an image that is given by its address before it answers', async () => {
  const { revised, events } = await given('https://pictures.example/a.jpg')
  await revised
  const to = `/images/${imageHash}/original-view.jpg`
  expect(events()).toMatchObject([
    { type: 'ImageUploaded' },
    { type: 'BlogPostOverridden', data: { field: 'imageUrl', from: null, to } },
  ])
})

it.each(['https://pictures.example/slow.jpg', 'http://elsewhere.example/a.jpg'])(
  'keeps the address of an image that may come later: %s',
  async (imageUrl) => {
    const { revised, events } = await given(imageUrl)
    await revised
    expect(events()).toMatchObject([{ type: 'BlogPostOverridden', data: { to: imageUrl } }])
  },
)

it('keeps the address of an image on which no work could be done now: saving it again would fail as well', async () => {
  const imageUrl = 'https://pictures.example/a.jpg'
  const first = () => Promise.reject(new ImageWorkFailed('It took too long and was broken off.'))
  const { revised, events } = await given(imageUrl, { first })
  await revised
  expect(events()).toMatchObject([{ type: 'BlogPostOverridden', data: { to: imageUrl } }])
})

it('refuses an address that never leads to an image, at the field', async () => {
  const { revised, events } = await given('https://pictures.example/text.html')
  await expect(revised).rejects.toMatchObject({ kind: 'invalid', fields: { imageUrl: expect.any(String) } })
  expect(events()).toEqual([])
})
