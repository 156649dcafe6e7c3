import {
  forgottenBy,
  type IdempotencyKeys,
  type IdempotencyRecord,
} from '#application/kernel/ports/idempotency.ts'
import type { Database } from './database.ts'
import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'
import type { Checkpoints } from '#application/kernel/ports/checkpoints.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'

/**
 * Idempotency keys in SQLite. Relaxed: a claim lies before its command's event in the write-ahead log and is
 * made durable with it; a lost answer leaves the claim open, and the command is recognised by its event ids.
 */
export const openIdempotencyKeys = (database: Database): IdempotencyKeys => {
  const { sql } = database
  return {
    claim: async (key, bodyHash, now) =>
      database.transaction('relaxed', (): IdempotencyRecord | null => {
        const row = sql(
          'SELECT body_hash, claimed_at, status, entity_id FROM idempotency_keys WHERE key = ? AND claimed_at > ?',
        ).get(key, forgottenBy(now))
        if (row)
          return {
            bodyHash: String(row['body_hash']),
            claimedAt: String(row['claimed_at']),
            status: row['status'] === null ? null : Number(row['status']),
            entityId: row['entity_id'] === null ? null : String(row['entity_id']),
          }
        sql('INSERT OR REPLACE INTO idempotency_keys (key, body_hash, claimed_at) VALUES (?, ?, ?)').run(
          key,
          bodyHash,
          now,
        )
        return null
      }),
    complete: async (key, status, entityId) => {
      database.transaction('relaxed', () =>
        sql('UPDATE idempotency_keys SET status = ?, entity_id = ? WHERE key = ?').run(status, entityId, key),
      )
    },
    release: async (key) => {
      database.transaction('relaxed', () =>
        sql('DELETE FROM idempotency_keys WHERE key = ? AND status IS NULL').run(key),
      )
    },
    sweep: async (now) =>
      database.transaction('relaxed', () =>
        Number(sql('DELETE FROM idempotency_keys WHERE claimed_at <= ?').run(forgottenBy(now)).changes),
      ),
    forgetAll: async () => {
      database.transaction('relaxed', () => sql('DELETE FROM idempotency_keys').run())
    },
  }
}

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

/** Where reactors stand. Relaxed: a reactor set back by a power cut sends jobs whose ids are known already. */
export const openCheckpoints = (database: Database): Checkpoints => ({
  load: async (name) =>
    database.reading(() => {
      const row = database.sql('SELECT position FROM reactor_checkpoints WHERE name = ?').get(name)
      if (!row) return null
      const { position } = row
      return { position: position === null ? null : (String(position) as Position) } // as the event store made it
    }),
  place: async (name, position) => {
    database.transaction('relaxed', () =>
      database
        .sql(
          'INSERT INTO reactor_checkpoints (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position',
        )
        .run(name, position),
    )
  },
  save: async (name, position) =>
    database.transaction(
      'relaxed',
      () =>
        database.sql('UPDATE reactor_checkpoints SET position = ? WHERE name = ?').run(position, name)
          .changes > 0,
    ),
})
