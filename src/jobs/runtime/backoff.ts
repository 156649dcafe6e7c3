/**
 * Waits between tries: the n-th of the list after the n-th failure, then none (the job is parked). Each is
 * spread by up to a fifth, so that jobs which failed together do not come back together.
 * @param waits in ms
 */
export const spread =
  (waits: readonly number[], random: () => number = Math.random) =>
  (failedAttempts: number): number | null => {
    const wait = waits[failedAttempts - 1]
    return wait === undefined ? null : Math.round(wait * (0.9 + 0.2 * random()))
  }
