import { keysOf } from '#domain/field-rules.ts'
import { canUndoCommand } from '#application/activity/undoable.ts'
import type { Actor } from '#application/kernel/ports/event-store.ts'
import { domainEvents, type DomainEventType } from '#domain/events.ts'
import { type ActivityModule, moduleOf, tell, type Told } from './sentences.ts'
import {
  idOfStream,
  type ProjectedEvent,
  type Projection,
  type Read,
  type ViewDocument,
} from '../runtime/projection.ts'

/** What one command did, in words; its id is the command's. */
export interface ActivityEntry extends ViewDocument {
  readonly kind: 'entry'
  readonly at: string
  /** position of its first event: the order of the list */
  readonly arrival: string
  readonly actor: Actor['kind']
  /** one sentence for each event, up to {@link toldAtMost} */
  readonly sentences: readonly string[]
  /** events beyond those */
  readonly more: number
  /** how much of each kind went with the sample content; null for every other command */
  readonly samples: SampleTally | null
  readonly module: ActivityModule
  readonly subjectId: string
  /** the artwork it belongs to, for the filter; a message may be about one; null where it changed many things */
  readonly artworkId: string | null
  /** where its events stand */
  readonly streams: readonly string[]
  readonly subjects: readonly string[]
  readonly types: readonly string[]
  readonly fields: readonly string[]
  /** words for the button; null when this can never be undone */
  readonly undo: string | null
}

/** Counts of what goes when the sample content is removed. */
export type SampleTally = {
  readonly [Kind in 'artworks' | 'posts' | 'texts' | 'categories' | 'mediums']: number
}

/** What a later sentence must know of an artwork, a category, a post or a message. */
export interface ActivitySubject extends ViewDocument {
  readonly kind: 'subject'
  readonly name: string
  readonly artworkId: string | null
  readonly deleted: boolean
  /** which entry changed what last: only that one can still be undone */
  readonly lastBy: { readonly [field: string]: string }
}

type ActivityDoc = ActivityEntry | ActivitySubject
type Event = ProjectedEvent

const toldAtMost = 6

/** Events that are steps on the way to others, and never news. */
const silent: ReadonlySet<string> = new Set<DomainEventType>([
  'BlogPostImported',
  'BlogPostRevised',
  'BlogPostPictureCopied',
  'BlogSyncStarted',
  'EnquiryMailSkipped',
  'ImageUploaded',
  'ImageProcessed',
  'ImageReprocessingRequested',
  'ImageDiscarded',
])

const ends: ReadonlySet<string> = new Set<DomainEventType>([
  'ArtworkDeleted',
  'SampleArtworkRemoved',
  'CategoryDeleted',
  'MediumDeleted',
  'BlogPostRemoved',
])
const beginsAnew: ReadonlySet<string> = new Set<DomainEventType>([
  'ArtworkRestored',
  'CategoryRestored',
  'MediumRestored',
  'BlogPostReturned',
])

/** Categories and mediums share a stream, so that their own ids tell them apart. */
const subjectIdOf = (event: Event): string =>
  moduleOf(event.type) === 'taxonomy' && 'id' in event.data ? event.data.id : idOfStream(event.stream)

const subjectOf = (event: Event): string => `subject:${moduleOf(event.type)}:${subjectIdOf(event)}`
const subjectOfArtwork = (artworkId: string): string => `subject:artworks:${artworkId}`

/** The artwork an event belongs to. */
const artworkIdOf = (event: Event, before: ActivitySubject | null): string | null => {
  if (moduleOf(event.type) === 'artworks') return idOfStream(event.stream)
  return event.type === 'MessageReceived' ? event.data.artworkId : (before?.artworkId ?? null)
}

const subjectIn = (read: Read<ActivityDoc>, id: string): ActivitySubject | null => {
  const doc = read(id)
  return doc?.kind === 'subject' ? doc : null
}

/** Images and runs of the sync have no name, and nothing about them can be undone. */
const isNamed = ({ type }: Event): boolean => moduleOf(type) !== 'images' && !type.startsWith('BlogSync')

/** What the subject is called after the event. */
const nameAfter = (event: Event, before: ActivitySubject | null, read: Read<ActivityDoc>): string => {
  switch (event.type) {
    case 'ArtworkAdded':
      return event.data.title
    case 'ArtworkRetitled':
    case 'CategoryRenamed':
    case 'MediumRenamed':
      return event.data.to
    case 'CategoryAdded':
    case 'MediumAdded':
      return event.data.name
    case 'BlogPostImported':
    case 'BlogPostReturned':
      return event.data.post.title
    case 'BlogPostRevised':
      return event.data.to.title
    case 'MessageReceived': {
      const { artworkId } = event.data
      return artworkId === null ? '' : (subjectIn(read, subjectOfArtwork(artworkId))?.name ?? '')
    }
    default:
      return before?.name ?? ''
  }
}

