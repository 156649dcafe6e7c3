import { setImmediate as turn } from 'node:timers/promises'
import { pause } from '#application/kernel/retry.ts'
import type { KeyVault, VaultContents } from '#application/kernel/ports/key-vault.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { SecretMismatch, wrappedBytes, sealingUnder, unlessBroken } from '../key-vault/sealing.ts'
import type { Database } from './database.ts'

/** How long erasing waits for another program (the CLI, a backup) that reads the data file, in ms. */
const answersWithinMs = 2_000
/** The same when keys are brought back, which nobody carries on later. */
const restoreTimeoutMs = 10_000
/** Of 15,000 keys unwrapped in one go everybody else waited for 0.4 s. */
const rowsPerTurn = 500

/** Whether the write-ahead log could be emptied before a reader stood in the way for too long. */
const emptiedLog = async (database: Database, timeoutMs: number): Promise<boolean> => {
  const until = performance.now() + timeoutMs
  while (!database.emptyLog(50)) {
    if (performance.now() > until) return false
    await pause(50)
  }
  return true
}

/**
 * Keys in SQLite. Erasing overwrites the key in its own place with zeros: the row keeps its size, so SQLite
 * writes over the old bytes and moves nothing; a deletion could merge pages and leave copies of other keys
 * in their gaps. Rows are only ever added at the end for the same reason. What is left then is the old page
 * in the write-ahead log, which is copied into the file and cut to nothing before `erase` answers.
 * @throws {SecretMismatch} when the keys there were wrapped under another secret
 */
export const openKeyVault = (database: Database, secret: string): KeyVault => {
  const { sql } = database
  const sealing = sealingUnder(secret)

  const proof = database.reading(() => sql('SELECT proof FROM vault_secret').get()?.['proof'])
  if (proof !== undefined && proof !== sealing.proof) throw new SecretMismatch()

  /** The wrapped key of a subject; null when there is none, `erased` when there was one. */
  const keyOf = (subjectId: string): Uint8Array | 'erased' | null => {
    const row = sql('SELECT wrapped, erased FROM vault_keys WHERE subject_id = ?').get(subjectId)
    if (!row) return null
    return row['erased'] === 1 ? 'erased' : (row['wrapped'] as Uint8Array) // a BLOB column
  }

  const insert = (subjectId: string, wrapped: Uint8Array, erased: number): void => {
    sql('INSERT OR IGNORE INTO vault_secret (only, proof) VALUES (1, ?)').run(sealing.proof)
    sql('INSERT INTO vault_keys (subject_id, wrapped, erased) VALUES (?, ?, ?)').run(
      subjectId,
      wrapped,
      erased,
    )
  }

  const ownKey = (subjectId: string): Uint8Array => {
    const known = database.reading(() => keyOf(subjectId))
    if (known === 'erased') throw new Error(`Message ${subjectId} was erased: it cannot be sealed again`)
    if (known) return known
    const fresh = sealing.newKey(subjectId)
    database.transaction('durable', () => insert(subjectId, fresh, 0), 'growing')
    return fresh
  }

  /** Inside a transaction: overwrites a subject's key with zeros, or remembers one it never had as erased. */
  const blank = (subjectId: string): void => {
    const zeros = Buffer.alloc(wrappedBytes)
    if (keyOf(subjectId) === null) insert(subjectId, zeros, 1)
    else sql('UPDATE vault_keys SET wrapped = ?, erased = 1 WHERE subject_id = ?').run(zeros, subjectId)
  }

  const erasedIds = (): readonly string[] =>
    sql('SELECT subject_id FROM vault_keys WHERE erased = 1 ORDER BY seq')
      .all()
      .map((row) => String(row['subject_id']))

  const open = (subjectId: string, sealed: string): string | null => {
    const key = keyOf(subjectId)
    return key === null || key === 'erased' ? null : sealing.open(key, subjectId, sealed)
  }

  return {
    seal: async (subjectId, plaintext) => sealing.seal(ownKey(subjectId), subjectId, plaintext),
    open: async (subjectId, sealed) => database.reading(() => open(subjectId, sealed)),
    openMany: async (many) =>
      database.reading(() => many.map((one) => unlessBroken(() => open(one.subjectId, one.sealed)))),
    erase: async (subjectId) => {
      database.transaction('durable', () => blank(subjectId))
      // also the second time: the first may have ended before the log was emptied
      return emptiedLog(database, answersWithinMs)
    },
    erasedIds: async () => database.reading(erasedIds),
    takeOut: async () => {
      // one statement sees one moment, whatever another process erases meanwhile
      const rows = database.reading(() =>
        sql('SELECT subject_id, wrapped, erased FROM vault_keys ORDER BY seq').all(),
      )
      const idOf = (row: (typeof rows)[number]): string => String(row['subject_id'])
      const keys: VaultContents['keys'][number][] = []
      for (const [n, row] of rows.entries()) {
        if (n % rowsPerTurn === rowsPerTurn - 1) await turn()
        if (row['erased'] === 1) continue
        const key = unlessBroken(() => sealing.unwrap(row['wrapped'] as Uint8Array, idOf(row))) // a BLOB column
        if (key !== null) keys.push({ subjectId: idOf(row), key })
      }
      return { keys, erasedIds: rows.filter((row) => row['erased'] === 1).map(idOf) }
    },
    putBack: async (contents) => {
      const erased = new Set([...contents.erasedIds, ...database.reading(erasedIds)])
      const put = (): void => {
        for (const subjectId of erased) blank(subjectId)
        for (const { subjectId, key } of contents.keys) {
          if (!erased.has(subjectId) && keyOf(subjectId) === null)
            insert(subjectId, sealing.wrap(subjectId, key), 0)
        }
      }
      database.transaction('durable', put, 'growing')
      if (!(await emptiedLog(database, restoreTimeoutMs)))
        throw new EngineAway('disk', 'Another program reads the data file: try again when it has ended')
    },
  }
}
