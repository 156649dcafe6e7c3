import { pause } from '#application/kernel/retry.ts'
import { ReaderLeft, SiteBusy } from './errors.ts'

/** What may say that nobody reads any more: the connection on which it was asked. */
export interface Reader {
  readonly writable: boolean
}

/** What is made for whoever asked for it. */
interface Job<Result> {
  readonly work: () => Promise<Result>
  readonly made: PromiseWithResolvers<Result>
  /** undefined: somebody who cannot leave */
  readonly readers: (Reader | undefined)[]
}

export interface Lane<Result> {
  /**
   * Does the work once for all who ask for the same name, after what was asked for before.
   * @param first goes before all others, and is never refused
   * @throws SiteBusy when too much waits already, ReaderLeft when nobody reads any more before it is begun
   */
  readonly take: (
    name: string,
    work: () => Promise<Result>,
    asked?: { readonly reader?: Reader | undefined; readonly first?: boolean },
  ) => Promise<Result>
}

/** Before any more are refused. */
const mostWaiting = 32

const isWanted = ({ readers }: Pick<Job<unknown>, 'readers'>): boolean =>
  readers.some((reader) => reader?.writable !== false)

/**
 * Does one work after the other, for a short row of those who wait, and none that nobody waits for any more.
 * @param longestPauseMs between two works, but no longer than the one before took: for work that leaves nobody else a
 *   turn of the event loop, and so takes at most half of the time
 */
export const openLane = <Result>({
  most = mostWaiting,
  longestPauseMs = 0,
}: {
  readonly most?: number
  readonly longestPauseMs?: number
} = {}): Lane<Result> => {
  const known = new Map<string, Job<Result>>()
  let waiting: string[] = []
  let atWork = false

  const leave = (name: string, { made }: Job<Result>): void => {
    known.delete(name)
    made.reject(new ReaderLeft())
  }

  const dropUnwanted = (): void => {
    waiting = waiting.filter((name) => {
      const job = known.get(name)
      if (job === undefined || isWanted(job)) return job !== undefined
      leave(name, job)
      return false
    })
  }

  const work = async (): Promise<void> => {
    atWork = true
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const job = known.get(name)
      if (job === undefined) continue
      if (!isWanted(job)) {
        leave(name, job)
        continue
      }
      const began = performance.now()
      await job.work().then(job.made.resolve, job.made.reject)
      known.delete(name)
      // A single turn of the event loop would let in one new connection.
      if (longestPauseMs > 0) await pause(Math.min(performance.now() - began, longestPauseMs))
    }
    atWork = false
  }

  return {
    take: (name, make, { reader, first = false } = {}) => {
      const underWay = known.get(name)
      if (underWay) {
        underWay.readers.push(reader)
        return underWay.made.promise
      }
      if (waiting.length >= most) dropUnwanted()
      if (waiting.length >= most && !first) return Promise.reject(new SiteBusy())
      const job: Job<Result> = { work: make, made: Promise.withResolvers(), readers: [reader] }
      known.set(name, job)
      if (first) waiting.unshift(name)
      else waiting.push(name)
      if (!atWork) void work()
      return job.made.promise
    },
  }
}
