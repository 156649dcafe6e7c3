import type { Documents, ViewDefinition, ViewPlace } from '#application/kernel/ports/documents.ts'

/** Where each view stands, by its name, as of one moment. */
export type Reading = ReadonlyMap<string, ViewPlace>

/** Reads where the views stand. */
export const openReader =
  (documents: Pick<Documents, 'places'>, views: readonly ViewDefinition[]) => async (): Promise<Reading> => {
    const places = await documents.places(views)
    return new Map(views.map(({ name }, n) => [name, places[n] ?? { position: null, changedAt: null }]))
  }
