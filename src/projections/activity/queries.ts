import type { PastCommand } from '#application/activity/undo.ts'
import { canUndoCommand } from '#application/activity/undoable.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { EventStore, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import {
  type ActivityEntry,
  activityProjection,
  type ActivitySubject,
  type SampleTally,
} from './activity-view.ts'

/** One thing that happened, key for key as the API answers it. */
interface ActivityItem extends Pick<ActivityEntry, 'id' | 'at' | 'module' | 'subjectId'> {
  readonly actor: string
  readonly sentence: string
  /** there while it can be undone, with the words for the button */
  readonly undo?: { readonly label: string }
}

interface ActivityPage {
  readonly items: readonly ActivityItem[]
  /** goes into `before` for the page after this one; null at the end */
  readonly next: string | null
}

const { view } = activityProjection
const newestFirst = [{ field: 'arrival', descending: true }] as const
const pageUnlessTold = 50

const actors = { owner: 'You', visitor: 'A visitor', system: 'The site' } as const

/** The kinds of sample content in words: one of them, several. */
const kinds: { readonly [Kind in keyof SampleTally]: readonly [string, string] } = {
  artworks: ['work', 'works'],
  posts: ['journal post', 'journal posts'],
  texts: ['text', 'texts'],
  categories: ['category', 'categories'],
  mediums: ['medium', 'mediums'],
}

const samplesInWords = (tally: SampleTally): string => {
  // The keys of the table are the kinds.
  const told = (Object.keys(kinds) as (keyof SampleTally)[])
    .filter((kind) => tally[kind] > 0)
    .map((kind) => `${tally[kind]} ${kinds[kind][tally[kind] === 1 ? 0 : 1]}`)
  return `The sample content was removed: ${told.join(', ')}`
}

const sentenceOf = ({ sentences, more, samples }: ActivityEntry): string => {
  if (samples !== null && sentences.length > 1) return samplesInWords(samples)
  return more > 0 ? `${sentences.join('; ')}; and ${more} more changes` : sentences.join('; ')
}

type Subjects = ReadonlyMap<string, ActivitySubject>

/**
 * Whether what the entry changed is as it left it, as far as the log tells: nothing of it was changed since,
 * and a deleted artwork can only be brought back. Of an entry that changed many things any will do.
 */
const stillStands = (entry: ActivityEntry, subjects: Subjects): boolean => {
  const [only, second] = entry.subjects
  if (second !== undefined)
    return entry.subjects.some((id) => Object.values(subjects.get(id)?.lastBy ?? {}).includes(entry.id))
  const subject = only === undefined ? undefined : subjects.get(only)
  return (
    subject !== undefined &&
    entry.fields.every((field) => subject.lastBy[field] === entry.id) &&
    (!subject.deleted || entry.fields.includes('existence'))
  )
}

const answer = (entry: ActivityEntry, subjects: Subjects): ActivityItem => {
  const { id, at, module, subjectId, undo } = entry
  const item = { id, at, actor: actors[entry.actor], sentence: sentenceOf(entry), module, subjectId }
  return undo !== null && stillStands(entry, subjects) ? { ...item, undo: { label: undo } } : item
}

const subjectsOf = async (documents: Documents, entries: readonly ActivityEntry[]): Promise<Subjects> => {
  const ids = [...new Set(entries.flatMap(({ undo, subjects }) => (undo === null ? [] : subjects)))]
  if (ids.length === 0) return new Map()
  const found = await documents.getMany<ActivitySubject>(view, ids)
  return new Map(found.map((subject) => [subject.id, subject]))
}

const findEntry = async (documents: Documents, id: string): Promise<ActivityEntry | null> => {
  const doc = await documents.get<ActivityEntry>(view, id)
  return doc?.kind === 'entry' ? doc : null
}

/**
 * What happened, newest first.
 * @param page `artworkId`: only what belongs to this artwork; `before`: the `next` of the page before;
 *   `limit`: entries, 50 unless told
 */
export const listActivity = async (
  documents: Documents,
  page: {
    readonly artworkId?: string | undefined
    readonly before?: string | undefined
    readonly limit?: number | undefined
  },
): Promise<ActivityPage> => {
  const limit = page.limit ?? pageUnlessTold
  const last = page.before === undefined ? null : await findEntry(documents, page.before)
  if (page.before !== undefined && last === null) return { items: [], next: null }
  const found = await documents.find<ActivityEntry>(view, {
    where: { kind: 'entry', ...(page.artworkId === undefined ? {} : { artworkId: page.artworkId }) },
    order: newestFirst,
    ...(last === null ? {} : { after: [last.arrival, last.id] }),
    limit: limit + 1,
  })
  const entries = found.slice(0, limit)
  const subjects = await subjectsOf(documents, entries)
  return {
    items: entries.map((entry) => answer(entry, subjects)),
    next: found.length > limit ? (entries.at(-1)?.id ?? null) : null,
  }
}

/** What undoing an entry needs. */
export interface UndoableCommand extends PastCommand {
  /** false: it can never be undone; whether it still can be now is for the decider to say */
  readonly undoable: boolean
}

const pageOf = 500

/**
 * Where the events of a command stand. What the activity does not show yet is looked for in the log behind it,
 * so that an act can be taken back in the moment it is done. Null when there is no such command.
 */
export const findUndoable = async (
  stores: { readonly documents: Documents; readonly eventStore: Pick<EventStore, 'readAll'> },
  id: string,
): Promise<UndoableCommand | null> => {
  const { documents, eventStore } = stores
  // First the checkpoint: documents are never behind it.
  let [after = null] = await documents.checkpoints([view])
  const entry = await findEntry(documents, id)
  const types = new Set(entry?.types)
  const streams = new Set(entry?.streams)
  for (;;) {
    const events: readonly RecordedEvent[] = await eventStore.readAll(after, pageOf)
    for (const { meta, type, stream } of events) {
      if (meta.commandId !== id) continue
      types.add(type)
      streams.add(stream)
    }
    const last = events.at(-1)
    if (last === undefined) break
    after = last.position
  }
  if (streams.size === 0) return null
  return { commandId: id, streams: [...streams], undoable: canUndoCommand([...types], streams.size) }
}
