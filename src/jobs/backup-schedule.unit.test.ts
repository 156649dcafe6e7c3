import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { nextBackupAt, readBackupCheck, readBackupStatus, startBackupSchedule } from './backup-schedule.ts'

const at = (day: number, hour: number, minute = 0): Date => new Date(2026, 10, day, hour, minute)
const done = (finishedAt: Date | null, error: string | null = null) => ({
  finishedAt: finishedAt?.toISOString() ?? null,
  error,
})

describe('the next backup', () => {
  it.each([
    ['soon when there was never one', at(21, 12), done(null), at(21, 12, 1)],
    ['soon when a night was missed', at(21, 12), done(at(20, 3)), at(21, 12, 1)],
    [
      'soon when one was broken off with its process, sooner than that of the night before had ended',
      at(21, 3, 1),
      done(at(20, 3, 2)),
      at(21, 3, 2),
    ],
    ['at night', at(21, 12), done(at(21, 3, 2)), at(22, 3)],
    ['the night after when one was made shortly before', at(21, 1), done(at(20, 23)), at(22, 3)],
    ['the night after still a day later, and not sooner', at(21, 23, 1), done(at(20, 23)), at(22, 3)],
    ['soon when no night has one since', at(21, 2), done(at(18, 23)), at(21, 2, 1)],
    ['soon when a clock once ran ahead', at(21, 12), done(new Date(2031, 0, 1)), at(21, 12, 1)],
    ['at night when another machine is some minutes ahead', at(21, 3), done(at(21, 3, 10)), at(22, 3)],
    ['an hour later when the last one failed', at(21, 12), done(at(20, 3), 'full'), at(21, 13)],
    [
      'an hour later when a night failed at once, and that before had taken longer',
      at(21, 3),
      done(new Date(2026, 10, 20, 3, 0, 30), 'full'),
      at(21, 4),
    ],
    ['a day after the last good one when a night failed', at(21, 3), done(at(20, 14), 'full'), at(21, 14)],
    [
      'at night when the last one failed and the one before is still fresh',
      at(21, 12),
      done(at(21, 3), 'full'),
      at(22, 3),
    ],
  ])('is due %s', (_, now, status, expected) => {
    expect(nextBackupAt(now, status)).toEqual(expected)
  })

  it.each([
    ['an hour after it failed, whatever was started since', at(21, 11, 30), at(21, 12, 30)],
    ['soon when that hour has passed', at(21, 3), at(21, 12, 1)],
    ['an hour from now when the clock ran ahead as it failed', at(22, 3), at(21, 13)],
  ])('is due %s', (_, failed, expected) => {
    const now = at(21, 12)
    expect(nextBackupAt(now, done(at(20, 3), 'full'), failed.toISOString())).toEqual(expected)
    expect(nextBackupAt(now, done(at(20, 11), 'full'), failed.toISOString())).toEqual(expected)
  })
})

