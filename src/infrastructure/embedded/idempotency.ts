import {
  forgottenBy,
  type IdempotencyKeys,
  type IdempotencyRecord,
} from '#application/kernel/ports/idempotency.ts'
import type { Database } from './database.ts'

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
          'SELECT body_hash, status, entity_id FROM idempotency_keys WHERE key = ? AND claimed_at > ?',
        ).get(key, forgottenBy(now))
        if (row)
          return {
            bodyHash: String(row['body_hash']),
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
  }
}
