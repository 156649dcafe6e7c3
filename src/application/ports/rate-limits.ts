export type RateLimit =
  | { readonly allowed: true; readonly remaining: number }
  | { readonly allowed: false; readonly retryAfterMs: number }

/** Counters shared by all web processes. */
export interface RateLimits {
  /** Looks without counting. */
  readonly check: (
    limit: { readonly name: string; readonly points: number; readonly windowMs: number },
    key: string,
  ) => Promise<RateLimit>
  /** Counts one. */
  readonly hit: (
    limit: { readonly name: string; readonly points: number; readonly windowMs: number },
    key: string,
  ) => Promise<RateLimit>
  readonly reset: (name: string, key: string) => Promise<void>
}
