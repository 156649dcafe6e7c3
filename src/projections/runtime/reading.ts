import type { Documents, ViewDefinition, ViewPlace } from '#application/kernel/ports/documents.ts'
import { earlier, type Position } from '#application/kernel/ports/event-store.ts'

/** Where each view stands, by its name, as of one moment. */
export type Reading = ReadonlyMap<string, ViewPlace>

/** Where one view stands. */
export const positionIn = (reading: Reading | null, view: string): Position | null =>
  reading?.get(view)?.position ?? null

/** Where all of them stand. */
export const positionsIn = (reading: Reading): readonly (Position | null)[] =>
  [...reading.values()].map(({ position }) => position)

/** Up to where every view shows the log. */
export const upToIn = (reading: Reading): Position | null => positionsIn(reading).reduce(earlier)

/** Whether a view stands behind where it stood: what is read was put back from an older copy. */
export const isOlder = (reading: Reading, before: Reading): boolean =>
  [...before].some(([view, { position }]) => (positionIn(reading, view) ?? '') < (position ?? ''))

/** What was read, and what this process has stored itself meanwhile. */
export const withOwn = (reading: Reading, own: Reading): Reading => {
  const further = [...own].filter(
    ([view, { position }]) => (position ?? '') > (positionIn(reading, view) ?? ''),
  )
  return further.length === 0 ? reading : new Map([...reading, ...further])
}

/** Reads where views stand. @param nameOf what each is called in what is read */
export const readPlaces = async (
  documents: Pick<Documents, 'places'>,
  views: readonly ViewDefinition[],
  nameOf: (view: ViewDefinition) => string,
): Promise<Reading> => {
  const places = await documents.places(views)
  return new Map(views.map((view, n) => [nameOf(view), places[n] ?? { position: null, changedAt: null }]))
}
