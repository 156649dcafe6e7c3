/** One piece of work after the other for each key; those of other keys go on meanwhile. */
export interface Turns {
  /** @returns what the work gives, once all that came before under the key has ended, well or not */
  readonly take: <T>(key: string, work: () => Promise<T>) => Promise<T>
}

/** Begins with nobody waiting. */
export const openTurns = (): Turns => {
  const last = new Map<string, Promise<unknown>>()
  return {
    take: async (key, work) => {
      const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
      last.set(key, mine)
      try {
        return await mine
      } finally {
        if (last.get(key) === mine) last.delete(key)
      }
    },
  }
}

/**
 * Lets so many pieces of work go on at once; the others begin in the order in which they came.
 * @returns what takes a piece of work in, and gives what that gives
 */
export const atMost = (most: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay < most) underWay += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else underWay -= 1
    }
  }
}
