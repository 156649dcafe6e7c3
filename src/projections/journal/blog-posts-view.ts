import { evolvePost, noPost, type PostState } from '#domain/journal/blog-post.ts'
import { keysOf } from '#domain/field-rules.ts'
import { type JournalEvent, journalEvents } from '#domain/journal/events.ts'
import { idOfStream } from '#domain/event.ts'
import type { Projection, ViewDocument } from '../runtime/projection.ts'

/** One post as the blog has it, with all that the owner said about it. A removed one waits for its return. */
export interface BlogPostDoc extends ViewDocument, PostState {
  readonly createdAt: string
  readonly updatedAt: string
  /** orders the journal: when it was published, else when it came here */
  readonly shownAt: string
}

export const blogPostsProjection: Projection<BlogPostDoc, JournalEvent['type']> = {
  view: {
    name: 'blog-posts',
    // 7: why a post was removed
    version: 7,
    indexes: [
      ['status', 'isVisible', 'shownAt'],
      ['status', 'shownAt'],
    ],
  },
  models: ['blog-posts'],
  handles: keysOf(journalEvents),
  // Posts are long, and a sync visits each once.
  keep: 50,
  targets: ({ stream }) => ({ ids: [idOfStream(stream)] }),
  apply: (doc, event, id) => {
    const { position, occurredAt } = event
    if (doc !== null) return { ...evolvePost(doc, event), updatedAt: occurredAt, position }
    if (event.type !== 'BlogPostImported') return null
    return {
      ...evolvePost(noPost, event),
      id,
      createdAt: occurredAt,
      updatedAt: occurredAt,
      shownAt: '',
      position,
    }
  },
  derive: (doc) => ({ ...doc, shownAt: doc.post.publishedAt ?? doc.createdAt }),
}
