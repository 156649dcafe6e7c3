import { expect, it } from 'vitest'
import { clocksInWords } from './doctor-checks.ts'

it('names each server whose clock is more than a minute off this machine’s', () => {
  expect(
    clocksInWords([
      { kind: 'mongodb', aheadMs: 59_000 },
      { kind: 'redis', aheadMs: -90_400 },
    ]).map(({ check, level, message }) => [check, level, message.split('. ')[0]]),
  ).toEqual([['clock', 'problem', "The clock of Redis is 90 s behind this machine's"]])
  expect(clocksInWords([{ kind: 'mongodb', aheadMs: 3_600_000 }])[0]?.message).toContain('3600 s ahead of')
})
