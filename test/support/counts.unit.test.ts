import { describe, expect, test } from 'vitest'
import { add, countJourneys, type JourneyReport, line, nothing, withExit } from './counts.ts'

const journey = (status: 'expected' | 'unexpected' | 'flaky' | 'skipped', why?: string) => ({
  title: `a journey that is ${status}`,
  tests: [
    {
      status,
      annotations: why === undefined ? [] : [{ type: 'skip', description: why }],
      results: status === 'unexpected' ? [{ error: { message: '\u001B[31mNo wall\u001B[39m\n  at …' } }] : [],
    },
  ],
})
const failure = { name: 'a', reason: 'b' }

describe('the total of npm test', () => {
  test('is one plain line over both runners', () => {
    const vitest = { passed: 3, failed: [failure], skipped: [failure] }
    expect(line(add(vitest, { ...nothing, passed: 2 }))).toBe('5 passed, 1 failed, 1 skipped')
  })

  test('is never clean when a runner failed without a failed test', () => {
    expect(withExit({ ...nothing, passed: 3 }, 1).failed).toHaveLength(1)
    expect(withExit({ ...nothing, failed: [failure, failure] }, 1).failed).toHaveLength(2)
    expect(withExit({ ...nothing, passed: 3 }, 0).failed).toHaveLength(0)
  })

  test('counts journeys in nested suites, a flaky one as passed', () => {
    const report: JourneyReport = {
      suites: [
        { title: 'gallery', specs: [journey('expected'), journey('unexpected')] },
        {
          title: 'admin',
          suites: [{ title: 'login', specs: [journey('flaky'), journey('skipped', 'no mail')] }],
        },
      ],
    }
    expect(countJourneys(report)).toEqual({
      passed: 2,
      failed: [{ name: 'gallery › a journey that is unexpected', reason: 'No wall' }],
      skipped: [{ name: 'admin › login › a journey that is skipped', reason: 'no mail' }],
    })
  })

  test('names the missing browser as the reason of journeys that were only listed', () => {
    const report: JourneyReport = { suites: [{ title: 'gallery', specs: [journey('skipped')] }] }
    expect(countJourneys(report, 'no Chromium').skipped.map((each) => each.reason)).toEqual(['no Chromium'])
  })
})
