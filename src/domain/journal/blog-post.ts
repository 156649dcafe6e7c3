import {
  type JournalEvent,
  type OverrideField,
  overrideFields,
  sourceFields,
  type SourcePost,
} from './events.ts'
import type { Decider } from '../decider.ts'
import { fieldLimits } from '../field-limits.ts'
import { acceptedTexts, imageAddress, line, lines, required, type TextRule } from '../field-rules.ts'
import { cannotBeUndone, changedSince, Refusal } from '../refusal.ts'

/** The stream of one post. The id is made from the post's own stable key in its feed. */
export const postStream = (id: string): string => `blogPost-${id}`

/** It stands in its blog no more; the journal follows another blog; the sample content was taken away. */
export type RemovalReason = Extract<JournalEvent, { readonly type: 'BlogPostRemoved' }>['data']['reason']

type Overrides = Readonly<Record<OverrideField, string | null>>

/** An image of a post that is kept here: its address at the blog, and ours. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- part of a document, and JSON, which only a type alias fits
export type CopiedImage = {
  readonly sourceUrl: string
  readonly imageUrl: string
  readonly hash: string
}

export interface PostState {
  /** `removed`: gone from the blog; it may return, with all the owner said about it */
  readonly status: 'none' | 'present' | 'removed'
  /** why it is `removed`; null while it is not */
  readonly removedFor: RemovalReason | null
  /** its key in the feed, as the blog gave it last */
  readonly externalId: string
  /** the blog it was found in when it was imported or returned */
  readonly blogUrl: string
  /** the blog's own words; the images in `content` still at the blog's addresses */
  readonly post: SourcePost
  /** it was made here, with the sample content */
  readonly sample: boolean
  /** the owner has hidden it, shown it or said something of her own: a sample is hers from then on */
  readonly touched: boolean
  readonly isVisible: boolean
  readonly overrides: Overrides
  readonly images: readonly CopiedImage[]
  /** counts the owner's changes and the blog's; copied images and other keys never cause a 409 */
  readonly version: number
}

export type PostCommand =
  /** The post as the blog has it now. `blogUrl` is the blog's address as the owner set it, empty for samples. */
  | {
      readonly type: 'MirrorPost'
      readonly blogUrl: string
      readonly externalId: string
      readonly post: SourcePost
      readonly sample?: boolean
    }
  /** What the owner wants shown; null drops her own words or image, absent leaves all as it is. */
  | { readonly type: 'RevisePost'; readonly changes: PostChanges }
  | {
      readonly type: 'RecordPictureCopied'
      readonly sourceUrl: string
      readonly imageUrl: string
      readonly hash: string
    }
  | { readonly type: 'RemovePost'; readonly reason: RemovalReason }
  /** Takes back what one command did: all of its events in this stream. */
  | { readonly type: 'UndoPostChange'; readonly events: readonly JournalEvent[] }

export type PostChanges = { readonly isVisible?: boolean | undefined } & {
  readonly [Field in OverrideField]?: string | null | undefined
}

export const noPost: PostState = {
  status: 'none',
  removedFor: null,
  externalId: '',
  blogUrl: '',
  post: { title: '', content: '', excerpt: '', pictureUrl: null, publishedAt: null, externalUrl: null },
  sample: false,
  touched: false,
  isVisible: true,
  overrides: { title: null, excerpt: null, imageUrl: null },
  images: [],
  version: 0,
}

/** Stands for a title where the blog gives none. */
const untitled = 'Untitled'

/** The copy of an image of the blog's that is kept here. */
export const copyOf = (images: readonly CopiedImage[], url: string): CopiedImage | undefined =>
  images.find(({ sourceUrl }) => sourceUrl === url)

/** Whether an image is at an address that is none of ours. */
export const isElsewhere = (url: string | null): url is string => url !== null && !url.startsWith('/')

/** Our address of an image: its own when it is ours already, the copy's when there is one, else null. */
export const keptAddress = (images: readonly CopiedImage[], url: string | null): string | null => {
  if (url === null) return null
  return copyOf(images, url)?.imageUrl ?? (isElsewhere(url) ? null : url)
}

/**
 * What readers see of a post: the owner's words before the blog's. An image is shown only once it is kept
 * here; until the owner's own is, the blog's stays.
 */
export const effectivePost = (
  state: Pick<PostState, 'post' | 'overrides' | 'images'>,
): { readonly title: string; readonly excerpt: string; readonly imageUrl: string | null } => {
  const { post, overrides, images } = state
  return {
    title: overrides.title ?? (post.title === '' ? untitled : post.title),
    excerpt: overrides.excerpt ?? post.excerpt,
    imageUrl: keptAddress(images, overrides.imageUrl) ?? keptAddress(images, post.pictureUrl),
  }
}

