import { nextVersion, touchedAfter } from '#domain/journal/blog-post.ts'
import { keysOf } from '#domain/field-rules.ts'
import {
  type JournalEvent,
  journalEvents,
  type OverrideField,
  type SourcePost,
} from '#domain/journal/events.ts'
import { idOfStream, type ProjectedEvent, type Projection, type ViewDocument } from '../runtime/projection.ts'

/** An image of a post that is kept here: its address at the blog, and ours. */
export type CopiedImage = {
  readonly sourceUrl: string
  readonly imageUrl: string
  readonly hash: string
}

type Overrides = { readonly [Field in OverrideField]: string | null }

/** One post as the blog has it, with all that the owner said about it. A removed one waits for its return. */
export interface BlogPostDoc extends ViewDocument {
  readonly state: 'present' | 'removed'
  readonly externalId: string
  readonly blogUrl: string
  /** the blog's own words; the images in `content` still at the blog's addresses */
  readonly source: SourcePost
  readonly overrides: Overrides
  readonly isVisible: boolean
  readonly pictures: readonly CopiedImage[]
  readonly sample: boolean
  /** a sample that the owner has changed is hers */
  readonly touched: boolean
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  /** orders the journal: when it was published, else when it came here */
  readonly shownAt: string
}

type Handled = JournalEvent['type']

const changeOf = (
  doc: BlogPostDoc,
  event: ProjectedEvent<Exclude<Handled, 'BlogPostImported'>>,
): Partial<BlogPostDoc> => {
  switch (event.type) {
    case 'BlogPostRevised':
      return { source: event.data.to }
    case 'BlogPostPictureCopied': {
      const others = doc.pictures.filter(({ sourceUrl }) => sourceUrl !== event.data.sourceUrl)
      return { pictures: [...others, event.data] }
    }
    case 'BlogPostHidden':
      return { isVisible: false }
    case 'BlogPostShown':
      return { isVisible: true }
    case 'BlogPostOverridden':
      return { overrides: { ...doc.overrides, [event.data.field]: event.data.to } }
    case 'BlogPostRemoved':
      return { state: 'removed' }
    case 'BlogPostReturned':
      return { state: 'present', blogUrl: event.data.blogUrl, source: event.data.post }
  }
}

const imported = (event: ProjectedEvent<'BlogPostImported'>, id: string): BlogPostDoc => {
  const { externalId, blogUrl, post, sample } = event.data
  return {
    id,
    position: event.position,
    state: 'present',
    externalId,
    blogUrl,
    source: post,
    overrides: { title: null, excerpt: null, imageUrl: null },
    isVisible: true,
    pictures: [],
    sample,
    touched: false,
    version: 1,
    createdAt: event.occurredAt,
    updatedAt: event.occurredAt,
    shownAt: '',
  }
}

export const blogPostsProjection: Projection<BlogPostDoc, Handled> = {
  view: {
    name: 'blog-posts',
    version: 2,
    indexes: [
      ['state', 'isVisible', 'shownAt'],
      ['state', 'shownAt'],
    ],
  },
  models: ['blog-posts'],
  handles: keysOf(journalEvents),
  // Posts are long, and a sync visits each once.
  keep: 50,
  targets: ({ stream }) => ({ ids: [idOfStream(stream)] }),
  apply: (doc, event, id) => {
    if (event.type === 'BlogPostImported') return imported(event, id)
    if (doc === null) return null
    const version = nextVersion(doc.version, event.type)
    const { position, occurredAt: updatedAt } = event
    const touched = touchedAfter(doc.touched, event.type)
    return { ...doc, ...changeOf(doc, event), touched, version, updatedAt, position }
  },
  derive: (doc) => ({ ...doc, shownAt: doc.source.publishedAt ?? doc.createdAt }),
}
