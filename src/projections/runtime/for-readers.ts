import type { Logger } from '#application/kernel/ports/logger.ts'
import { type Documents, UnreadableDocuments } from '#application/kernel/ports/documents.ts'

/**
 * Documents as people are shown them: one that cannot be read is left out of a list, so that the others of it are
 * there, and is told of once. A single document that cannot be read still throws.
 * @param warn hears of each such document once
 */
export const forReaders = (documents: Documents, warn: Logger['warn']): Documents => {
  const warned = new Set<string>()
  const warnOnce = (view: string, ids: readonly string[]): void => {
    const fresh = ids.filter((id) => !warned.has(`${view} ${id}`))
    for (const id of fresh) warned.add(`${view} ${id}`)
    if (fresh.length > 0)
      warn(
        { view, ids: fresh },
        `Left out what cannot be read. Build the view anew: atelier projections rebuild ${view}`,
      )
  }
  return {
    ...documents,
    find: async (view, query) => {
      const found = await documents.findStored<never>(view, query)
      warnOnce(
        view.name,
        found.filter(({ document }) => document === null).map(({ id }) => id),
      )
      return found.flatMap(({ document }) => document ?? [])
    },
    getMany: async (view, ids) => {
      try {
        return await documents.getMany(view, ids)
      } catch (error) {
        if (!(error instanceof UnreadableDocuments)) throw error
        const bad = new Set(error.ids)
        warnOnce(view.name, [...bad])
        return documents.getMany(
          view,
          ids.filter((id) => !bad.has(id)),
        )
      }
    },
  }
}
