/**
 * One runner at a time, also across processes. The embedded engines grant it within the one
 * process that holds the data folder.
 */
export interface Lease {
  /** aborted when another has taken over, or when it cannot be known: stop at once */
  readonly lost: AbortSignal
  readonly release: () => Promise<void>
}

export interface Leases {
  /** Waits for its turn. @throws the signal's reason when aborted before */
  readonly acquire: (name: string, signal: AbortSignal) => Promise<Lease>
  /** The lease when it is free now, else null. */
  readonly tryAcquire: (name: string) => Promise<Lease | null>
}
