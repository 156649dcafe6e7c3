import { describe, expect, it } from 'vitest'
import type { Config } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { checkRoom, clocksInWords } from './doctor-checks.ts'

it('names each server whose clock is more than a minute off this machine’s', () => {
  expect(
    clocksInWords([
      { kind: 'mongodb', aheadMs: 59_000 },
      { kind: 'redis', aheadMs: -90_400 },
    ]).map(({ check, level, message }) => [check, level, message.split('. ')[0]]),
  ).toEqual([['clock', 'problem', "The clock of Redis is 90 s behind this machine's"]])
  expect(clocksInWords([{ kind: 'mongodb', aheadMs: 3_600_000 }])[0]?.message).toContain('3600 s ahead of')
})

describe('the disk of MongoDB', () => {
  const found = (free: number | null, mongodbUrl: string | null = 'mongodb://a/b') =>
    // Of engines it asks for the room, of the settings whose that is.
    checkRoom({ freeBytes: async () => free } as unknown as Engines, { mongodbUrl } as Config)

  it('is a problem where little is left, and no word where much is, or nothing is told', async () => {
    expect(await found(499_000_000)).toMatchObject([{ level: 'problem', check: 'disk' }])
    expect(await found(501_000_000)).toEqual([])
    expect(await found(null)).toEqual([])
    expect(await found(1_000, null)).toEqual([])
  })
})