const toldBy = (event: Event, read: Read<ActivityDoc>): Told | null => {
  if (silent.has(event.type)) return null
  return tell(event, isNamed(event) ? nameAfter(event, subjectIn(read, subjectOf(event)), read) : '')
}

const applyToSubject = (
  before: ActivitySubject | null,
  event: Event,
  id: string,
  read: Read<ActivityDoc>,
): ActivitySubject | null => {
  if (event.type === 'MessageErased') return null
  const fields = toldBy(event, read)?.fields ?? []
  const by = Object.fromEntries(fields.map((field) => [field, event.meta.commandId]))
  const deleted = ends.has(event.type) || (before?.deleted === true && !beginsAnew.has(event.type))
  return {
    id,
    position: event.position,
    kind: 'subject',
    name: nameAfter(event, before, read),
    artworkId: artworkIdOf(event, before),
    deleted,
    lastBy: { ...before?.lastBy, ...by },
  }
}

const noSamples: SampleTally = { artworks: 0, posts: 0, texts: 0, categories: 0, mediums: 0 }

const withSample = (tally: SampleTally | null, event: Event): SampleTally | null => {
  const plus = (kind: keyof SampleTally, count = 1): SampleTally => {
    const before = tally ?? noSamples
    return { ...before, [kind]: before[kind] + count }
  }
  switch (event.type) {
    case 'SampleArtworkRemoved':
      return plus('artworks')
    case 'BlogPostRemoved':
      return event.data.reason === 'sample' ? plus('posts') : tally
    case 'SampleContentRemoved':
      return plus('texts', Object.keys(event.data.changes).length)
    case 'CategoryDeleted':
      return event.data.withSamples ? plus('categories') : tally
    case 'MediumDeleted':
      return event.data.withSamples ? plus('mediums') : tally
    default:
      return tally
  }
}

/** Words for the button of what was told so far; null when it can not be undone. */
const undoOf = (
  types: readonly string[],
  streams: readonly string[],
  samples: SampleTally | null,
  only: Told | null,
): string | null => {
  if (!canUndoCommand(types, streams.length)) return null
  if (only !== null) return only.undo ?? 'Undo'
  return samples === null ? 'Undo these changes' : 'Bring the sample content back'
}

const union = (one: readonly string[], other: readonly string[]): readonly string[] => [
  ...new Set([...one, ...other]),
]

const applyToEntry = (
  before: ActivityEntry | null,
  event: Event,
  id: string,
  read: Read<ActivityDoc>,
): ActivityEntry | null => {
  const told = toldBy(event, read)
  if (told === null) return before
  const { position } = event
  const types = union(before?.types ?? [], [event.type])
  const streams = union(before?.streams ?? [], [event.stream])
  const subjects = union(before?.subjects ?? [], [subjectOf(event)])
  const fields = union(before?.fields ?? [], told.fields)
  const samples = withSample(before?.samples ?? null, event)
  const happened = { position, types, streams, subjects, fields, samples }
  if (before !== null) {
    const room = before.sentences.length < toldAtMost
    return {
      ...before,
      ...happened,
      sentences: room ? [...before.sentences, told.sentence] : before.sentences,
      more: room ? before.more : before.more + 1,
      artworkId: subjects.length === before.subjects.length ? before.artworkId : null,
      undo: undoOf(types, streams, samples, null),
    }
  }
  return {
    ...happened,
    id,
    kind: 'entry',
    at: event.occurredAt,
    arrival: position,
    actor: event.meta.actor.kind,
    sentences: [told.sentence],
    more: 0,
    module: moduleOf(event.type),
    subjectId: subjectIdOf(event),
    artworkId: isNamed(event) ? artworkIdOf(event, subjectIn(read, subjectOf(event))) : null,
    undo: undoOf(types, streams, samples, told),
  }
}

export const activityProjection: Projection<ActivityDoc> = {
  view: {
    name: 'activity',
    version: 3,
    indexes: [
      ['kind', 'arrival'],
      ['artworkId', 'kind', 'arrival'],
    ],
  },
  models: ['activity'],
  // The keys of the table are the types.
  handles: keysOf(domainEvents),
  keep: 500,
  targets: (event) => ({
    ids: [
      ...(silent.has(event.type) ? [] : [event.meta.commandId]),
      ...(isNamed(event) ? [subjectOf(event)] : []),
    ],
  }),
  reads: (event) =>
    event.type === 'MessageReceived' && event.data.artworkId !== null
      ? [subjectOfArtwork(event.data.artworkId)]
      : [],
  apply: (doc, event, id, read) =>
    id === subjectOf(event)
      ? applyToSubject(doc?.kind === 'subject' ? doc : null, event, id, read)
      : applyToEntry(doc?.kind === 'entry' ? doc : null, event, id, read),
}
