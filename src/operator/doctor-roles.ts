import { serverPlaces, type WatchedLeases } from '#application/kernel/ports/leases.ts'
import { reactorLease } from '#jobs/runtime/reactor.ts'
import { seats } from '#projections/view-leases.ts'
import { signsOfLife, usualWatch } from './at-work.ts'
import { type Finding, hint, problem } from './finding.ts'

/** By which of the leases in its hands each role is known to be at work. */
const leasesOf = { worker: [reactorLease], projector: seats } as const
const roles = ['worker', 'projector'] as const

const silentInWords = {
  worker:
    'No worker gives a sign of life: letters are not mailed, new pictures get no sizes, the blog is not mirrored and no ' +
    'backup is made at night. Start it, or see whether its process stands still',
  projector:
    'No projector gives a sign of life: what is saved is not shown. Start it, or see whether its process stands still',
} as const satisfies Record<(typeof roles)[number], string>

const silentOf = ({ living }: { readonly living: ReadonlySet<string> }) =>
  roles.filter((role) => !leasesOf[role].some((name) => living.has(name)))

/**
 * Whether anybody does what the processes share on servers. What a dead worker has not come to stands in no queue, so that
 * nothing else tells of it.
 */
export const checkRoles = async (
  leases: Pick<WatchedLeases, 'holders'>,
  watch = usualWatch,
): Promise<readonly Finding[]> => {
  const { living } = await signsOfLife(
    () => leases.holders([...serverPlaces, ...Object.values(leasesOf).flat()]),
    watch,
    (seen) => silentOf(seen).length === 0,
  )
  if (living.size === 0)
    return hint(
      'site',
      'No process gives a sign of life. Where the site was not stopped on purpose, start it',
    )
  return silentOf({ living }).flatMap((role) => problem('site', silentInWords[role]))
}
