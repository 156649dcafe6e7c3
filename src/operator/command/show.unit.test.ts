import { describe, expect, it, vi } from 'vitest'
import { eventsOnTheWay, progressInWords, showOutcome } from './show.ts'

const progress = { what: 'Replaying the log', done: 30_000, total: 100_000, unit: 'events' }

describe('progress in words', () => {
  it('says how much, how fast and how long still', () => {
    expect(progressInWords(progress, { done: 0, ms: 2_000 })).toBe(
      'Replaying the log: 30,000 of 100,000 events, 30 %, 15,000/s, 5 s left',
    )
  })

  it('says of a log how far the way is, and no number that nobody knows', () => {
    const each = { ...progress, done: 2_000, total: null, unit: eventsOnTheWay(0.0149) }
    expect(progressInWords(each, { done: 0, ms: 16_000 })).toBe(
      'Replaying the log: 2,000 events, 1 % of the way, 125/s',
    )
  })

  it('counts the rate from where this run began', () => {
    expect(progressInWords(progress, { done: 29_000, ms: 10_000 })).toContain('100/s, 11 min 40 s left')
  })

  it.each([
    [{ ...progress, total: null }, 0, 'Replaying the log: 30,000 events'],
    [{ ...progress, total: null, unit: '' }, 0, 'Replaying the log'],
    [progress, 0, 'Replaying the log: 30,000 of 100,000 events, 30 %'],
    [{ ...progress, done: 100_000 }, 1_000, 'Replaying the log: 100,000 of 100,000 events, 100 %, 100,000/s'],
    [
      { ...progress, done: 1, total: 36_001 },
      10_000,
      'Replaying the log: 1 of 36,001 events, 0 %, 0.1/s, 100 h 0 min left',
    ],
  ])('leaves out what is not known or not of interest', (each, ms, words) => {
    expect(progressInWords(each, { done: 0, ms })).toBe(words)
  })
})

describe('what came of a command', () => {
  it('is shown line by line, and steers no terminal with what another site has sent', () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    showOutcome({ ok: true, message: 'One job failed:\n  moved to \u009b2Jhttp://x' }, false)
    expect(write.mock.calls).toEqual([['One job failed:\n  moved to �2Jhttp://x\n']])
  })
})
