import { aloneName, type Holder, serverPlaces, type WatchedLeases } from '#application/kernel/ports/leases.ts'
import { reactorLease } from '#jobs/runtime/reactor.ts'
import { seats } from '#projections/view-leases.ts'
import { type Seen, signsOfLife, usualWatch } from './at-work.ts'
import { type Finding, hint, problem } from './finding.ts'

const anybody = (): boolean => true
/** A process of a former version does not tell its roles. */
const isWeb = ({ holder }: Holder): boolean => holder === '' || holder.split(' ').includes('web')
const isOfTheSite = ({ holder }: Holder): boolean => !holder.startsWith(aloneName)

/** By which of the leases in whose hands each role is known to be at work. */
const signsOf = {
  web: [serverPlaces, isWeb],
  worker: [[reactorLease], anybody],
  projector: [seats, anybody],
} as const
const roles = ['web', 'worker', 'projector'] as const

const silentInWords = {
  web: 'No web process gives a sign of life: nobody can open the site. Start it, or see whether its process stands still',
  worker:
    'No worker gives a sign of life: letters are not mailed, new pictures get no sizes, the blog is not mirrored and no ' +
    'backup is made at night. Start it, or see whether its process stands still',
  projector:
    'No projector gives a sign of life: what is saved is not shown. Start it, or see whether its process stands still',
} as const satisfies Record<(typeof roles)[number], string>

const lives = (
  { held, living }: Seen,
  [names, isMeant]: readonly [readonly string[], (holder: Holder) => boolean],
): boolean =>
  names.some((name) => {
    const holder = held.get(name)
    return holder !== undefined && living.has(name) && isMeant(holder)
  })

const silentOf = (seen: Seen) => roles.filter((role) => !lives(seen, signsOf[role]))

/**
 * Whether anybody does what the processes share on servers. What a dead worker has not come to stands in no queue, so that
 * nothing else tells of it.
 */
export const checkRoles = async (
  leases: Pick<WatchedLeases, 'holders'>,
  watch = usualWatch,
): Promise<readonly Finding[]> => {
  const names = Object.values(signsOf).flatMap(([some]) => some)
  const seen = await signsOfLife(
    () => leases.holders(names),
    watch,
    (newest) => silentOf(newest).length === 0,
  )
  if (lives(seen, [serverPlaces, isOfTheSite]))
    return silentOf(seen).flatMap((role) => problem('site', silentInWords[role]))
  return hint(
    'site',
    'No process of the site gives a sign of life. Where the site was not stopped on purpose, start it',
  )
}
