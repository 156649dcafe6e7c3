import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'
import type { Database } from './database.ts'

/** The effect ledger in SQLite. Durable: it must know about an effect even after a power cut. */
export const openEffects = (database: Database): EffectLedger => {
  const { sql } = database
  const save = (key: string, state: 'started' | 'done', detail: string, over = ''): void => {
    database.transaction('durable', () =>
      sql(
        `INSERT INTO effects (key, state, detail) VALUES (?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET state = excluded.state, detail = excluded.detail ${over}`,
      ).run(key, state, detail),
    )
  }
  const unlessDone = "WHERE state <> 'done'"
  return {
    replace: async (key, state, detail) => save(key, state, detail),
    find: async (key) =>
      database.reading(() => {
        const row = sql('SELECT state, detail FROM effects WHERE key = ?').get(key)
        return row
          ? { state: row['state'] === 'done' ? 'done' : 'started', detail: String(row['detail']) }
          : null
      }),
    started: async (key, detail) => save(key, 'started', detail, unlessDone),
    done: async (key, detail) => save(key, 'done', detail, unlessDone),
  }
}
