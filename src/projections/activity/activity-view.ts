import type { LoggedEvent } from '#application/kernel/codec.ts'
import { keysOf } from '#domain/field-rules.ts'
import { laterFields } from '#domain/artworks/fields.ts'
import { domainEvents, type DomainEventType } from '#domain/events.ts'
import {
  type ActivityLine,
  type ActivityPage,
  type ActivityPlaces,
  type ActivitySubject,
  pageId,
  mostSentences,
} from './lines.ts'
import { moduleOf, type News, newsOf } from './sentences.ts'
import { idOfStream } from '#domain/event.ts'
import type { Projection, Read } from '../runtime/projection.ts'

type ActivityDoc = ActivityPage | ActivitySubject | ActivityPlaces
type Event = LoggedEvent

/** Lines of a page: one that is there is written anew with every command, and each is a document of a replay. */
const linesPerPage = 32
/** So many revisions of a stream have their places in one document: the first in the subject's own. */
const revisionsPerPlaces = 128
/** So many changes of a field, one over the other, are taken back one by one. */
const mostSteps = 8
/** Events that are steps on the way to others, and never news. */
const silent: ReadonlySet<string> = new Set<DomainEventType>([
  'BlogPostImported',
  'BlogPostRevised',
  'BlogPostPictureCopied',
  'BlogPostKeyChanged',
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
  'MessageErased',
])
const beginsAnew: ReadonlySet<string> = new Set<DomainEventType>([
  'ArtworkRestored',
  'CategoryRestored',
  'MediumRestored',
  'BlogPostReturned',
])

/** The keys of the table are the types. */
const types = keysOf(domainEvents)

/** Categories and mediums share a stream, so that their own ids tell them apart. */
const entryIdOf = (event: Event): string | null =>
  moduleOf(event.type) === 'taxonomy' && 'id' in event.data ? event.data.id : null

/**
 * Remembers its last answer: the documents of an event ask for the same one after the other, and a replay feels what is
 * made, and compared, anew for each.
 */
const rememberingLast = <Of, Answer, As = void>(make: (of: Of, as: As) => Answer) => {
  let last: { readonly of: Of; readonly as: As; readonly answer: Answer } | null = null
  return (of: Of, as: As): Answer => {
    if (last === null || last.of !== of || last.as !== as) last = { of, as, answer: make(of, as) }
    return last.answer
  }
}

const subjectOf = rememberingLast(
  (event: Event): string => `subject:${moduleOf(event.type)}:${entryIdOf(event) ?? idOfStream(event.stream)}`,
)
const subjectOfArtwork = (artworkId: string): string => `subject:artworks:${artworkId}`

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

const newsFor = rememberingLast((event: Event, name: string): News | null =>
  silent.has(event.type) ? null : newsOf(event, name),
)
const newsIn = (event: Event, before: ActivitySubject | null, read: Read<ActivityDoc>): News | null =>
  newsFor(event, isNamed(event) ? nameAfter(event, before, read) : '')

const subjectBefore = (event: Event, read: Read<ActivityDoc>): ActivitySubject | null =>
  isNamed(event) ? subjectIn(read, subjectOf(event)) : null

const pageOf = (number: number): number => Math.floor(number / linesPerPage)

/** The ids of a page and the one before. */
const idsOf = rememberingLast((page: number) => ({ here: pageId(page), former: pageId(page - 1) }))

/** Whether the places of an event's stream stand in the subject's own document. */
const isEarly = ({ revision }: Event): boolean => revision < revisionsPerPlaces
const placesOf = ({ stream, revision }: Event): string =>
  `places:${stream}:${Math.floor(revision / revisionsPerPlaces)}`

/** With the page of an event that is news; nothing is looked for by what belongs to no artwork. */
const withPlace = (
  pages: readonly number[],
  artworkId: string | null,
  news: News | null,
  number: number,
): readonly number[] => {
  const page = pageOf(number)
  return artworkId === null || news === null || pages.at(-1) === page ? pages : pages.concat([page])
}

type Steps = ActivitySubject['steps'][string]

/**
 * An undo takes the newest step away, and what stood below is left as it was: it can be undone in turn. Not so below an end:
 * what was done to the thing since it came would go with it.
 */
const stepsAfter = (steps: Steps, { type, meta: { commandId, causationId } }: Event): Steps => {
  const [top = [], below = [], ...rest] = steps
  // The parts of one command are one step.
  if (top.includes(commandId)) return steps
  if (causationId !== commandId && top.at(-1) === causationId)
    return [[commandId, ...below.slice(-mostSteps)], ...rest]
  if (ends.has(type)) return [[commandId]]
  // An undo that is undone itself stands no more, whatever comes of that.
  const kept = steps.slice(0, mostSteps - 1).map((step) => step.filter((id) => id !== causationId))
  return [[commandId], ...kept]
}

const applyToSubject = (
  before: ActivitySubject | null,
  event: Event,
  id: string,
  read: Read<ActivityDoc>,
  number: number,
): ActivitySubject => {
  const news = newsIn(event, before, read)
  const artworkId = artworkIdOf(event, before)
  const pages = before?.pages ?? []
  const steps: { [field: string]: Steps } = { ...before?.steps }
  for (const field of news?.fields ?? []) steps[field] = stepsAfter(steps[field] ?? [], event)
  return {
    id,
    position: event.position,
    kind: 'subject',
    name: nameAfter(event, before, read),
    artworkId,
    deleted: ends.has(event.type) || (before?.deleted === true && !beginsAnew.has(event.type)),
    steps,
    pages: isEarly(event) ? withPlace(pages, artworkId, news, number) : pages,
  }
}

