/** Numbers of the machine that every floor holds to, and that the client is told of. */
export const machineLimits = {
  /** characters of a new password (spec A-10) */
  minPassword: 8,
  maxPassword: 128,
  /** ms for which an `Idempotency-Key` is known */
  keyKnownMs: 24 * 60 * 60 * 1_000,
} as const

/** In a new password: control characters, and what stands for bytes that were no text. Nobody can type them at the login. */
export const untypable = /[\p{Cc}\uFFFD]/u
