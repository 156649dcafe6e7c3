import { createHash } from 'node:crypto'
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

/** Stands for all views with their versions. */
const views = createHash('sha256').update(allProjections.map(viewLease).join()).digest('hex').slice(0, 8)

/** Under what name a process holds a seat. */
export const seatHolder = (processName: string): string => `${processName}/${views}`

/**
 * How many processes project the views that this one does. While an update runs those of another version have views of their
 * own: each that counted the others would leave some of its views to nobody.
 */
export const projectorsIn = (held: ReadonlyMap<string, Holder>): number =>
  [...held.values()].filter(({ holder }) => holder.endsWith(`/${views}`)).length

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
