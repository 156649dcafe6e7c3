/**
 * Does a piece of work once for all who ask for it at the same time, by its name. Who asks after it has ended, well or
 * not, has it done again.
 */
export const shareWork = <Result>() => {
  const underWay = new Map<string, Promise<Result>>()
  return (name: string, work: () => Promise<Result>): Promise<Result> => {
    const known = underWay.get(name)
    if (known) return known
    const begun = work().finally(() => underWay.delete(name))
    underWay.set(name, begun)
    return begun
  }
}

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

/** Does a piece of work when it is first asked for, and keeps what it gives. What failed is done again at the next asking. */
export const doneOnce = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  let done: Promise<Result> | null = null
  return () => {
    done ??= work().catch((error: unknown) => {
      done = null
      throw error
    })
    return done
  }
}
