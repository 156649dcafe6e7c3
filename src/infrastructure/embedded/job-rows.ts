import type { JobName } from '#application/job-data.ts'
import {
  interruptedWords,
  type JobState,
  type JobView,
  type NewJob,
} from '#application/kernel/ports/job-queue.ts'
import type { Database } from './database.ts'

export interface JobRow {
  readonly seq: number
  readonly id: string
  readonly name: JobName
  readonly data: string
  readonly subject_id: string
  readonly state: JobState
  readonly attempts: number
  readonly interrupted: number
  readonly steps_done: number
  readonly steps_total: number
  readonly reason: string | null
  readonly run_at: number
}

/** The id that a job's data names: its first field. A job about nothing in particular names none. */
const subjectOf = (job: NewJob): string => String(Object.values(job.data)[0] ?? '')

const toView = (row: JobRow): JobView => ({
  id: row.id,
  name: row.name,
  subjectId: row.subject_id,
  state: row.state,
  attempts: row.attempts,
  done: row.steps_done,
  total: row.steps_total,
  reason: row.reason,
  runAt: row.state === 'waiting' ? new Date(row.run_at).toISOString() : null,
})

export type JobEnd =
  | { readonly state: 'done' }
  | { readonly state: 'parked'; readonly reason: string }
  | { readonly state: 'waiting'; readonly reason: string; readonly waitMs: number }
  /** waits as well, for what the site works on: this was no try */
  | { readonly state: 'put off'; readonly reason: string; readonly waitMs: number }

/** What earlier versions parked a job with whose process had ended three times. */
const formerlyParked = 'The server ended 3 times while this job was running'

/** What a version parks a job with that it does not know. */
const unknownWords = 'This version of Atelier knows no such job'

/** A change that is durable only with what is written durably behind it. */
const relaxed =
  ({ sql, transaction }: Database) =>
  (change: string, ...values: readonly (string | number | null)[]): void => {
    transaction('relaxed', () => sql(change).run(...values))
  }

/** How jobs come into the table, or wait in it anew. */
const comings = ({ sql, transaction }: Database) => ({
  /** Adds what is not known. */
  add: (jobs: readonly NewJob[], at: number): void => {
    transaction('durable', () => {
      for (const job of jobs)
        sql(
          `INSERT INTO jobs (id, name, data, subject_id, state, run_at) VALUES (?, ?, ?, ?, 'waiting', ?)
           ON CONFLICT (id) DO NOTHING`,
        ).run(job.id, job.name, JSON.stringify(job.data), subjectOf(job), at)
    })
  },

  /**
   * Sets waiting what a process that ended was running, and what earlier versions parked for that alone.
   * @param waitOf the wait in ms of a job of this kind that was interrupted so often; null: none
   * @returns how many there were
   */
  recover: (waitOf: (name: JobName, times: number) => number | null, at: number): number =>
    transaction('relaxed', () => {
      const found = sql(
        `SELECT * FROM jobs WHERE state = 'running' OR (state = 'parked' AND reason = ?)`,
      ).all(formerlyParked) as unknown as JobRow[] // all columns of the table
      for (const { seq, name, state, interrupted } of found) {
        const times = state === 'running' ? interrupted + 1 : interrupted
        const wait = waitOf(name, times) ?? 0
        sql(
          `UPDATE jobs SET state = 'waiting', interrupted = ?, run_at = ?, wait_ms = ?, reason = ? WHERE seq = ?`,
        ).run(times, at + wait, wait, interruptedWords, seq)
      }
      return found.length
    }),

  retry: (id: string, at: number): boolean =>
    transaction('durable', () => {
      const { changes: unparked } = sql(
        // what once ended the process goes on being run apart from it
        `UPDATE jobs SET state = 'waiting', attempts = 0, interrupted = min(interrupted, 1), run_at = ?, wait_ms = 0,
           data = json_set(data, '$.again', json('true'))
         WHERE id = ? AND state = 'parked'`,
      ).run(at, id)
      if (unparked === 1) return true
      const sooner = `UPDATE jobs SET run_at = min(run_at, ?), wait_ms = 0 WHERE id = ? AND state = 'waiting'`
      return sql(sooner).run(at, id).changes === 1
    }),
})

/** So many go for each that comes: what gathered before there was a bound goes as well, and nobody waits for it. */
const goForOne = 2

