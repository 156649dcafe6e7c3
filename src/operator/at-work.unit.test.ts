import { describe, expect, it } from 'vitest'
import { memoryLeases } from '#application/testing/memory-leases.ts'
import { allProjections } from '#projections/all-projections.ts'
import { viewLease } from '#projections/view-leases.ts'
import { projectorRuns } from './at-work.ts'

const { signal } = new AbortController()

describe('whether the views are kept', () => {
  it('is not so while nobody leads one of them', async () => {
    const leases = memoryLeases()
    expect(await projectorRuns(leases, signal)).toBe(false)
    for (const projection of allProjections.slice(1)) await leases.tryAcquire(viewLease(projection))
    expect(await projectorRuns(leases, signal, { signWithin: 300, look: 50 })).toBe(false)
  })

  it('is so once all that lead gave a sign of life', async () => {
    let beat = 0
    const leases = {
      holders: async (names: readonly string[]) => {
        beat += 1
        return new Map(names.map((name) => [name, { holder: 'p', turn: '1', sign: `${beat}` }]))
      },
    }
    expect(await projectorRuns(leases, signal)).toBe(true)
  })

  it('is not so where one who leads is silent', async () => {
    const leases = {
      holders: async (names: readonly string[]) =>
        new Map(names.map((name) => [name, { holder: 'killed', turn: '1', sign: '7' }])),
    }
    expect(await projectorRuns(leases, signal, { signWithin: 300, look: 50 })).toBe(false)
  })
})
