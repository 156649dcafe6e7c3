import type { Documents, ViewDefinition } from '#application/kernel/ports/documents.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { keyOf, type LastChange, lastChanges } from './view-versions.ts'

/** One reading of the checkpoints. */
export interface Reading {
  /** every view shows the log up to here */
  readonly upTo: Position | null
  readonly places: readonly (Position | null)[]
  /** by view name: the same text always means the same documents */
  readonly versions: ReadonlyMap<string, string>
}

/** Reads where the views stand and when each last changed. Each call begins after the one before has ended. */
export const openReader = (
  documents: Pick<Documents, 'checkpoints' | 'getMany'>,
  views: readonly ViewDefinition[],
): (() => Promise<Reading>) => {
  const ids = views.map(keyOf)
  let before: Position | null | undefined

  const changesOf = (): Promise<readonly LastChange[]> => documents.getMany<LastChange>(lastChanges, ids)

  return async () => {
    const [[own = null, ...places], early] = await Promise.all([
      documents.checkpoints([lastChanges, ...views]),
      changesOf(),
    ])
    // What was read beside the checkpoints may be older than they: it will do where they have not moved.
    const changes = own === before ? early : await changesOf()
    before = own
    const known = new Map(changes.map(({ id, changedAt }) => [id, changedAt]))
    const isOlder = (changedAt: string): boolean =>
      own !== null && (changedAt <= own || changedAt.startsWith(`${own}+`))
    const versions = views.map((view, n) => {
      const place = places[n] ?? null
      const noted = known.get(keyOf(view))
      // While a batch is being stored the place itself tells documents apart; it is never too early.
      const changedAt = place === own && noted !== undefined && isOlder(noted) ? noted : (place ?? '')
      return [view.name, `${keyOf(view)}:${changedAt}`] as const
    })
    const all = [own, ...places]
    const upTo = all.reduce((a, b) => (a === null || b === null || a < b ? a : b), own)
    return { upTo, places, versions: new Map(versions) }
  }
}

/**
 * Lets those who ask share one reading: each gets one that began after it asked, and no two are under way.
 */
export const shareReadings = (read: () => Promise<Reading>): (() => Promise<Reading>) => {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<Reading> | null = null
  return () => {
    if (next !== null) return next
    const begin = (): Promise<Reading> => {
      next = null
      return read()
    }
    next = current.then(begin, begin)
    current = next
    return next
  }
}
