import { canUndoCommand } from '#application/activity/undoable.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import { activityProjection } from './activity-view.ts'
import { type ActivityLine, type ActivityPage, pageId, mostSentences } from './lines.ts'
import { moduleOf } from './sentences.ts'
import { idOfStream } from '#domain/event.ts'
import type { EventModule } from '#domain/events.ts'

const { view } = activityProjection

/** Counts of what goes when the sample content is removed. */
type SampleTally = {
  readonly [Kind in 'artworks' | 'posts' | 'texts' | 'categories' | 'mediums']: number
}

/** What one command did; its id is the command's. */
export interface ActivityEntry {
  readonly id: string
  /** where its first line stands: the order of the list */
  readonly page: number
  readonly at: string
  readonly actor: ActivityLine['actor']
  /** one sentence for each event, as far as they are told */
  readonly sentences: readonly string[]
  /** events beyond those */
  readonly more: number
  /** how much of each kind went with the sample content; null for every other command */
  readonly samples: SampleTally | null
  readonly module: EventModule
  readonly subjectId: string
  /** the artwork it belongs to; a message may be about one; null where it changed many things */
  readonly artworkId: string | null
  /** what it changed of each thing, by the id of its subject */
  readonly changes: ReadonlyMap<string, readonly string[]>
  /** words for the button; null when this can never be undone */
  readonly undo: string | null
}

const distinct = (all: readonly string[]): readonly string[] => [...new Set(all)]

const subjectIdOf = ({ entry, stream }: ActivityLine): string => entry ?? idOfStream(stream)

/** The artwork a line belongs to. */
const artworkIdOf = (line: ActivityLine): string | null =>
  moduleOf(line.type) === 'artworks' ? idOfStream(line.stream) : (line.artwork ?? null)

const sampleOf = ({ type, fields, withSamples }: ActivityLine): Partial<SampleTally> | null => {
  switch (type) {
    case 'SampleArtworkRemoved':
      return { artworks: 1 }
    case 'BlogPostRemoved':
      // Of posts only the samples are told.
      return { posts: 1 }
    case 'SampleContentRemoved':
      return { texts: fields.length }
    case 'CategoryDeleted':
      return withSamples === true ? { categories: 1 } : null
    case 'MediumDeleted':
      return withSamples === true ? { mediums: 1 } : null
    default:
      return null
  }
}

const tallyOf = (lines: readonly ActivityLine[]): SampleTally | null => {
  const samples = lines.flatMap((line) => sampleOf(line) ?? [])
  if (samples.length === 0) return null
  const sum = (kind: keyof SampleTally): number => samples.reduce((n, each) => n + (each[kind] ?? 0), 0)
  return {
    artworks: sum('artworks'),
    posts: sum('posts'),
    texts: sum('texts'),
    categories: sum('categories'),
    mediums: sum('mediums'),
  }
}

const undoOf = (
  lines: readonly ActivityLine[],
  types: readonly string[],
  samples: SampleTally | null,
): string | null => {
  if (!canUndoCommand(types, distinct(lines.map(({ stream }) => stream)).length)) return null
  if (lines.length === 1) return lines[0]?.undo ?? 'Undo'
  return samples === null ? 'Undo these changes' : 'Bring the sample content back'
}

const changesOf = (lines: readonly ActivityLine[]): ReadonlyMap<string, readonly string[]> => {
  const changes = new Map<string, string[]>()
  for (const line of lines) {
    const subject = `subject:${moduleOf(line.type)}:${subjectIdOf(line)}`
    const fields = changes.get(subject) ?? []
    changes.set(subject, fields)
    fields.push(...line.fields)
  }
  return changes
}

const entryOf = (first: ActivityLine, lines: readonly ActivityLine[], page: number): ActivityEntry => {
  const changes = changesOf(lines)
  const samples = tallyOf(lines)
  return {
    id: first.command,
    page,
    at: first.at,
    actor: first.actor,
    sentences: lines.slice(0, mostSentences).map(({ sentence }) => sentence),
    more: Math.max(0, lines.length - mostSentences),
    samples,
    module: moduleOf(first.type),
    subjectId: subjectIdOf(first),
    artworkId: changes.size === 1 ? artworkIdOf(first) : null,
    changes,
    undo: undoOf(lines, distinct(lines.map(({ type }) => type)), samples),
  }
}

const linesOn = (page: ActivityPage | undefined, command: string): readonly ActivityLine[] =>
  page?.lines.filter((line) => line.command === command) ?? []

/** What a command did, from the page it begins on as far as the pages go that were read. */
interface Part {
  readonly page: number
  readonly lines: readonly ActivityLine[]
  /** the page it goes on on; null when all of it is here */
  readonly next: number | null
}

const partOn = (page: ActivityPage, command: string): Part => {
  const lines = linesOn(page, command)
  return { page: page.page, lines, next: lines.at(-1)?.goesOn === true ? page.page + 1 : null }
}

/** Reads pages by their numbers; what is not there is left out. */
export const pagesAt = async (
  documents: Documents,
  numbers: readonly number[],
): Promise<readonly ActivityPage[]> => {
  const found = numbers.length === 0 ? [] : await documents.getMany<ActivityPage>(view, numbers.map(pageId))
  return [...found].sort((a, b) => b.page - a.page)
}

/** With what the commands did on later pages than those that were read. */
const completed = async (documents: Documents, parts: readonly Part[]): Promise<readonly Part[]> => {
  const wanted = new Set(parts.flatMap(({ next }) => next ?? []))
  if (wanted.size === 0) return parts
  const pages = new Map((await pagesAt(documents, [...wanted])).map((page) => [page.page, page]))
  const grown = parts.map((part): Part => {
    const page = part.next === null ? undefined : pages.get(part.next)
    const command = part.lines[0]?.command ?? ''
    if (page === undefined) return { ...part, next: null }
    const { lines, next } = partOn(page, command)
    return { page: part.page, lines: [...part.lines, ...lines], next }
  })
  return completed(documents, grown)
}

/** The entries that begin on these pages, newest first as the pages are. */
export const entriesOn = async (
  documents: Documents,
  pages: readonly ActivityPage[],
): Promise<readonly ActivityEntry[]> => {
  const parts = pages.flatMap((page) =>
    page.lines
      .filter(({ nth }) => nth === undefined)
      .map(({ command }) => partOn(page, command))
      .reverse(),
  )
  return (await completed(documents, parts)).flatMap(({ page, lines }) => {
    const [first] = lines
    return first === undefined ? [] : [entryOf(first, lines, page)]
  })
}
