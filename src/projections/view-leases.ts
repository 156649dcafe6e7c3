import type { Holder, WatchedLeases } from '#application/kernel/ports/leases.ts'
import { allProjections } from './all-projections.ts'
import type { Projection } from './runtime/projection.ts'

/** Held by whoever leads a view; another version of it is another view. */
export const viewLease = ({ view: { name, version } }: Projection): string => `view-${name}@${version}`

/**
 * One of these is held by each process that projects, so that everybody knows how many there are: more than there are
 * views have nothing to do. The first has the name under which one process alone projected all views before.
 */
export const seats: readonly string[] = allProjections.map((_, n) =>
  n === 0 ? 'projector' : `projector-${n}`,
)

/** Who leads which view, by its name; one that nobody leads is left out. */
export const leadersOf = async (
  leases: Pick<WatchedLeases, 'holders'>,
): Promise<ReadonlyMap<string, Holder>> => {
  const found = await leases.holders(allProjections.map(viewLease))
  return new Map(
    allProjections.flatMap((projection) => {
      const held = found.get(viewLease(projection))
      return held === undefined ? [] : [[projection.view.name, held] as const]
    }),
  )
}