describe('the schedule of backups', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: at(21, 12) })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const ledger = () => {
    const details = new Map<string, string>()
    return {
      find: async (key: string) => {
        const detail = details.get(key)
        return detail === undefined ? null : { state: 'done' as const, detail }
      },
      replace: async (key: string, _state: 'started' | 'done', text: string) => {
        details.set(key, text)
      },
    }
  }
  const quiet = { info: () => undefined, warn: () => undefined }
  const clock = { now: () => new Date(), newId: () => '' }

  it('backs up soon after the first start, then every night, and says when', async () => {
    const effects = ledger()
    const nights: Date[] = []
    const schedule = startBackupSchedule({
      effects,
      clock,
      log: quiet,
      backUp: async () => {
        nights.push(new Date())
        return null
      },
    })
    expect(await readBackupStatus(effects)).toBeNull()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await readBackupStatus(effects)).toEqual(done(at(21, 12, 1)))
    await vi.advanceTimersByTimeAsync(2 * 24 * 60 * 60_000)
    expect(nights).toEqual([at(21, 12, 1), at(22, 3), at(23, 3)])
    await schedule.stop()
    await vi.advanceTimersByTimeAsync(2 * 24 * 60 * 60_000)
    expect(nights).toHaveLength(3)
  })

  it('makes up within about an hour for nights that the machine has slept through', async () => {
    const nights: Date[] = []
    const schedule = startBackupSchedule({
      effects: ledger(),
      clock,
      log: quiet,
      backUp: async () => {
        nights.push(new Date())
        return null
      },
    })
    await vi.advanceTimersByTimeAsync(60_000)
    // No timer goes on meanwhile.
    vi.setSystemTime(at(24, 9))
    await vi.advanceTimersByTimeAsync(62 * 60_000)
    expect(nights.map((night) => night.getDate())).toEqual([21, 24])
    await schedule.stop()
  })

  it('keeps when the last good one was, says why one failed, and tries again', async () => {
    const effects = ledger()
    let full = false
    const schedule = startBackupSchedule({
      effects,
      clock,
      log: quiet,
      backUp: async () => {
        if (full) throw new Error('The disk is full')
        return null
      },
    })
    await vi.advanceTimersByTimeAsync(60_000)
    full = true
    await vi.advanceTimersByTimeAsync(24 * 60 * 60_000)
    expect(await readBackupStatus(effects)).toEqual(done(at(21, 12, 1), 'The disk is full'))
    full = false
    await vi.advanceTimersByTimeAsync(24 * 60 * 60_000)
    expect((await readBackupStatus(effects))?.error).toBeNull()
    await schedule.stop()
  })

  it('makes a night that failed up also where the site is started anew within each hour', async () => {
    const effects = ledger()
    const tries: Date[] = []
    const ports = { effects, clock, log: quiet }
    const backUp = async () => {
      tries.push(new Date())
      throw new Error('The disk is full')
    }
    for (let start = 0; start < 5; start += 1) {
      const schedule = startBackupSchedule({ ...ports, backUp })
      await vi.advanceTimersByTimeAsync(40 * 60_000)
      await schedule.stop()
    }
    expect(tries).toEqual([at(21, 12, 1), at(21, 13, 1), at(21, 14, 1), at(21, 15, 1)])
  })

  it('makes one backup of a night, also when it cannot be noted for hours', async () => {
    const effects = ledger()
    let isAway = false
    const nights: Date[] = []
    const schedule = startBackupSchedule({
      effects: {
        ...effects,
        replace: async (...given) => {
          if (isAway) throw new Error('The ledger is away')
          await effects.replace(...given)
        },
      },
      clock,
      log: quiet,
      backUp: async () => {
        nights.push(new Date())
        isAway = true
        return null
      },
    })
    await vi.advanceTimersByTimeAsync(5 * 60 * 60_000)
    expect(nights).toEqual([at(21, 12, 1)])
    isAway = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await readBackupStatus(effects)).toEqual(done(at(21, 12, 1)))
    await schedule.stop()
  })

  it('notes nothing of one that failed where another process has made it meanwhile', async () => {
    const effects = ledger()
    const made = done(at(21, 12))
    const schedule = startBackupSchedule({
      effects,
      clock,
      log: quiet,
      backUp: async () => {
        // The next leader's is done while this one stands still.
        await effects.replace('nightly-backup', 'done', JSON.stringify(made))
        throw new Error('The event log gave no answer')
      },
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await readBackupStatus(effects)).toEqual(made)
    await schedule.stop()
  })

  it('ends what is under way as soon as another may lead, which it tells, and notes nothing of it', async () => {
    const effects = ledger()
    const leading = new AbortController()
    const told = Promise.withResolvers<void>()
    const warned: string[] = []
    const schedule = startBackupSchedule({
      effects,
      clock,
      log: { ...quiet, warn: (_, words) => void warned.push(words) },
      until: leading.signal,
      backUp: async (signal) => {
        signal.addEventListener('abort', () => told.resolve())
        await told.promise
        throw new Error('The event log gave no answer')
      },
    })
    await vi.advanceTimersByTimeAsync(60_000)
    leading.abort(new EngineAway('mongodb', 'The lease reactor was lost'))
    await told.promise
    await schedule.stop()
    expect(await readBackupStatus(effects)).toBeNull()
    expect(warned).toEqual(['the nightly backup was broken off; it is begun again soon'])
  })

  it('tells of a look into a backup that is broken off as another may lead, and notes nothing of it', async () => {
    const effects = ledger()
    const leading = new AbortController()
    const warned: string[] = []
    const schedule = startBackupSchedule({
      effects,
      clock,
      log: { ...quiet, warn: (_, words) => void warned.push(words) },
      until: leading.signal,
      backUp: async () => null,
      check: (signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    })
    await vi.advanceTimersByTimeAsync(120_000)
    leading.abort(new EngineAway('mongodb', 'The lease reactor was lost'))
    await schedule.stop()
    expect(await readBackupCheck(effects)).toBeNull()
    expect(warned).toEqual(['a look into the backup was broken off; it is begun again soon'])
  })

  it('says what is wrong with a site that it has backed up, and waits for the next night', async () => {
    const effects = ledger()
    const nights: Date[] = []
    const schedule = startBackupSchedule({
      effects,
      clock,
      log: quiet,
      backUp: async () => {
        nights.push(new Date())
        return 'An original is missing'
      },
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await readBackupStatus(effects)).toEqual(done(at(21, 12, 1), 'An original is missing'))
    await vi.advanceTimersByTimeAsync(24 * 60 * 60_000)
    expect(nights).toEqual([at(21, 12, 1), at(22, 3)])
    await schedule.stop()
  })

  it('has each backup looked into once, soon after it was made, and says what lacks', async () => {
    const effects = ledger()
    const looks: Date[] = []
    let lacks: string | null = null
    const schedule = startBackupSchedule({
      effects,
      clock,
      log: quiet,
      backUp: async () => null,
      check: async () => {
        looks.push(new Date())
        if (lacks === 'nothing comes of it') throw new Error('It was ended by SIGKILL')
        return lacks
      },
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await readBackupCheck(effects)).toBeNull()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await readBackupCheck(effects)).toEqual({ at: at(21, 12, 2).toISOString(), error: null })
    for (const words of ['A picture is missing', 'nothing comes of it']) {
      lacks = words
      await vi.advanceTimersByTimeAsync(24 * 60 * 60_000)
    }
    expect(looks).toEqual([at(21, 12, 2), at(22, 3, 1), at(23, 3, 1)])
    expect((await readBackupCheck(effects))?.error).toBe('It was ended by SIGKILL')
    await schedule.stop()
  })

  it.each([
    [
      'another within about an hour where a clock ran ahead as the last one was made',
      new Date(2031, 0, 1),
      1,
    ],
    ['none where that was a little ahead, and looks into it once', at(21, 12, 50), 0],
  ])('makes %s', async (_, finishedAt, expected) => {
    const effects = ledger()
    await effects.replace('nightly-backup', 'done', JSON.stringify(done(finishedAt, 'A picture lacks')))
    let [made, looks] = [0, 0]
    const schedule = startBackupSchedule({
      effects,
      clock,
      log: quiet,
      backUp: async () => {
        made += 1
        return 'A picture lacks'
      },
      check: async () => {
        looks += 1
        return null
      },
    })
    await vi.advanceTimersByTimeAsync(75 * 60_000)
    expect([made, looks]).toEqual([expected, 1])
    await schedule.stop()
  })

  it('takes a look again that was broken off by a stop', async () => {
    const effects = ledger()
    const ports = { effects, clock, log: quiet, backUp: async () => null }
    const schedule = startBackupSchedule({
      ...ports,
      check: (signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    })
    await vi.advanceTimersByTimeAsync(120_000)
    await schedule.stop()
    expect(await readBackupCheck(effects)).toBeNull()
    const next = startBackupSchedule({ ...ports, check: async () => null })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await readBackupCheck(effects)).toEqual({ at: at(21, 12, 3).toISOString(), error: null })
    await next.stop()
  })

  it('ends a backup under way when it is stopped, and says nothing of it', async () => {
    const effects = ledger()
    const schedule = startBackupSchedule({
      effects,
      clock,
      log: quiet,
      backUp: (signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    })
    await vi.advanceTimersByTimeAsync(60_000)
    await schedule.stop()
    expect(await readBackupStatus(effects)).toBeNull()
  })
})