const samePost = (one: SourcePost, other: SourcePost): boolean =>
  sourceFields.every((field) => one[field] === other[field])

const mirror = (
  state: PostState,
  command: Extract<PostCommand, { type: 'MirrorPost' }>,
): readonly JournalEvent[] => {
  const { blogUrl, externalId, post } = command
  if (state.status === 'none')
    return [
      { type: 'BlogPostImported', data: { externalId, blogUrl, post, sample: command.sample ?? false } },
    ]
  const keyChanged: readonly JournalEvent[] =
    externalId === state.externalId
      ? []
      : [{ type: 'BlogPostKeyChanged', data: { from: state.externalId, to: externalId } }]
  if (state.status === 'removed')
    return [{ type: 'BlogPostReturned', data: { blogUrl, post } }, ...keyChanged]
  if (samePost(state.post, post)) return keyChanged
  return [{ type: 'BlogPostRevised', data: { from: state.post, to: post } }, ...keyChanged]
}

/** @throws {Refusal} `missing` */
const refuseMissing = (state: PostState): void => {
  if (state.status !== 'present')
    throw new Refusal('missing', 'There is no such journal post, or it was removed')
}

/** What she may say instead of the blog. */
export const overrideRules = {
  title: required(line('Title', fieldLimits.name)),
  excerpt: lines('Excerpt', fieldLimits.longText),
  imageUrl: required(imageAddress('Image'), 'Give the address of a picture'),
} satisfies Record<OverrideField, TextRule>

/** Without what is sent back as it is shown: that neither makes an override nor drops one. */
const withoutUnchanged = (state: PostState, changes: PostChanges): PostChanges => {
  const shown = effectivePost(state)
  const same = overrideFields.filter((field) => changes[field] !== null && changes[field] === shown[field])
  return { ...changes, ...Object.fromEntries(same.map((field) => [field, undefined])) }
}

/** @throws {Refusal} `invalid`, naming every field at fault */
const revise = (state: PostState, given: PostChanges): readonly JournalEvent[] => {
  // The blog's own texts may be longer than the owner's, so what is shown already is not checked.
  const own = withoutUnchanged(state, given)
  const changes = withoutUnchanged(state, { ...own, ...acceptedTexts(overrideRules, own) })
  const events: JournalEvent[] = []
  for (const field of overrideFields) {
    const to = changes[field]
    const from = state.overrides[field]
    if (to !== undefined && to !== from)
      events.push({ type: 'BlogPostOverridden', data: { field, from, to } })
  }
  if (changes.isVisible !== undefined && changes.isVisible !== state.isVisible)
    events.push({ type: changes.isVisible ? 'BlogPostShown' : 'BlogPostHidden', data: {} })
  return events
}

const remove = (state: PostState, reason: RemovalReason): readonly JournalEvent[] => {
  if (state.status === 'none') refuseMissing(state)
  // What went for another blog may be gone from its own as well.
  const isOnlyAway = state.removedFor === 'other-blog' && reason === 'gone'
  if (state.status === 'removed' && !isOnlyAway) return []
  if (state.sample !== (reason === 'sample'))
    throw new Refusal(
      'blocked',
      state.sample
        ? 'This is a sample post: it goes with the sample content'
        : 'This post is no sample: it goes when it is gone from the blog',
    )
  if (reason === 'sample' && state.touched)
    throw new Refusal('blocked', 'This sample was changed by you, so it is a post of your own and stays')
  return [{ type: 'BlogPostRemoved', data: { reason } }]
}

/** Whether an event is the owner's doing: what the blog or the samples do is not. */
const isTouch = (type: string): boolean =>
  type === 'BlogPostHidden' || type === 'BlogPostShown' || type === 'BlogPostOverridden'

/** Whether what happened to a post can be undone: the owner's own changes, and what happened to samples. */
export const canUndoPost = (type: string): boolean =>
  isTouch(type) || type === 'BlogPostRemoved' || type === 'BlogPostReturned'

const undo = (state: PostState, events: readonly JournalEvent[]): readonly JournalEvent[] => {
  const [only] = events
  if (only === undefined || !events.every(({ type }) => canUndoPost(type))) throw cannotBeUndone()
  if (only.type === 'BlogPostRemoved' || only.type === 'BlogPostReturned') {
    if (!state.sample || events.length > 1) throw cannotBeUndone()
    if ((state.status === 'removed') !== (only.type === 'BlogPostRemoved')) throw changedSince()
    if (only.type === 'BlogPostReturned') return remove(state, 'sample')
    return [{ type: 'BlogPostReturned', data: { blogUrl: state.blogUrl, post: state.post } }]
  }
  refuseMissing(state)
  const back: JournalEvent[] = []
  for (const event of events) {
    if (event.type === 'BlogPostOverridden') {
      const { field, from, to } = event.data
      if (state.overrides[field] !== to) throw changedSince()
      back.push({ type: 'BlogPostOverridden', data: { field, from: to, to: from } })
    } else {
      const wasHidden = event.type === 'BlogPostHidden'
      if (state.isVisible === wasHidden) throw changedSince()
      back.push({ type: wasHidden ? 'BlogPostShown' : 'BlogPostHidden', data: {} })
    }
  }
  return back
}

