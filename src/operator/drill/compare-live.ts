import { createHash } from 'node:crypto'
import { canonicalJson } from '#application/kernel/archive/canonical-json.ts'
import { eventLine, siteKnownBy } from '#application/kernel/archive/event-line.ts'
import { eventsUpTo } from '#application/kernel/archive/export-events.ts'
import type { DocumentQuery, StoredDocument } from '#application/kernel/ports/documents.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { counted } from '#domain/list-in-words.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { allProjections } from '#projections/all-projections.ts'
import type { Projection, ViewDocument } from '#projections/runtime/projection.ts'

/** What came of comparing a restored site with the one that lives here. */
export interface LiveComparison {
  /** documents that are as they are shown here */
  readonly documents: number
  /** what differs, in words */
  readonly problems: readonly string[]
  /** what could not be compared, in words */
  readonly notes: readonly string[]
}

const pageSize = 200
/** So many documents are named. */
const mostNamed = 10

/** What a backup's log is known by. */
export interface Logged {
  readonly events: number
  readonly logSha256: string
  /** as `siteKnownBy` tells it; null: the log is empty */
  readonly site: string | null
}

/** What became in the log here of the events of a backup. */
interface Common {
  /** where the last of them stands here; null when the logs are not one */
  readonly at: Position | null
  readonly words: string
  readonly isOther: boolean
}

/** Reads as many events here as the backup has: a log only ever grows. */
const commonPart = async (
  live: Engines,
  { events: wanted, logSha256, site }: Logged,
  signal: AbortSignal,
): Promise<Common> => {
  const hash = createHash('sha256')
  let events = 0
  for await (const page of eventsUpTo(live.eventStore, await live.eventStore.head(), { signal })) {
    for (const event of page) {
      if (events === 0 && siteKnownBy(event) !== site)
        return { at: null, words: 'The backup is of another site than the one here', isOther: true }
      hash.update(`${eventLine(event)}\n`)
      events += 1
      if (events < wanted) continue
      if (hash.digest('hex') === logSha256) return { at: event.position, words: '', isOther: false }
      const words = 'The log here holds other events than the backup, although both begin alike'
      return { at: null, words, isOther: false }
    }
  }
  const words = `The log here has ${counted(events, 'event')}, the backup ${wanted}: the site here has lost some`
  return events === 0
    ? { at: null, words: 'The log here is empty', isOther: true }
    : { at: null, words, isOther: false }
}

/** A place in a log, of either engine: it is another one where the same events were restored. */
const place = /^(?:\d{16}|[0-9a-f]{16}-[0-9a-f]{16})$/

const withoutPlaces = (document: ViewDocument): string =>
  canonicalJson(
    JSON.parse(
      JSON.stringify(document, (_, value: unknown) =>
        typeof value === 'string' && place.test(value) ? '' : value,
      ),
    ),
  )

/**
 * Compares one view. What an event behind the backup has changed is not compared; what it has removed cannot be known
 * here.
 * @returns ids that differ
 */
const compareView = async (
  live: Engines,
  restored: Engines,
  { view }: Projection,
  at: Position,
  signal: AbortSignal,
): Promise<{ readonly compared: number; readonly differing: readonly string[] }> => {
  const differing: string[] = []
  let compared = 0
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted()
    const query: DocumentQuery = { limit: pageSize, ...(after === null ? {} : { after: [after] }) }
    const page: readonly StoredDocument<ViewDocument>[] = await live.documents.findStored<ViewDocument>(
      view,
      query,
    )
    // The stamp was a position before it became a field of the document.
    const old = page.flatMap(({ document }) =>
      document !== null && document.position <= at ? [document] : [],
    )
    const found = await restored.documents.getMany<ViewDocument>(
      view,
      old.map(({ id }) => id),
    )
    const texts = new Map(found.map((document) => [document.id, withoutPlaces(document)]))
    for (const document of old)
      if (texts.get(document.id) !== withoutPlaces(document)) differing.push(document.id)
    compared += old.length
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return { compared, differing }
    after = last.id
  }
}

/**
 * Compares a restored site with the one that lives here: its log begins with that of the backup, and whatever no later
 * event has changed is shown as it would be from the backup.
 */
export const compareWithLive = async (
  live: Engines,
  restored: Engines,
  logged: Logged,
  signal: AbortSignal,
): Promise<LiveComparison> => {
  const { at, words, isOther } = await commonPart(live, logged, signal)
  if (at === null)
    return isOther
      ? { documents: 0, problems: [], notes: [`${words}, and was not compared with it`] }
      : { documents: 0, problems: [words], notes: [] }
  const problems: string[] = []
  const notes: string[] = []
  let documents = 0
  const reached = await live.documents.checkpoints(allProjections.map(({ view }) => view))
  for (const [n, projection] of allProjections.entries()) {
    const { name } = projection.view
    const stands = reached[n] ?? null
    if (stands === null || stands < at) {
      notes.push(`The view ${name} here is behind the backup, and was not compared with it`)
      continue
    }
    const { compared, differing } = await compareView(live, restored, projection, at, signal)
    documents += compared - differing.length
    if (differing.length === 0) continue
    const ids = differing.slice(0, mostNamed).join(', ')
    problems.push(
      `${differing.length} of ${name} are shown here otherwise than from the backup (${ids}): run "atelier projections verify ${name}"`,
    )
  }
  return { documents, problems, notes }
}
