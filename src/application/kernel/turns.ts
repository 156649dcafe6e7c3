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

/**
 * Works through a list, so many at once, begun in its order.
 * @throws what the first that failed threw: no other is begun then, and those under way are over
 */
export const eachOf = async <T>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const rest = items[Symbol.iterator]()
  let failed = false
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); !failed && next.done !== true; next = rest.next()) {
      try {
        await work(next.value)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: most }, worker))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
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