const decide = (command: PostCommand, state: PostState): readonly JournalEvent[] => {
  switch (command.type) {
    case 'MirrorPost':
      return mirror(state, command)
    case 'RevisePost':
      refuseMissing(state)
      return revise(state, command.changes)
    case 'RecordPictureCopied': {
      refuseMissing(state)
      const { sourceUrl, imageUrl, hash } = command
      return copyOf(state.images, sourceUrl)?.imageUrl === imageUrl
        ? []
        : [{ type: 'BlogPostPictureCopied', data: { sourceUrl, imageUrl, hash } }]
    }
    case 'RemovePost':
      return remove(state, command.reason)
    case 'UndoPostChange':
      return undo(state, command.events)
  }
}

/** The sources in a text, read once for each post: a blog may name thousands in one, and have them copied one after the other. */
const sourcesOf = new WeakMap<SourcePost, ReadonlySet<string>>()

/** What stands in the text of a post as the source of an image, in the form that HTML has. A tag never begins inside of one. */
const sourcesIn = (post: SourcePost): ReadonlySet<string> => {
  const known = sourcesOf.get(post)
  if (known) return known
  const found = new Set([...post.content.matchAll(/src="([^"<]*)"/g)].flatMap(([, source]) => source ?? []))
  sourcesOf.set(post, found)
  return found
}

/** Whether the post shows an image, as far as its addresses tell. */
const isNamedIn =
  ({ post, overrides }: PostState) =>
  ({ sourceUrl }: CopiedImage): boolean =>
    sourceUrl === post.pictureUrl ||
    sourceUrl === overrides.imageUrl ||
    sourcesIn(post).has(sourceUrl.replaceAll('&', '&amp;'))

/** What an event of an imported post changes in it. */
const changeOf = (state: PostState, event: JournalEvent): Partial<PostState> | null => {
  switch (event.type) {
    case 'BlogPostImported':
      return { ...noPost, ...event.data, status: 'present' }
    case 'BlogPostRevised':
      return { post: event.data.to }
    case 'BlogPostReturned':
      return { ...event.data, status: 'present', removedFor: null }
    case 'BlogPostKeyChanged':
      return { externalId: event.data.to }
    case 'BlogPostPictureCopied': {
      const others = state.images.filter(({ sourceUrl }) => sourceUrl !== event.data.sourceUrl)
      const images = [...others, event.data]
      // Some blogs name their images anew for everybody who asks: what no text names would gather without an end.
      return { images: images.length > fieldLimits.postImages ? images.filter(isNamedIn(state)) : images }
    }
    case 'BlogPostHidden':
      return { isVisible: false }
    case 'BlogPostShown':
      return { isVisible: true }
    case 'BlogPostOverridden':
      return { overrides: { ...state.overrides, [event.data.field]: event.data.to } }
    case 'BlogPostRemoved':
      return { status: 'removed', removedFor: event.data.reason }
  }
}

/** What nobody sees changes no version. */
const unseen: ReadonlySet<string> = new Set([
  'BlogPostPictureCopied',
  'BlogPostKeyChanged',
] satisfies readonly JournalEvent['type'][])

/** Folds an event into a post, and into what else a view keeps beside it. */
export const evolvePost = <State extends PostState>(before: State, event: JournalEvent): State => {
  const change = changeOf(before, event)
  // Of a type that nobody knows it says nothing.
  if (!change) return before
  const touched = before.touched || isTouch(event.type)
  const version = unseen.has(event.type) ? before.version : before.version + 1
  return { ...before, touched, ...change, version }
}

/**
 * One journal post: it follows the blog, but for what the owner hides or says in her own words, which
 * survives later syncs and the post's own absence.
 */
export const blogPostDecider: Decider<PostState, PostCommand, JournalEvent> = {
  initialState: noPost,
  decide,
  evolve: evolvePost,
  versionOf: (state) => (state.status === 'present' ? state.version : null),
}

/** The post, null when there is none or it was removed. */
export const postOf = (state: PostState): PostState | null => (state.status === 'present' ? state : null)

/** The post of this id. */
export const postAggregate = (id: string) => ({ stream: postStream(id), decider: blogPostDecider })
