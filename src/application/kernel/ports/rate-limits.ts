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
  /** Takes one back that was counted and should not have been; nothing where none is counted any more. */
  readonly giveBack: (name: string, key: string) => Promise<void>
  readonly reset: (name: string, key: string) => Promise<void>
}
