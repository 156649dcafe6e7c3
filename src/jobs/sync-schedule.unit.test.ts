import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { giveUpSync } from '#application/journal/sync.ts'
import { testApplication } from '#application/testing/application.ts'
import { nextSyncAt, startSyncSchedule } from './sync-schedule.ts'

const now = new Date('2026-03-04T05:00:00.000Z')
const minutesBefore = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000)
const minutesUntil = (date: Date): number => (date.getTime() - now.getTime()) / 60_000
const hours = 60

describe('the next sync', () => {
  it('is a minute after start when there was none', () => {
    expect(minutesUntil(nextSyncAt(now, null, 0.5))).toBe(1)
  })

  it('is six hours after the last one ended, spread by up to ten minutes', () => {
    expect(minutesUntil(nextSyncAt(now, minutesBefore(60), 0))).toBe(5 * hours)
    expect(minutesUntil(nextSyncAt(now, minutesBefore(60), 1))).toBe(5 * hours + 10)
  })

  it('is a minute after start when a clock once ran ahead', () => {
    expect(minutesUntil(nextSyncAt(now, minutesBefore(-40 * 24 * 60), 0.5))).toBe(1)
  })

  it('that is overdue waits a minute after start', () => {
    expect(minutesUntil(nextSyncAt(now, minutesBefore(24 * hours), 0))).toBe(1)
  })
})

describe('the schedule', () => {
  beforeEach(() => vi.useFakeTimers({ now }))
  afterEach(() => vi.useRealTimers())
  const scheduled = (
    blogUrl: string | null,
    isAway: () => boolean = () => false,
    isLost: () => boolean = () => false,
    lastEndedAt: () => Date | null = () => null,
  ) => {
    const { app, eventStore } = testApplication()
    const said: string[] = []
    const say = (_: object, message: string): void => void said.push(message)
    const schedule = startSyncSchedule({
      app: { ...app, clock: { ...app.clock, now: () => new Date() } },
      log: { info: say, warn: say },
      endLost: async (runId) => {
        if (isLost()) await giveUpSync(app, runId, 'lost')
        return isLost()
      },
      state: async () => {
        if (isAway()) throw new Error('away')
        return { blogUrl, lastEndedAt: lastEndedAt() }
      },
      random: () => 0,
    })
    return { schedule, said, types: () => eventStore.events.map((event) => event.type) }
  }

  it('starts a sync when it is due, and plans the next one', async () => {
    const { schedule, types } = scheduled('https://blog.example')
    await schedule.replan()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(types()).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(types()).toEqual(['BlogSyncStarted'])
    expect(schedule.nextAt()).toBe('2026-03-04T05:02:00.000Z')
    schedule.stop()
  })

  it('goes on when an engine was away at the start, or as a sync was due', async () => {
    let away = false
    const { schedule, types } = scheduled('https://blog.example', () => away)
    away = true
    await schedule.replan()
    away = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect([schedule.nextAt(), types()]).toEqual(['2026-03-04T05:02:00.000Z', []])
    away = true
    await vi.advanceTimersByTimeAsync(3 * 60_000)
    expect(types()).toEqual([])
    away = false
    await vi.advanceTimersByTimeAsync(2 * 60_000)
    expect(types()).toEqual(['BlogSyncStarted'])
    schedule.stop()
  })

  it('says when it waits for a run, and begins anew when nobody carries that on', async () => {
    let lost = false
    const { schedule, said, types } = scheduled(
      'https://blog.example',
      () => false,
      () => lost,
    )
    await schedule.replan()
    await vi.advanceTimersByTimeAsync(3 * 60_000)
    expect(types()).toEqual(['BlogSyncStarted'])
    expect(said).toEqual(Array.from({ length: 2 }, () => 'the scheduled sync waits for one that runs'))
    lost = true
    await vi.advanceTimersByTimeAsync(60_000)
    expect(types()).toEqual(['BlogSyncStarted', 'BlogSyncFailed', 'BlogSyncStarted'])
    expect(said.at(-1)).toContain('nobody carried on')
    schedule.stop()
  })

  it('leaves a run alone that it meets for the first time: it may have no job yet', async () => {
    const { schedule, types } = scheduled('https://blog.example', undefined, () => true)
    await schedule.replan()
    await vi.advanceTimersByTimeAsync(2 * 60_000)
    expect(types()).toEqual(['BlogSyncStarted'])
    schedule.stop()
  })

  it('waits its six hours although the clock of the process that carries runs out is hours ahead', async () => {
    let lastEndedAt = minutesBefore(-9 * hours)
    const { schedule } = scheduled('https://blog.example', undefined, undefined, () => lastEndedAt)
    await schedule.replan()
    expect(schedule.nextAt()).toBe('2026-03-04T05:01:00.000Z')
    lastEndedAt = minutesBefore(-9 * hours - 1)
    for (let time = 0; time < 2; time += 1) {
      await schedule.replan()
      expect(schedule.nextAt()).toBe('2026-03-04T11:00:00.000Z')
    }
    schedule.stop()
  })

  it('does nothing without a blog address', async () => {
    const { schedule, types } = scheduled(null)
    await schedule.replan()
    await vi.advanceTimersByTimeAsync(24 * 3_600_000)
    expect([schedule.nextAt(), types()]).toEqual([null, []])
  })

  it('that was stopped starts nothing any more', async () => {
    const { schedule, types } = scheduled('https://blog.example')
    await schedule.replan()
    schedule.stop()
    await vi.advanceTimersByTimeAsync(24 * 3_600_000)
    expect(types()).toEqual([])
  })
})
