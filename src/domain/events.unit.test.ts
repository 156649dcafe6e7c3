import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { artworkStream } from './artworks/artwork.ts'
import { isStreamName } from './events.ts'
import { imageStream } from './images/image.ts'
import { postStream } from './journal/blog-post.ts'
import { blogSyncAggregate } from './journal/blog-sync.ts'
import { messageStream } from './messages/message.ts'
import { siteContentStream } from './site-content/site-content.ts'
import { taxonomyStream } from './taxonomy/taxonomy.ts'

it.each([
  ...[artworkStream, messageStream, postStream].map((stream) => stream(randomUUID())),
  imageStream('0123456789abcdef'.repeat(4)),
  taxonomyStream('Category'),
  taxonomyStream('Medium'),
  blogSyncAggregate.stream,
  siteContentStream,
])('%s is a stream of the site’s', (stream) => {
  expect(isStreamName(stream)).toBe(true)
})

it.each(['artwork-1', 'artwork', 'categories-2', `order-${randomUUID()}`, `artwork-${randomUUID()}-2`, ''])(
  '“%s” is none',
  (stream) => {
    expect(isStreamName(stream)).toBe(false)
  },
)
