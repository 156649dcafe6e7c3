export type RateLimit =
  | { readonly allowed: true; readonly remaining: number }
  | { readonly allowed: false; readonly retryAfterMs: number }

/** What is counted under a name: so many in each stretch of time, which begins with the first. */
export interface Limit {
  readonly name: string
  readonly points: number
  readonly windowMs: number
}

/** Counters shared by all web processes. */
export interface RateLimits {
  /** Counts one. */
  readonly hit: (limit: Limit, key: string) => Promise<RateLimit>
  /** Takes one back that was counted and should not have been; nothing where none is counted any more. */
  readonly giveBack: (name: string, key: string) => Promise<void>
  readonly reset: (name: string, key: string) => Promise<void>
}
