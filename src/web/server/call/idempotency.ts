import { createHmac, hkdfSync } from 'node:crypto'
import { commandIdOf, derivedId } from '#application/kernel/ids.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import { forgottenBy, type IdempotencyKeys } from '#application/kernel/ports/idempotency.ts'
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

/** What is known of a call under its key. */
interface Claimed {
  /** what it came to before; `begun`: carry it out, it was begun before and nobody knows how far it came; null: carry it out */
  readonly earlier: Earlier | 'begun' | null
  /**
   * ISO 8601: a command that was carried out under this id up to then belongs to another call, whose key is forgotten by now.
   * It is reckoned from when this call was first sent, so that all its repeats agree on it; null where there is no key
   */
  readonly forgotten: string | null
}

/** What an earlier request under the same key came to. */
interface Earlier {
  readonly status: number
  readonly entityId: string | null
}

/** The key of a call, if it has one: a repeat acts once. */
export interface Repeat {
  /**
   * the id of the command: the same for every repeat, so that its stream knows it. A call under the same key with another
   * body has another id: its stream must not take it for done once the key is forgotten, or where nobody claims the key
   */
  readonly commandId: string
  /**
   * Remembers the call with what it carries.
   * @throws {CallRefused} 422 for the same key with another body
   */
  readonly claim: (body: unknown) => Promise<Claimed>
  readonly complete: (status: number, entityId: string | null) => Promise<void>
  /** Forgets a refused call, so that it can be sent again corrected. */
  readonly release: () => Promise<void>
}

const sameAgain = 'This Idempotency-Key was already sent with another body. Use a new key for a new request'

/** What is left of a body where it is only compared. */
export type Fingerprint = (value: unknown) => string

/**
 * Fingerprints under a key of their own: without it nobody can try out what an erased message said.
 * @param secret of the site
 */
export const fingerprintBy = (secret: string): Fingerprint => {
  const key = new Uint8Array(hkdfSync('sha256', secret, 'atelier idempotency', 'body fingerprint v1', 32))
  return (value) =>
    createHmac('sha256', key)
      .update(JSON.stringify(value ?? null))
      .digest('hex')
}

/** The id of a command that is sent under a key. */
export const idUnderKey = (
  { carried, ...request }: Repeatable & { readonly key: string },
  fingerprint: Fingerprint,
): string => derivedId('carried', commandIdOf(request), fingerprint(carried))

/** The id of the next command under a key, once the one with this id is forgotten. */
export const idAfter = (commandId: string): string => derivedId('sent anew', commandId)

/** @throws {CallRefused} 422 for a key that is none */
export const repeatOf = (
  request: Repeatable,
  ports: {
    readonly idempotency: IdempotencyKeys
    readonly clock: Clock
    readonly fingerprint: Fingerprint
  },
): Repeat => {
  if (request.key === undefined) return unrepeatable(ports.clock.newId())
  const parsed = idempotencyKey.safeParse(request.key)
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? 'Idempotency-Key is not understood'
    throw new CallRefused(422, message, { fields: { 'Idempotency-Key': message } })
  }
  const keyed = { ...request, key: parsed.data }
  const key = commandIdOf(keyed)
  return {
    commandId: idUnderKey(keyed, ports.fingerprint),
    claim: async (body) => {
      const bodyHash = ports.fingerprint(body)
      const now = ports.clock.now().toISOString()
      const found = await ports.idempotency.claim(key, bodyHash, now)
      if (found === null) return { earlier: null, forgotten: forgottenBy(now) }
      if (found.bodyHash !== bodyHash) {
        throw new CallRefused(422, sameAgain, { fields: { 'Idempotency-Key': sameAgain } })
      }
      const { status, entityId, claimedAt } = found
      return { earlier: status === null ? 'begun' : { status, entityId }, forgotten: forgottenBy(claimedAt) }
    },
    complete: (status, entityId) => ports.idempotency.complete(key, status, entityId),
    release: () => ports.idempotency.release(key),
  }
}

const unrepeatable = (commandId: string): Repeat => ({
  commandId,
  claim: async () => ({ earlier: null, forgotten: null }),
  complete: async () => {},
  release: async () => {},
})
