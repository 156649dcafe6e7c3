import type { EventStore, Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'

type ReadAll = EventStore['readAll']

/**
 * Reads a log page by page and asks for the next page before somebody does, so that a log on a server is read while
 * the page before is folded in. One page is held at the most. What fails ahead is asked for again when it is wanted.
 */
export const readingAhead = (readAll: ReadAll): ReadAll => {
  let ahead: {
    readonly after: Position
    readonly page: Promise<readonly RecordedEvent[] | null>
  } | null = null
  return async (after, limit) => {
    const page = (ahead?.after === after ? await ahead.page : null) ?? (await readAll(after, limit))
    const last = page.at(-1)
    ahead = last ? { after: last.position, page: readAll(last.position, limit).catch(() => null) } : null
    return page
  }
}
