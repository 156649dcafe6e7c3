import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import { z } from 'zod'
import type { Clock } from '#application/kernel/ports/clock.ts'
import { again } from './runtime/again.ts'
import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'

const ledgerKey = 'nightly-backup'
/** Apart from the status, whose stored form older versions read strictly. */
const failedKey = 'nightly-backup-failed'
const checkKey = 'backup-check'
/** By the clock of the machine, where few visitors come. */
const hourOfNight = 3
const hour = 60 * 60_000
const day = 24 * hour
/** A night that was missed is made up for soon after start, in ms. */
const soon = 60_000
/** A backup made so shortly before the night serves for it, in ms. */
const fresh = 6 * hour
const againAfterFailure = hour
/** Clocks of several machines may differ by so much, in ms; what is from later still was noted by a clock that ran ahead. */
const clocksDiffer = hour

const statusSchema = z.strictObject({ finishedAt: z.string().nullable(), error: z.string().nullable() })

/**
 * The last nightly backup that was finished, and in words why the last one failed, when it did, or what is wrong
 * with the site that it was made of.
 */
export type BackupStatus = Readonly<z.output<typeof statusSchema>>

const failureSchema = z.strictObject({ at: z.string() })

const checkSchema = z.strictObject({ at: z.string(), error: z.string().nullable() })

/** When a night's backup was last restored for a look, and in words what it lacks; null when it is whole. */
export type BackupCheck = Readonly<z.output<typeof checkSchema>>

type ReadEffects = Pick<EffectLedger, 'find'>
const readNote = async <T>(effects: ReadEffects, key: string, schema: z.ZodType<T>): Promise<T | null> => {
  const found = await effects.find(key)
  return found === null ? null : schema.parse(JSON.parse(found.detail))
}

/** Read by any process; null before the first one. */
export const readBackupStatus = (effects: ReadEffects): Promise<BackupStatus | null> =>
  readNote(effects, ledgerKey, statusSchema)

/** Read by any process; null before the first one. */
export const readBackupCheck = (effects: ReadEffects): Promise<BackupCheck | null> =>
  readNote(effects, checkKey, checkSchema)

/** Whether a time lies so far ahead that a clock must have run ahead when it was noted. */
export const isFromFuture = (time: string, now: Date): boolean =>
  Date.parse(time) > now.getTime() + clocksDiffer

/** When one that failed is made up for: an hour after it, whatever was started anew since. @param failedAt null: nobody knows */
const madeUpAt = (now: Date, failedAt: string | null): number =>
  failedAt === null || Date.parse(failedAt) > now.getTime()
    ? now.getTime() + againAfterFailure
    : Math.max(now.getTime() + soon, Date.parse(failedAt) + againAfterFailure)

/**
 * When the next backup is due: at night, or soon when the last night passed without one, or failed, or nobody can tell.
 * @param failedAt when one failed last, ISO 8601; null: nobody knows
 */
export const nextBackupAt = (
  now: Date,
  { finishedAt, error }: BackupStatus,
  failedAt: string | null = null,
): Date => {
  const last =
    finishedAt === null || isFromFuture(finishedAt, now) ? Number.NEGATIVE_INFINITY : Date.parse(finishedAt)
  // One that was made late in an evening is that of the night behind it: until the next it is more than a day.
  if (now.getTime() - last > (error === null ? day + fresh : day))
    return new Date(error === null ? now.getTime() + soon : madeUpAt(now, failedAt))
  const night = new Date(now)
  night.setHours(hourOfNight, 0, 0, 0)
  // One that began was broken off, and nobody noted it: its process ended.
  if (error === null && night <= now && night.getTime() - last >= fresh) return new Date(now.getTime() + soon)
  while (night <= now || night.getTime() - last < fresh) night.setDate(night.getDate() + 1)
  if (error === null) return night
  // A night that failed is made up for once the last good backup is a day old.
  return new Date(Math.min(night.getTime(), Math.max(madeUpAt(now, failedAt), last + day)))
}

/** Whether the last backup was not looked at since it was made. */
export const isUnchecked = (
  { finishedAt }: Pick<BackupStatus, 'finishedAt'>,
  check: BackupCheck | null,
  now: Date,
): boolean =>
  finishedAt !== null &&
  // Another is made soon in the place of that one, which looks again and again would put off.
  !isFromFuture(finishedAt, now) &&
  (check === null || check.at < finishedAt || isFromFuture(check.at, now))

