import { createHash } from 'node:crypto'
import { commandIdOf } from '#application/ids.ts'
import type { Clock } from '#application/ports/clock.ts'
import type { IdempotencyKeys } from '#application/ports/idempotency.ts'
import { idempotencyKey } from '#web/contract/call.ts'
import { CallRefused } from './errors.ts'

/** A request that may be a repeat of another one. */
export interface Repeatable {
  /** account or address */
  readonly sender: string
  readonly method: string
  readonly path: string
  /** the header as it came */
  readonly key: string | undefined
}

/** What an earlier request under the same key came to. */
export interface Earlier {
  readonly status: number
  readonly entityId: string | null
}

/** The key of a call, if it has one: a repeat acts once (decisions 20, 52, 102). */
export interface Repeat {
  /** the id of the command: the same for every repeat, so that it meets the same stream */
  readonly commandId: string
  /**
   * Remembers the call with what it carries.
   * @returns what it came to before; null: carry it out (also when it was cut off before)
   * @throws {CallRefused} 422 for the same key with another body
   */
  readonly claim: (body: unknown) => Promise<Earlier | null>
  readonly complete: (status: number, entityId: string | null) => Promise<void>
  /** Forgets a refused call, so that it can be sent again corrected. */
  readonly release: () => Promise<void>
}

const sameAgain = 'This Idempotency-Key was already sent with another body. Use a new key for a new request'

/** @throws {CallRefused} 422 for a key that is none */
export const repeatOf = (
  request: Repeatable,
  ports: { readonly idempotency: IdempotencyKeys; readonly clock: Clock },
): Repeat => {
  if (request.key === undefined) return unrepeatable(ports.clock.newId())
  const parsed = idempotencyKey.safeParse(request.key)
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? 'Idempotency-Key is not understood'
    throw new CallRefused(422, message, { fields: { 'Idempotency-Key': message } })
  }
  const { sender, method, path } = request
  const commandId = commandIdOf({ sender, method, path, key: parsed.data })
  return {
    commandId,
    claim: async (body) => {
      const bodyHash = createHash('sha256')
        .update(JSON.stringify(body ?? null))
        .digest('hex')
      const found = await ports.idempotency.claim(commandId, bodyHash, ports.clock.now().toISOString())
      if (found === null) return null
      if (found.bodyHash !== bodyHash) {
        throw new CallRefused(422, sameAgain, { fields: { 'Idempotency-Key': sameAgain } })
      }
      return found.status === null ? null : { status: found.status, entityId: found.entityId }
    },
    complete: (status, entityId) => ports.idempotency.complete(commandId, status, entityId),
    release: () => ports.idempotency.release(commandId),
  }
}

const unrepeatable = (commandId: string): Repeat => ({
  commandId,
  claim: async () => null,
  complete: async () => {},
  release: async () => {},
})
