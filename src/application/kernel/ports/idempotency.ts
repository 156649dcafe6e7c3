import { machineLimits } from '#domain/machine-limits.ts'

/** What is remembered of a command sent with an `Idempotency-Key`, for 24 h. */
export interface IdempotencyRecord {
  readonly bodyHash: string
  /** ISO 8601: when it was first sent */
  readonly claimedAt: string
  /** HTTP status of the first answer; null while it is still being worked on or was cut off */
  readonly status: number | null
  /** id of the entity it acted on, to answer it as it is now */
  readonly entityId: string | null
}

export interface IdempotencyKeys {
  /** Remembers the key, or answers what is remembered of it. */
  readonly claim: (key: string, bodyHash: string, now: string) => Promise<IdempotencyRecord | null>
  readonly complete: (key: string, status: number, entityId: string | null) => Promise<void>
  /** Forgets a claim whose command was refused, so that it can be sent again. */
  readonly release: (key: string) => Promise<void>
  readonly sweep: (now: string) => Promise<number>
  /** Forgets all keys: what they answer was done in a log that stands no longer there. */
  readonly forgetAll: () => Promise<void>
}

/** The newest time of a claim that is forgotten at `now`. */
export const forgottenBy = (now: string): string =>
  new Date(Date.parse(now) - machineLimits.keyKnownMs).toISOString()