const applyToPlaces = (
  before: ActivityPlaces | null,
  event: Event,
  id: string,
  read: Read<ActivityDoc>,
  number: number,
): ActivityPlaces | null => {
  const subject = subjectBefore(event, read)
  const artworkId = artworkIdOf(event, subject)
  const known = before?.pages ?? []
  const pages = withPlace(known, artworkId, newsIn(event, subject, read), number)
  return pages === known ? before : { id, position: event.position, kind: 'places', artworkId, pages }
}

const lineOf = (page: ActivityPage | null, command: string): ActivityLine | undefined => {
  if (page === null) return undefined
  for (let n = page.lines.length - 1; n >= 0; n -= 1)
    if (page.lines[n]?.command === command) return page.lines[n]
  return undefined
}

const linesByCommand = rememberingLast(
  ({ lines }: ActivityPage): ReadonlyMap<string, ActivityLine> =>
    new Map(lines.map((line) => [line.command, line])),
)
/** The same for a page that is full: every event of the next one asks twice, nearly always for nothing. */
const lineOfFormer = (page: ActivityPage | null, command: string): ActivityLine | undefined =>
  page === null ? undefined : linesByCommand(page).get(command)

type Growing<T> = { -readonly [Key in keyof T]: T[Key] }

const lineFor = (
  event: Event,
  news: News,
  before: ActivitySubject | null,
  earlier: { readonly line: ActivityLine; readonly first: number | undefined } | null,
): ActivityLine => {
  const nth = earlier === null ? 0 : (earlier.line.nth ?? 0) + 1
  const line: Growing<ActivityLine> = {
    command: event.meta.commandId,
    at: event.occurredAt,
    actor: event.meta.actor.kind,
    type: event.type,
    stream: event.stream,
    sentence: nth < mostSentences ? news.sentence : '',
    fields: news.fields,
  }
  const entry = entryIdOf(event)
  if (entry !== null) line.entry = entry
  if (news.undo !== undefined) line.undo = news.undo
  if (moduleOf(event.type) === 'messages') {
    const artworkId = artworkIdOf(event, before)
    if (artworkId !== null) line.artwork = artworkId
  }
  if ('withSamples' in event.data && event.data.withSamples) line.withSamples = true
  if (nth > 0) line.nth = nth
  if (earlier?.first !== undefined) line.first = earlier.first
  return line
}

/** The page that an event stands on, with its line. */
const applyToPage = (
  before: ActivityPage | null,
  event: Event,
  read: Read<ActivityDoc>,
  number: number,
): ActivityPage | null => {
  const subject = subjectBefore(event, read)
  const news = newsIn(event, subject, read)
  if (news === null) return before
  const { commandId } = event.meta
  const page = pageOf(number)
  const here = lineOf(before, commandId)
  const former = here === undefined ? lineOfFormer(formerIn(read, page), commandId) : undefined
  const earlier = here
    ? { line: here, first: here.first }
    : former && { line: former, first: former.first ?? page - 1 }
  // Not spread: one more behind a spread makes room for half as many again, which a replay feels.
  const lines = (before?.lines ?? []).concat([lineFor(event, news, subject, earlier ?? null)])
  return { id: idsOf(page).here, position: event.position, kind: 'page', page, lines }
}

const formerIn = (read: Read<ActivityDoc>, page: number): ActivityPage | null => {
  const doc = page === 0 ? null : read(idsOf(page).former)
  return doc?.kind === 'page' ? doc : null
}

/** The page before the one that an event stands on: it says of a command that it goes on. */
const applyToFormer = (
  before: ActivityPage | null,
  event: Event,
  read: Read<ActivityDoc>,
): ActivityPage | null => {
  const line = lineOfFormer(before, event.meta.commandId)
  if (before === null || line === undefined || line.goesOn === true) return before
  if (newsIn(event, subjectBefore(event, read), read) === null) return before
  const lines = before.lines.map((each) => (each === line ? { ...line, goesOn: true as const } : each))
  return { ...before, position: event.position, lines }
}

/** Documents of another kind never have the id. */
const as = <Kind extends ActivityDoc['kind']>(kind: Kind, doc: ActivityDoc | null) =>
  doc?.kind === kind ? (doc as Extract<ActivityDoc, { readonly kind: Kind }>) : null

/**
 * What happened, in pages of so many events: a document for each command would be most of what a replay writes.
 * A command that goes on over several pages is put together when it is read (entries.ts).
 */
export const activityProjection: Projection<ActivityDoc> = {
  view: {
    name: 'activity',
    // It hears of every type: a field of an artwork that came adds one, any other type is counted by hand.
    version: 8 + laterFields.length,
    indexes: [['kind', 'page'], ['artworkId']],
  },
  models: ['activity'],
  unawaited: true,
  handles: types,
  numbers: types.filter((type) => !silent.has(type)),
  keep: 500,
  targets: (event, number) => {
    const ids = isNamed(event) ? [subjectOf(event)] : []
    if (silent.has(event.type)) return { ids }
    const page = pageOf(number)
    ids.push(idsOf(page).here)
    if (page > 0) ids.push(idsOf(page).former)
    if (!isEarly(event)) ids.push(placesOf(event))
    return { ids }
  },
  reads: (event) =>
    event.type === 'MessageReceived' && event.data.artworkId !== null
      ? [subjectOfArtwork(event.data.artworkId)]
      : [],
  apply: (doc, event, id, read, number) => {
    if (id.startsWith('subject:')) return applyToSubject(as('subject', doc), event, id, read, number)
    if (id.startsWith('places:')) return applyToPlaces(as('places', doc), event, id, read, number)
    return id === idsOf(pageOf(number)).here
      ? applyToPage(as('page', doc), event, read, number)
      : applyToFormer(as('page', doc), event, read)
  },
}
