import { pause } from '#application/kernel/retry.ts'
import { aloneName, type Holder, serverPlaces, type WatchedLeases } from '#application/kernel/ports/leases.ts'
import { reactorLease } from '#jobs/runtime/reactor.ts'
import { seats } from '#projections/view-leases.ts'
import { type Finding, hint, problem } from './finding.ts'

/** Who lives gives a sign within this time, also where it has to take over from who does not; both in ms. */
const usualTimes = { signWithin: 12_000, look: 500 }

/** By which of the leases in its hands each role is known to be at work, and any process at all. */
const leasesOf = {
  web: serverPlaces,
  worker: [reactorLease],
  projector: seats,
  process: serverPlaces,
} as const
type Living = keyof typeof leasesOf
const roles = ['web', 'worker', 'projector'] as const satisfies readonly Living[]

/** Whether one that holds such a lease is meant. A process of a former version does not tell its roles. */
const isMeant = (living: Living, { holder }: Holder): boolean => {
  if (living === 'web') return holder === '' || holder.split(' ').includes(living)
  return living !== 'process' || !holder.startsWith(aloneName)
}

const silentInWords = {
  web: 'No web process gives a sign of life: nobody can open the site. Start it, or see whether its process stands still',
  worker:
    'No worker gives a sign of life: letters are not mailed, new pictures get no sizes, the blog is not mirrored and no ' +
    'backup is made at night. Start it, or see whether its process stands still',
  projector:
    'No projector gives a sign of life: what is saved is not shown. Start it, or see whether its process stands still',
} as const satisfies Record<(typeof roles)[number], string>

/** Of what nobody gives a sign of life, as far as can be seen from outside. */
const silentOnes = async (
  leases: Pick<WatchedLeases, 'holders'>,
  { signWithin, look }: typeof usualTimes,
): Promise<readonly Living[]> => {
  const signs = (): Promise<ReadonlyMap<string, Holder>> => leases.holders(Object.values(leasesOf).flat())
  const before = await signs()
  const until = performance.now() + signWithin
  for (let silent: readonly Living[] = [...roles, 'process']; ; ) {
    await pause(look)
    const now = await signs()
    silent = silent.filter(
      (living) =>
        !leasesOf[living].some((name) => {
          const holder = now.get(name)
          return holder !== undefined && isMeant(living, holder) && holder.sign !== before.get(name)?.sign
        }),
    )
    if (!roles.some((role) => silent.includes(role)) || performance.now() >= until) return silent
  }
}

/**
 * Whether anybody does what the processes share on servers. What a dead worker has not come to stands in no queue, so that
 * nothing else tells of it.
 */
export const checkRoles = async (
  leases: Pick<WatchedLeases, 'holders'>,
  times = usualTimes,
): Promise<readonly Finding[]> => {
  const silent = await silentOnes(leases, times)
  if (!silent.includes('process'))
    return roles.flatMap((role) => (silent.includes(role) ? problem('site', silentInWords[role]) : []))
  return hint(
    'site',
    'No process of the site gives a sign of life. Where the site was not stopped on purpose, start it',
  )
}
