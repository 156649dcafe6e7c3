import { describe, expect, it } from 'vitest'
import { aloneName, serverPlaces, type WatchedLeases } from '#application/kernel/ports/leases.ts'
import { reactorLease } from '#jobs/runtime/reactor.ts'
import { seats } from '#projections/view-leases.ts'
import { checkRoles } from './doctor-roles.ts'

const times = { signWithin: 20, look: 1 }
/** For who gives a sign: a busy machine may take a while to look. */
const longTimes = { signWithin: 10_000, look: 1 }

/** Leases of which some are held by who lives, others by who is dead and not yet given up, from the first look on or later. */
const leasesWith = (held: {
  readonly alive: readonly string[]
  readonly dead?: readonly string[]
  readonly later?: readonly string[]
  /** who has the places */
  readonly holder?: string
}): Pick<WatchedLeases, 'holders'> => {
  let looks = 0
  return {
    holders: async (names) => {
      looks += 1
      const [alive, later, dead] = [held.alive, looks > 2 ? (held.later ?? []) : [], held.dead ?? []]
      const signs = new Map<string, string>(dead.map((name) => [name, '1/7']))
      for (const name of [...alive, ...later]) signs.set(name, `2/${looks}`)
      return new Map(
        [...signs]
          .filter(([name]) => names.includes(name))
          .map(([name, sign]) => [
            name,
            { holder: held.holder ?? 'web', turn: sign.split('/')[0] ?? '', sign },
          ]),
      )
    },
  }
}

const [seat = ''] = seats
const [web = ''] = serverPlaces

describe('the roles on servers', () => {
  it('are well while each gives signs of life, also one that has just taken over', async () => {
    expect(await checkRoles(leasesWith({ alive: [web, seat, reactorLease] }), longTimes)).toEqual([])
    const taken = leasesWith({
      alive: [web, seats.at(-1) ?? ''],
      dead: [reactorLease, seat],
      later: [reactorLease],
    })
    expect(await checkRoles(taken, longTimes)).toEqual([])
  })

  it.each([
    ['worker', { alive: [web, seat] }],
    ['worker', { alive: [web, seat], dead: [reactorLease] }],
    ['projector', { alive: [web, reactorLease], dead: [seat] }],
    ['web process', { alive: [web, seat, reactorLease], holder: 'projector worker' }],
  ])('are a problem where no %s does what others wait for', async (role, held) => {
    expect(await checkRoles(leasesWith(held), times)).toEqual([
      {
        check: 'site',
        level: 'problem',
        message: expect.stringContaining(`No ${role} gives a sign of life`),
      },
    ])
  })

  it('are well where a process of a former version does not tell its roles', async () => {
    const held = { alive: [web, seat, reactorLease], holder: '' }
    expect(await checkRoles(leasesWith(held), longTimes)).toEqual([])
  })

  it('are both a problem where a process lives that does nothing of it, as one that only answers people', async () => {
    const levels = (await checkRoles(leasesWith({ alive: [web], dead: [seat] }), times)).map(
      ({ level }) => level,
    )
    expect(levels).toEqual(['problem', 'problem'])
  })

  it('are none where the site is stopped, which is only said', async () => {
    const restoring = { alive: serverPlaces, holder: `${aloneName}1` }
    for (const held of [{ alive: [] }, { alive: [], dead: [web, seat] }, restoring])
      expect(await checkRoles(leasesWith(held), times)).toMatchObject([{ level: 'hint' }])
  })
})
