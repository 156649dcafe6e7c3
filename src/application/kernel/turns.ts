import { within } from './within.ts'

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

/** How long a piece of work waits in line, in ms, and what it fails with when its turn does not come by then. */
interface Wait {
  readonly ms: number
  readonly late: () => Error
}

/**
 * Lets so many pieces of work go on at once; the others begin in the order in which they came.
 * @returns what takes a piece of work in, and gives what that gives; without a wait it waits as long as it takes
 */
export const atMost = (most: number): (<T>(work: () => Promise<T>, wait?: Wait) => Promise<T>) => {
  const waiting: (() => void)[] = []
  let underWay = 0
  const turn = async (wait?: Wait): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    if (wait === undefined) return promise
    await within(promise, wait.ms, () => {
      waiting.splice(waiting.indexOf(resolve), 1)
      throw wait.late()
    })
  }
  return async (work, wait) => {
    if (underWay < most) underWay += 1
    else await turn(wait)
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else underWay -= 1
    }
  }
}
