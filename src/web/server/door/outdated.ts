/** Who asked so shortly before the engines fell silent saw about what they held last, in ms. */
const justBeforeMs = 1_000

/** Both on the clock of `performance.now()`; never unless given. */
export interface Heard {
  /** when the engines answered anybody last */
  readonly heardAt?: () => number
  /** when it was last heard that what visitors see has changed */
  readonly changedAt?: () => number
}

/**
 * Which kept answers, and what they are made of, may stand in while the engines are silent. One that nobody has asked for since
 * something changed may be of hours ago, and show what was hidden then.
 */
export const noteOutdated = ({ heardAt = () => -Infinity, changedAt = () => -Infinity }: Heard) => {
  const asked = new WeakMap<object, number>()
  return {
    /** This is what the engines have for a request that came at `askedAt`. */
    noteFresh: (kept: object, askedAt: number): void => {
      // One that came earlier may be answered later.
      asked.set(kept, Math.max(askedAt, asked.get(kept) ?? -Infinity))
    },
    /** Nothing was heard to have changed since it was known as what the engines have. */
    isNewest: (kept: object): boolean => changedAt() <= (asked.get(kept) ?? -Infinity),
    /** @returns what is kept; undefined where it is outdated, or nothing is */
    unlessOutdated: <Kept extends object>(kept: Kept | undefined): Kept | undefined => {
      const askedAt = (kept && asked.get(kept)) ?? -Infinity
      return changedAt() > askedAt && heardAt() > askedAt + justBeforeMs ? undefined : kept
    },
  }
}
