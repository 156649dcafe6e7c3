import { createHmac, hkdfSync } from 'node:crypto'
import { commandIdOf, derivedId } from '#application/kernel/ids.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import type { IdempotencyKeys } from '#application/kernel/ports/idempotency.ts'
import { idempotencyKey } from '#web/contract/call.ts'
import { CallRefused } from '../door/errors.ts'

/** A request that may be a repeat of another one. */
export interface Repeatable {
  /** account or address */
  readonly sender: string
  readonly method: string
  readonly path: string
  /** the header as it came */
  readonly key: string | undefined
  /** what it carries, but for a file */
  readonly carried: unknown
}

/** What an earlier request under the same key came to. */
export interface Earlier {
  readonly status: number
  readonly entityId: string | null
}

/** The key of a call, if it has one: a repeat acts once. */
export interface Repeat {
  /**
   * the id of the command: the same for every repeat, so that it meets the same stream; another one for what carries
   * something else, which the stream must not take for done once the key is forgotten, or where nobody claims it
   */
  readonly commandId: string
  /**
   * Remembers the call with what it carries.
   * @returns what it came to before; `begun`: carry it out, it was begun before and nobody knows how far it came; null: carry it out
   * @throws {CallRefused} 422 for the same key with another body
   */
  readonly claim: (body: unknown) => Promise<Earlier | 'begun' | null>
  readonly complete: (status: number, entityId: string | null) => Promise<void>
  /** Forgets a refused call, so that it can be sent again corrected. */
  readonly release: () => Promise<void>
}

const sameAgain = 'This Idempotency-Key was already sent with another body. Use a new key for a new request'

/**
 * The key under which bodies leave their fingerprints. Without it nobody can try out what an erased message said.
 * @param secret of the site
 */
export const fingerprintKey = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, 'atelier idempotency', 'body fingerprint v1', 32))

/** @throws {CallRefused} 422 for a key that is none */
export const repeatOf = (
  request: Repeatable,
  ports: {
    readonly idempotency: IdempotencyKeys
    readonly clock: Clock
    /** of {@link fingerprintKey} */
    readonly fingerprintKey: Uint8Array
  },
): Repeat => {
  if (request.key === undefined) return unrepeatable(ports.clock.newId())
  const parsed = idempotencyKey.safeParse(request.key)
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? 'Idempotency-Key is not understood'
    throw new CallRefused(422, message, { fields: { 'Idempotency-Key': message } })
  }
  const { sender, method, path, carried } = request
  const key = commandIdOf({ sender, method, path, key: parsed.data })
  const fingerprint = (value: unknown): string =>
    createHmac('sha256', ports.fingerprintKey)
      .update(JSON.stringify(value ?? null))
      .digest('hex')
  return {
    commandId: derivedId('carried', key, fingerprint(carried)),
    claim: async (body) => {
      const bodyHash = fingerprint(body)
      const found = await ports.idempotency.claim(key, bodyHash, ports.clock.now().toISOString())
      if (found === null) return null
      if (found.bodyHash !== bodyHash) {
        throw new CallRefused(422, sameAgain, { fields: { 'Idempotency-Key': sameAgain } })
      }
      return found.status === null ? 'begun' : { status: found.status, entityId: found.entityId }
    },
    complete: (status, entityId) => ports.idempotency.complete(key, status, entityId),
    release: () => ports.idempotency.release(key),
  }
}

const unrepeatable = (commandId: string): Repeat => ({
  commandId,
  claim: async () => null,
  complete: async () => {},
  release: async () => {},
})
