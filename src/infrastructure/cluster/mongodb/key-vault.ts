import { type AnyBulkWriteOperation, Binary } from 'mongodb'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { KeyVault } from '#application/kernel/ports/key-vault.ts'
import { holdsData } from './data-version.ts'
import { SecretMismatch, sealingUnder, unlessBroken } from '../../key-vault/sealing.ts'
import { longMs, type Mongo, updateOrInsert, wasFirst, whatIsKept } from './mongo.ts'

/** A key, or what is left where one was erased. */
interface Row {
  /** the subject */
  readonly _id: string
  readonly wrapped?: Binary
  readonly erased?: true
}

/**
 * What was there once is gone. A key that is made now would be lost with what is put back in its place, and its
 * message with it: whoever writes one is asked to come again.
 */
const emptied = (): EngineAway =>
  new EngineAway('mongodb', 'MongoDB has lost the keys of the messages. Please try again later')

/** So many keys are read or written with one question: each takes its time, however little it asks for. */
const mostAtOnce = 1_000

/** What is left in the place of a key. */
const mark = { $set: { erased: true }, $unset: { wrapped: 1 } } as const

/**
 * Holds the keys there against the proof of a secret.
 * @returns what looks again, before a key is made, which is seldom: another process may have begun under another secret
 */
const provenUnder = async (mongo: Mongo, proof: string): Promise<() => Promise<void>> => {
  const proofs = mongo.collection<{ _id: string; proof: string }>('about')

  /** @returns whether there is one */
  const compareProof = async (): Promise<boolean> => {
    const stored = await proofs.findOne({ _id: 'secret' })
    if (stored && stored.proof !== proof) throw new SecretMismatch()
    return stored !== null
  }

  let proven = await mongo.ask(compareProof)
  return async () => {
    // As it was when the proof was looked for: another key may be made meanwhile, with the first proof.
    const wasProven = proven
    const [hasData, hasProof] = await Promise.all([holdsData(mongo), compareProof()])
    if (!hasData || (wasProven && !hasProof)) throw emptied()
    if (!hasProof && !(await wasFirst(proofs.insertOne({ _id: 'secret', proof })))) await compareProof()
    proven = true
  }
}

/** The keys as they are stored, wrapped. */
const openKeys = (mongo: Mongo, sealing: ReturnType<typeof sealingUnder>, prove: () => Promise<void>) => {
  const keys = mongo.collection<Row>('keys')

  /** Keeps a key unless there is one, or a mark that it was erased. @returns whether it was kept */
  const insert = async (subjectId: string, wrapped: Buffer): Promise<boolean> => {
    await prove()
    return wasFirst(keys.insertOne({ _id: subjectId, wrapped: new Binary(wrapped) }))
  }

  return {
    /** The key of a subject; made now where there is none. */
    own: async (subjectId: string): Promise<Uint8Array> => {
      for (;;) {
        const row = await keys.findOne({ _id: subjectId }, whatIsKept)
        if (row?.erased) throw new Error(`Message ${subjectId} was erased: it cannot be sealed again`)
        if (row?.wrapped) return row.wrapped.value()
        const fresh = sealing.newKey(subjectId)
        if (await insert(subjectId, fresh)) return fresh
      }
    },
    erase: async (subjectId: string): Promise<void> => {
      await prove()
      await updateOrInsert(keys, { _id: subjectId }, { erased: true }, mark)
    },
    write: async (changes: readonly AnyBulkWriteOperation<Row>[]): Promise<void> => {
      await prove()
      await keys.bulkWrite(changes)
    },
    erasedIds: async (): Promise<readonly string[]> => {
      const rows = await keys
        .find({ erased: true }, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .toArray()
      return rows.map(({ _id }) => _id)
    },
    of: async (subjectIds: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> => {
      const found = new Map<string, Uint8Array>()
      for (let at = 0; at < subjectIds.length; at += mostAtOnce) {
        const some = subjectIds.slice(at, at + mostAtOnce)
        for await (const { _id, wrapped } of keys.find({ _id: { $in: some } }))
          if (wrapped) found.set(_id, wrapped.value())
      }
      return found
    },
    /** All that are not erased. */
    all: () =>
      keys
        .find({ erased: { $exists: false } })
        .sort({ _id: 1 })
        .toArray(),
  }
}

/**
 * Keys: one document per subject. Erasing takes the key out of its document and marks it in the same change, so
 * that no late insert brings one back; confirmed by a majority of the servers and on their disks (the client's
 * write concern). What MongoDB's own journal and oplog still hold for a while is the key wrapped under `SECRET`.
 * @throws {SecretMismatch} when the keys there were wrapped under another secret
 */
export const openKeyVault = async (mongo: Mongo, secret: string): Promise<KeyVault> => {
  const sealing = sealingUnder(secret)
  const index = { erased: 1, _id: 1 } as const
  await mongo.prepare(() => mongo.collection<Row>('keys').createIndex(index, { name: 'by_erased' }))

  const keys = openKeys(mongo, sealing, await provenUnder(mongo, sealing.proof))

  /** Opens texts whose keys are read together. */
  const opening = async (
    subjectIds: readonly string[],
  ): Promise<(subjectId: string, sealed: string) => string | null> => {
    const wrapped = await mongo.ask(() => keys.of([...new Set(subjectIds)]))
    return (subjectId, sealed) => {
      const key = wrapped.get(subjectId)
      return key ? sealing.open(key, subjectId, sealed) : null
    }
  }

  return {
    seal: async (subjectId, plaintext) =>
      sealing.seal(await mongo.ask(() => keys.own(subjectId)), subjectId, plaintext),
    open: async (subjectId, sealed) => (await opening([subjectId]))(subjectId, sealed),
    openMany: async (many) => {
      if (many.length === 0) return []
      const open = await opening(many.map(({ subjectId }) => subjectId))
      return many.map(({ subjectId, sealed }) => unlessBroken(() => open(subjectId, sealed)))
    },
    erase: async (subjectId) => {
      await mongo.ask(() => keys.erase(subjectId))
      return true
    },
    erasedIds: async () => mongo.ask(keys.erasedIds),
    takeOut: async () =>
      mongo.ask(async () => {
        const rows = await keys.all()
        // read last: what was erased while the keys were read is not among them
        const erased = await keys.erasedIds()
        const gone = new Set(erased)
        return {
          keys: rows.flatMap(({ _id: subjectId, wrapped }) => {
            if (!wrapped || gone.has(subjectId)) return []
            const key = unlessBroken(() => sealing.unwrap(wrapped.value(), subjectId))
            return key === null ? [] : [{ subjectId, key }]
          }),
          erasedIds: erased,
        }
      }, longMs),
    putBack: async (contents) => {
      const upsert = true
      // First the marks: a key that is erased on either side then finds its place taken.
      const changes: AnyBulkWriteOperation<Row>[] = [
        ...contents.erasedIds.map((_id) => ({ updateOne: { filter: { _id }, update: mark, upsert } })),
        ...contents.keys.map(({ subjectId: _id, key }) => {
          const update = { $setOnInsert: { wrapped: new Binary(sealing.wrap(_id, key)) } }
          return { updateOne: { filter: { _id }, update, upsert } }
        }),
      ]
      for (let at = 0; at < changes.length; at += mostAtOnce)
        await mongo.ask(() => keys.write(changes.slice(at, at + mostAtOnce)), longMs)
    },
  }
}