interface SchedulePorts {
  /** Makes the backup of a night. @returns what is wrong with the site, in words; null when nothing is */
  readonly backUp: (signal: AbortSignal) => Promise<string | null>
  /** Restores the newest backup for a look. @returns what it lacks, in words; null when it is whole. Absent: none is looked at */
  readonly check?: ((signal: AbortSignal) => Promise<string | null>) | undefined
  readonly effects: Pick<EffectLedger, 'find' | 'replace'>
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** ends what is under way at once, before it is stopped */
  readonly until?: AbortSignal
}

/** Backs up every night while it runs; to be started in one process at a time. */
export const startBackupSchedule = ({
  backUp,
  check,
  effects,
  clock,
  log,
  until,
}: SchedulePorts): { readonly stop: () => Promise<void> } => {
  /** What the ledger could not be told yet: without it the same night would be backed up again and again. */
  const unnoted = new Map<string, object>()

  const noteAll = async (): Promise<void> => {
    for (const [key, told] of unnoted) {
      await effects.replace(key, 'done', JSON.stringify(told))
      unnoted.delete(key)
    }
  }
  const note = async (key: string, told: BackupStatus | BackupCheck): Promise<void> => {
    unnoted.set(key, told)
    await noteAll()
  }

  /** Of a stop there is nothing to tell; where this comes again each time, a slow disk keeps it from ever being done. */
  const tellBrokenOff = ({ reason }: AbortSignal, words: string): void => {
    if (reason instanceof EngineAway) log.warn({ err: reason }, words)
  }

  const madeBackup = async (signal: AbortSignal): Promise<BackupStatus | null> => {
    const before = await readBackupStatus(effects)
    try {
      const complaint = await backUp(signal)
      if (complaint === null) log.info({}, 'the site was backed up')
      else log.warn({ complaint }, 'the site was backed up, and something is missing in it')
      return { finishedAt: clock.now().toISOString(), error: complaint }
    } catch (error) {
      if (signal.aborted) {
        tellBrokenOff(signal, 'the nightly backup was broken off; it is begun again soon')
        return null
      }
      // A process that stood still in the middle hears late that another has made it in its stead.
      if ((await readBackupStatus(effects))?.finishedAt !== before?.finishedAt) return null
      log.warn({ err: error }, 'the nightly backup failed')
      unnoted.set(failedKey, { at: clock.now().toISOString() })
      return { finishedAt: before?.finishedAt ?? null, error: reasonOf(error) }
    }
  }

  const night = async (signal: AbortSignal): Promise<void> => {
    const status = await madeBackup(signal)
    if (status !== null) await note(ledgerKey, status)
  }

  const look = async (signal: AbortSignal): Promise<void> => {
    const error = await Promise.resolve(check?.(signal) ?? null).catch(reasonOf)
    if (signal.aborted) {
      tellBrokenOff(signal, 'a look into the backup was broken off; it is begun again soon')
      return
    }
    if (error === null) log.info({}, 'the backup was restored for a look, and nothing lacks')
    else log.warn({ error }, 'the backup was restored for a look, and something is wrong')
    const now = clock.now()
    const { finishedAt } = (await readBackupStatus(effects)) ?? { finishedAt: null }
    // By a clock that was set back meanwhile it would be from before what it looked at.
    const isAhead =
      finishedAt !== null && !isFromFuture(finishedAt, now) && Date.parse(finishedAt) > now.getTime()
    await note(checkKey, { at: isAhead ? finishedAt : now.toISOString(), error })
  }

  let next: ((signal: AbortSignal) => Promise<void>) | null = null

  /** @returns when what comes next is due, in ms from now */
  const plan = async (): Promise<number> => {
    await noteAll()
    const status = (await readBackupStatus(effects)) ?? { finishedAt: null, error: null }
    const now = clock.now()
    const failedAt = (await readNote(effects, failedKey, failureSchema))?.at ?? null
    const untilNight = nextBackupAt(now, status, failedAt).getTime() - now.getTime()
    // A look that a stop or a kill broke off is taken soon after the next start.
    const looks =
      check !== undefined && untilNight > soon && isUnchecked(status, await readBackupCheck(effects), now)
    if (looks) {
      next = look
      return soon
    }
    // A machine may sleep, or its clock be set, and no timer knows: what is far off is looked at again.
    next = untilNight > hour ? null : night
    return Math.min(untilNight, hour)
  }

  return again(
    async (signal) => {
      const step = next
      next = null
      try {
        await step?.(signal)
        return await plan()
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'the nightly backup could not be planned; trying again')
        return soon
      }
    },
    0,
    until,
  )
}