/** What happens to a job from when it is taken. @param mostOver of a kind, done or parked, that are remembered of each */
const attempts = (
  change: ReturnType<typeof relaxed>,
  { sql, transaction, reading }: Database,
  mostOver: number,
) => ({
  /** Takes up to `most` jobs of a kind whose time has come, the one that waits longest first. */
  take: (name: string, most: number, at: number): readonly JobRow[] => {
    const rows = reading(
      () =>
        sql(
          `SELECT * FROM jobs WHERE state = 'waiting' AND name = ? AND run_at <= ? ORDER BY run_at, seq LIMIT ?`,
        ).all(name, at, most) as unknown as JobRow[], // all columns of the table
    )
    if (rows.length > 0)
      transaction('relaxed', () => {
        for (const row of rows)
          sql(`UPDATE jobs SET state = 'running', steps_done = 0, steps_total = 0 WHERE seq = ?`).run(row.seq)
      })
    return rows
  },

  progress: (seq: number, done: number, total: number): void =>
    change('UPDATE jobs SET steps_done = ?, steps_total = ? WHERE seq = ?', done, total, seq),

  /** Writes how an attempt ended. A parked or done job keeps the time of its end. */
  end: (seq: number, end: JobEnd, at: number): void => {
    const wait = 'waitMs' in end ? end.waitMs : 0
    const [state, tries] = end.state === 'put off' ? ['waiting', 0] : [end.state, 1]
    const reason = end.state === 'done' ? null : end.reason
    transaction('relaxed', () => {
      sql(
        'UPDATE jobs SET state = ?, attempts = attempts + ?, reason = ?, run_at = ?, wait_ms = ? WHERE seq = ?',
      ).run(state, tries, reason, at + wait, wait, seq)
      if (state === 'waiting') return
      sql(
        `DELETE FROM jobs WHERE seq IN (
           SELECT seq FROM jobs WHERE state = ? AND name = (SELECT name FROM jobs WHERE seq = ?)
           ORDER BY run_at DESC, seq DESC LIMIT ? OFFSET ?)`,
      ).run(state, seq, goForOne, mostOver)
    })
  },

  /** Gives back a job that was ended by the process's own stopping: no attempt, no interruption. */
  giveBack: (seq: number, at: number): void =>
    change(`UPDATE jobs SET state = 'waiting', run_at = ?, wait_ms = 0 WHERE seq = ?`, at, seq),
})

/** What is asked about jobs. */
const questions = ({ sql, reading }: Database) => ({
  /** How many jobs of a kind wait or run. */
  open: (): Readonly<Partial<Record<JobName, number>>> =>
    reading(() => {
      const counts = sql(
        `SELECT name, count(*) AS jobs FROM jobs WHERE state IN ('waiting', 'running') GROUP BY name`,
      ).all()
      return Object.fromEntries(counts.map(({ name, jobs }) => [name, Number(jobs)]))
    }),

  find: (id: string): JobView | null =>
    reading(() => {
      const row = sql('SELECT * FROM jobs WHERE id = ?').get(id) as unknown as JobRow | undefined // all columns
      return row === undefined ? null : toView(row)
    }),

  list: (states: readonly JobState[], limit: number, ofEachKind: boolean): readonly JobView[] =>
    reading(() => {
      const newest =
        'SELECT seq FROM jobs WHERE state IN (SELECT value FROM json_each(?)) ORDER BY seq DESC LIMIT ?'
      const newestOfEach = `SELECT seq FROM (
        SELECT seq, row_number() OVER (PARTITION BY name ORDER BY seq DESC) AS nth
        FROM jobs WHERE state IN (SELECT value FROM json_each(?))
      ) WHERE nth <= ?`
      // Of the others no more than the index has is read.
      const asked = sql(
        `SELECT * FROM jobs WHERE seq IN (${ofEachKind ? newestOfEach : newest}) ORDER BY seq DESC`,
      )
      const rows = asked.all(JSON.stringify(states), limit) as unknown as JobRow[] // all columns
      return rows.map(toView)
    }),

  /** When the next waiting job of these kinds is due, in ms since 1970; null when none waits. */
  nextDue: (names: readonly string[]): number | null =>
    reading(() => {
      const due = sql(
        `SELECT min(run_at) AS due FROM jobs WHERE state = 'waiting' AND name IN (SELECT value FROM json_each(?))`,
      ).get(JSON.stringify(names))?.['due']
      return typeof due === 'number' ? due : null
    }),
})

/**
 * The job table. Only new and retried jobs are durable; what happens to them while the process runs is
 * relaxed: after a power cut such a job is run again, as after a kill.
 * @param mostOver so many jobs of a kind that are over, done or parked, are remembered of each
 */
export const jobRows = (database: Database, mostOver: number) => {
  const change = relaxed(database)
  return {
    ...comings(database),
    ...attempts(change, database, mostOver),
    ...questions(database),

    /** Changes what an effect's row says. Whatever is written durably behind it takes it to the disk. */
    note: (key: string, detail: string): void =>
      change('UPDATE effects SET detail = ? WHERE key = ?', detail, key),

    /** Parks what waits for a handler that this version does not have; what another one has parked for that waits again. */
    parkUnknown: (names: readonly string[], at: number): void => {
      const known = JSON.stringify(names)
      change(
        `UPDATE jobs SET state = 'parked', reason = ?
         WHERE state = 'waiting' AND name NOT IN (SELECT value FROM json_each(?))`,
        unknownWords,
        known,
      )
      change(
        `UPDATE jobs SET state = 'waiting', reason = NULL, run_at = ?, wait_ms = 0
         WHERE state = 'parked' AND reason = ? AND name IN (SELECT value FROM json_each(?))`,
        at,
        unknownWords,
        known,
      )
    },

    /** Lets no job wait longer from now on than it was to. */
    setRight: (at: number): void =>
      change(`UPDATE jobs SET run_at = ? + wait_ms WHERE state = 'waiting' AND run_at > ? + wait_ms`, at, at),

    sweep: (before: number): void => change(`DELETE FROM jobs WHERE state = 'done' AND run_at < ?`, before),

    forgetDone: (): void => change(`DELETE FROM jobs WHERE state = 'done'`),
  }
}
