import type { Logger } from '#application/kernel/ports/logger.ts'
import { type Application } from '#application/application.ts'
import { ownContext } from '#application/kernel/envelope.ts'
import { startSync } from '#application/journal/sync.ts'
import { blogSyncAggregate } from '#domain/journal/blog-sync.ts'
import { Refusal } from '#domain/refusal.ts'

/** How often the blog is looked at, in ms. */
const interval = 6 * 60 * 60_000
/** With a blog address never synced, the first run is a minute after start. */
const firstRun = 60_000

/**
 * When the next scheduled sync is due: six hours after the last one ended, spread by up to ten minutes, and
 * never sooner than a minute after start. One that ended later than now was noted by a clock that ran ahead.
 * @param spread 0 to 1
 */
export const nextSyncAt = (now: Date, lastEndedAt: Date | null, spread: number): Date => {
  const soonest = now.getTime() + firstRun
  if (lastEndedAt === null || lastEndedAt > now) return new Date(soonest)
  return new Date(Math.max(soonest, lastEndedAt.getTime() + interval + Math.round(spread * 600_000)))
}

export interface SyncSchedule {
  /** ISO 8601; null while there is no blog address */
  readonly nextAt: () => string | null
  /** Plans anew; called at start and when a sync ended or the blog address changed. Never rejects. */
  readonly replan: () => Promise<void>
  readonly stop: () => void
}

interface SchedulePorts {
  readonly app: Application
  /** the blog address as it is now, null when unset, and when the last run ended */
  readonly state: () => Promise<{ readonly blogUrl: string | null; readonly lastEndedAt: Date | null }>
  /** ends a run that goes on for nobody; whether it was such a one */
  readonly endLost: (runId: string) => Promise<boolean>
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly random?: () => number
}

/** @returns what says when the last run ended, whatever the clock says of the process that carried it out */
const trustedEnds = (): ((lastEndedAt: Date | null, now: Date) => Date | null) => {
  /** The end of the last run as it was noted, and when it was heard of; null for one from before this start. */
  let last: { readonly noted: number | undefined; readonly heardAt: Date | null } | null = null
  return (lastEndedAt, now) => {
    const noted = lastEndedAt?.getTime()
    if (last === null || last.noted !== noted) last = { noted, heardAt: last === null ? null : now }
    return lastEndedAt !== null && lastEndedAt > now ? last.heardAt : lastEndedAt
  }
}

/** Starts a sync every six hours while the process holds the worker role. */
export const startSyncSchedule = (ports: SchedulePorts): SyncSchedule => {
  const random = ports.random ?? Math.random
  let timer: NodeJS.Timeout | undefined
  let nextAt: Date | null = null
  let stopped = false
  const endOf = trustedEnds()
  /** The run that stood in the way last time: one that just began has no job yet. */
  let inTheWay: string | null = null

  /** One that runs already serves as well as ours, unless nobody carries it on. */
  const afterRefusal = async (refusal: Refusal): Promise<void> => {
    const { running } = await ports.app.executor.load(blogSyncAggregate)
    const seenBefore = running !== null && running.runId === inTheWay
    inTheWay = running?.runId ?? null
    if (running === null) {
      ports.log.warn({ reason: refusal.message }, 'the scheduled sync was refused')
      return
    }
    ports.log.info({ runId: running.runId }, 'the scheduled sync waits for one that runs')
    if (!seenBefore || !(await ports.endLost(running.runId))) return
    ports.log.warn(
      { runId: running.runId },
      'a sync that nobody carried on was ended; another one is started',
    )
    await run()
  }

  const run = async (): Promise<void> => {
    const { blogUrl } = await ports.state()
    if (blogUrl === null) return
    const runId = ports.app.clock.newId()
    try {
      await startSync(
        ports.app,
        { runId, blogUrl, trigger: 'schedule' },
        ownContext('schedule', runId, ports.app.clock.now()),
      )
    } catch (error) {
      if (error instanceof Refusal) await afterRefusal(error)
      else ports.log.warn({ err: error }, 'the scheduled sync could not be started')
    }
  }

  const plan = async (): Promise<void> => {
    const { blogUrl, lastEndedAt } = await ports.state()
    clearTimeout(timer)
    nextAt = null
    if (stopped || blogUrl === null) return
    const now = ports.app.clock.now()
    nextAt = nextSyncAt(now, endOf(lastEndedAt, now), random())
    timer = setTimeout(() => void begin(run), nextAt.getTime() - now.getTime()).unref()
  }

  /** Does a step, then plans; an engine that is away is asked again later. */
  const begin = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step()
      await plan()
    } catch (error) {
      if (stopped) return
      ports.log.warn({ err: error }, 'the sync schedule could not be planned; trying again')
      clearTimeout(timer)
      nextAt = null
      timer = setTimeout(() => void replan(), firstRun).unref()
    }
  }
  const replan = (): Promise<void> => begin(async () => undefined)

  return {
    nextAt: () => nextAt?.toISOString() ?? null,
    replan,
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
