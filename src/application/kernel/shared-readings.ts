/**
 * Lets those who ask share one reading: each gets one that began after it asked, and no two are under way.
 */
export const shareReadings = <Result>(read: () => Promise<Result>): (() => Promise<Result>) => {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | null = null
  return () => {
    if (next !== null) return next
    const begin = (): Promise<Result> => {
      next = null
      return read()
    }
    next = current.then(begin, begin)
    current = next
    return next
  }
}
