import type { Documents, StoredDocument, ViewDefinition } from '#application/kernel/ports/documents.ts'
import type { Json } from '#application/kernel/ports/event-store.ts'

/** One document that is served otherwise than the log says. */
export interface Difference {
  readonly view: string
  readonly id: string
  /** `missing`: the log has it, it is not served; `surplus`: it is served, the log does not have it */
  readonly kind: 'missing' | 'surplus' | 'different'
  /** the fields that differ, as they are served and as the log says; empty for what cannot be read, and unless `different` */
  readonly fields: Readonly<Record<string, { readonly served: Json; readonly log: Json }>>
}

/** Documents read at once while comparing. */
const pageSize = 100

const isSame = (a: Json | undefined, b: Json | undefined): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [one, other] = [Object.entries(a), new Map<string, Json>(Object.entries(b))]
  return one.length === other.size && one.every(([key, value]) => isSame(value, other.get(key)))
}

const differenceOf = (
  view: string,
  one: StoredDocument | undefined,
  other: StoredDocument | undefined,
): Difference | null => {
  const id = one?.id ?? other?.id ?? ''
  if (one === undefined || other === undefined)
    return { view, id, kind: one === undefined ? 'missing' : 'surplus', fields: {} }
  const { document: served } = one
  const { document: log } = other
  if (served === null || log === null) return { view, id, kind: 'different', fields: {} }
  const names = [...new Set([...Object.keys(served), ...Object.keys(log)])]
  const differing = names.filter((name) => !isSame(served[name], log[name]))
  if (differing.length === 0) return null
  const fields = Object.fromEntries(
    differing.map((name) => [name, { served: served[name] ?? null, log: log[name] ?? null }]),
  )
  return { view, id, kind: 'different', fields }
}

/**
 * Begins to compare the documents that are served with those of another place of the same view, page by page, in the
 * order of the ids.
 */
export const compare = (documents: Documents, served: ViewDefinition, built: ViewDefinition) => {
  let after: string | null = null
  let ended = false
  return {
    /**
     * Compares the next page; both places must stand at the same event while it runs, not between two pages.
     * @returns documents compared and the differences among them; null when there are no more
     */
    next: async () => {
      if (ended) return null
      const query = { limit: pageSize, ...(after === null ? {} : { after: [after] }) }
      const [one, other] = await Promise.all([
        documents.findStored(served, query),
        documents.findStored(built, query),
      ])
      const ends = [one, other].flatMap((page) => (page.length < pageSize ? [] : [page.at(-1)?.id ?? '']))
      // Behind the end of a full page nobody has looked yet.
      const end = ends.length === 0 ? null : ends.reduce((a, b) => (a < b ? a : b))
      const upTo = (page: readonly StoredDocument[]) =>
        new Map(page.filter(({ id }) => end === null || id <= end).map((each) => [each.id, each]))
      const [ofServed, ofBuilt] = [upTo(one), upTo(other)]
      const ids = [...new Set([...ofServed.keys(), ...ofBuilt.keys()])]
      const differences = ids.flatMap(
        (id) => differenceOf(served.name, ofServed.get(id), ofBuilt.get(id)) ?? [],
      )
      after = end
      ended = end === null
      return { compared: ids.length, differences }
    },
  }
}
