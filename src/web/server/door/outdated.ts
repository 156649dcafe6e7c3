import type { CachedPage } from './cached-page.ts'

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
 * Which kept answers may stand in while the engines are silent. One that nobody has asked for since something changed may be of
 * hours ago, and show what was hidden then.
 */
export const noteOutdated = ({ heardAt = () => -Infinity, changedAt = () => -Infinity }: Heard) => {
  const asked = new WeakMap<CachedPage, number>()
  return {
    /** This is what the engines have for a request that came at `askedAt`. */
    isFresh: (page: CachedPage, askedAt: number): void => {
      asked.set(page, askedAt)
    },
    /** @returns the answer; undefined where it is outdated, or none is kept */
    unlessOutdated: (page: CachedPage | undefined): CachedPage | undefined => {
      const askedAt = (page && asked.get(page)) ?? -Infinity
      return changedAt() > askedAt && heardAt() > askedAt + justBeforeMs ? undefined : page
    },
  }
}
