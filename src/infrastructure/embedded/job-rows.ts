import type { JobName, JobState, JobView, NewJob } from '#application/ports/job-queue.ts'
import type { Database } from './database.ts'

/** A row of `jobs`. */
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

/** How a run of a job ended. */
export type JobEnd =
  | { readonly state: 'done'; readonly at: number }
  | { readonly state: 'parked'; readonly reason: string; readonly at: number }
  | { readonly state: 'waiting'; readonly reason: string; readonly at: number }

/** A job that was running when the process ended so often is parked: it may be what ends the process. */
export const MOST_INTERRUPTIONS = 3

/**
 * The job table. Only new and retried jobs are durable; what happens to them while the process runs is
 * relaxed: after a power cut such a job is run again, as after a kill.
 */
export const jobRows = ({ sql, transaction, reading }: Database) => ({
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

  /** Sets waiting what a process that ended was running, or parks it; answers how many there were. */
  recover: (at: number): number =>
    transaction('relaxed', () =>
      Number(
        sql(
          `UPDATE jobs SET interrupted = interrupted + 1, run_at = ?,
             state = CASE WHEN interrupted + 1 >= ${MOST_INTERRUPTIONS} THEN 'parked' ELSE 'waiting' END,
             reason = CASE WHEN interrupted + 1 >= ${MOST_INTERRUPTIONS}
               THEN 'The server ended ${MOST_INTERRUPTIONS} times while this job was running' ELSE reason END
           WHERE state = 'running'`,
        ).run(at).changes,
      ),
    ),

  /** Parks what waits for a handler that this version does not have. */
  parkUnknown: (names: readonly string[]): void => {
    transaction('relaxed', () =>
      sql(
        `UPDATE jobs SET state = 'parked', reason = 'This version of Atelier knows no such job'
         WHERE state = 'waiting' AND name NOT IN (SELECT value FROM json_each(?))`,
      ).run(JSON.stringify(names)),
    )
  },

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

  progress: (seq: number, done: number, total: number): void => {
    transaction('relaxed', () =>
      sql('UPDATE jobs SET steps_done = ?, steps_total = ? WHERE seq = ?').run(done, total, seq),
    )
  },

  /** Writes how an attempt ended. A parked or done job keeps the time of its end. */
  end: (seq: number, end: JobEnd): void => {
    transaction('relaxed', () =>
      sql(
        'UPDATE jobs SET state = ?, attempts = attempts + 1, interrupted = 0, reason = ?, run_at = ? WHERE seq = ?',
      ).run(end.state, end.state === 'done' ? null : end.reason, end.at, seq),
    )
  },

  /** Gives back a job that was ended by the process's own stopping: no attempt, no interruption. */
  giveBack: (seq: number, at: number): void => {
    transaction('relaxed', () =>
      sql(`UPDATE jobs SET state = 'waiting', run_at = ? WHERE seq = ?`).run(at, seq),
    )
  },

  retry: (id: string, at: number): boolean =>
    transaction(
      'durable',
      () =>
        sql(
          `UPDATE jobs SET state = 'waiting', attempts = 0, interrupted = 0, run_at = ? WHERE id = ? AND state = 'parked'`,
        ).run(at, id).changes === 1,
    ),

  list: (states: readonly JobState[], limit: number): readonly JobView[] =>
    reading(() =>
      (
        sql(
          'SELECT * FROM jobs WHERE state IN (SELECT value FROM json_each(?)) ORDER BY seq DESC LIMIT ?',
        ).all(JSON.stringify(states), limit) as unknown as JobRow[]
      ).map(toView),
    ), // all columns of the table

  /** When the next waiting job of these kinds is due, in ms since 1970; null when none waits. */
  nextDue: (names: readonly string[]): number | null =>
    reading(() => {
      const due = sql(
        `SELECT min(run_at) AS due FROM jobs WHERE state = 'waiting' AND name IN (SELECT value FROM json_each(?))`,
      ).get(JSON.stringify(names))?.['due']
      return typeof due === 'number' ? due : null
    }),

  /** Whether a job runs or waits to run now. */
  isBusy: (at: number): boolean =>
    reading(
      () =>
        sql(`SELECT 1 FROM jobs WHERE state = 'running' OR (state = 'waiting' AND run_at <= ?) LIMIT 1`).get(
          at,
        ) !== undefined,
    ),

  /** Forgets done jobs that ended before a time. */
  sweep: (before: number): void => {
    transaction('relaxed', () => sql(`DELETE FROM jobs WHERE state = 'done' AND run_at < ?`).run(before))
  },
})
