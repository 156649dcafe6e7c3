import type { Logger } from './ports/logger.ts'

/** So long until what lasts is told once more, in ms. */
const silentForMs = 10 * 60_000
/** Of more at once none is remembered: what is said of one trouble may be otherwise each time. */
const mostTold = 100

/** Hears of troubles; without `info` not that they are over. */
export interface TroubleLog {
  readonly warn: Logger['warn']
  readonly info?: Logger['info']
}

/**
 * Tells of what goes wrong again and again: at first, then rarely, and once when it is over. Of several that go wrong
 * each is told.
 */
export const rarely = (
  log: TroubleLog,
  now: () => number = () => performance.now(),
): {
  /** @param what goes wrong: the same is the same */
  readonly wrong: (what: string, details: object, words: string) => void
  /** Nothing is wrong any more. */
  readonly right: (words: string) => void
} => {
  const warnedAt = new Map<string, number>()
  return {
    wrong: (what, details, words) => {
      const before = warnedAt.get(what)
      if (before !== undefined && now() - before < silentForMs) return
      if (warnedAt.size >= mostTold) warnedAt.clear()
      warnedAt.set(what, now())
      log.warn(details, words)
    },
    right: (words) => {
      if (warnedAt.size === 0) return
      warnedAt.clear()
      log.info?.({}, words)
    },
  }
}
