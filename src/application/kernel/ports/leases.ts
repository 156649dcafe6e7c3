/**
 * One runner at a time, also across processes. The embedded engines grant it within the one
 * process that holds the data folder.
 */
export interface Lease {
  /** aborted when another has taken over, or when it cannot be known: stop at once */
  readonly lost: AbortSignal
  /** Looks by the clock as well: a process that stood still has not heard yet. @throws the reason of `lost` */
  readonly check: () => void
  readonly release: () => Promise<void>
}

export interface Leases {
  /** Waits for its turn. @throws the signal's reason when aborted before */
  readonly acquire: (name: string, signal: AbortSignal) => Promise<Lease>
  /**
   * The lease when it is free now, else null.
   * @param holder what {@link WatchedLeases.holders} tells of whoever holds it
   * @param former one's own, lost: where nobody has taken it since, it is free for oneself. Not for work of which something may
   *   still be under way
   */
  readonly tryAcquire: (name: string, holder?: string, former?: Lease) => Promise<Lease | null>
}

export interface Holder {
  /** as it was acquired with; empty where nothing was told */
  readonly holder: string
  /** another one each time that it is acquired */
  readonly turn: string
  /** another one after each sign of life; that of a dead holder stays */
  readonly sign: string
}

/** Leases of which everybody may know who holds them. */
export interface WatchedLeases extends Leases {
  /** Those of these leases that are held. A dead holder counts until another may take its turn. */
  readonly holders: (names: readonly string[]) => Promise<ReadonlyMap<string, Holder>>
}

/** So begins the name under which a command holds all places that has to be alone, as a restore. */
export const aloneName = 'alone-'

/** The places of the server processes on shared engines, of which each holds one under the names of its roles. */
export const serverPlaces: readonly string[] = Array.from({ length: 32 }, (_, n) => `server-${n}`)

/** The only one of them for a site of which a part stands in a folder: there is but one process that can hold that. */
export const onlyPlace = serverPlaces.slice(0, 1)
