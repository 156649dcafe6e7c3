import type { IncomingMessage } from 'node:http'
import { pause } from '#application/kernel/retry.ts'
import { clientAddress, countedAddress } from './client-address.ts'
import { ReaderLeft, SiteBusy } from './errors.ts'

/** Who waits for a work. */
export interface Reader {
  /** false once nobody reads any more: that of the connection on which it was asked */
  readonly writable: boolean
  /** under what they are counted */
  readonly address: string
}

/** @param proxies as `clientAddress` takes it */
export const readerOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>, proxies: number): Reader => ({
  get writable() {
    return request.socket.writable
  },
  // Of what stands ready nobody asks it.
  get address() {
    return countedAddress(clientAddress(request, proxies))
  },
})

/** Who asked for a work, and what they are given. */
interface Asker<Result> extends PromiseWithResolvers<Result> {
  /** undefined: somebody who cannot leave */
  readonly reader: Reader | undefined
}

/** What is made for whoever asked for it. */
interface Job<Result> {
  readonly name: string
  readonly work: () => Promise<Result>
  askers: Asker<Result>[]
  /** of those who ask for it the one with the fewest others waiting; null: it goes before all others, or nobody knows */
  address: string | null
  readonly isFirst: boolean
}

export interface Lane<Result> {
  /**
   * Does the work once for all who ask for the same name. Addresses take turns: whoever asks for much waits for the others,
   * and not they for him; where too much waits already, his last work is refused for theirs.
   * @param first goes before all others, but never twice in a row where these wait, and is never refused
   * @throws SiteBusy when too much waits, ReaderLeft when nobody reads any more before it is begun
   */
  readonly take: (
    name: string,
    work: () => Promise<Result>,
    asked?: { readonly reader?: Reader | undefined; readonly first?: boolean },
  ) => Promise<Result>
}

/** Before any more are refused. */
const mostWaiting = 32

/** How often each address stands among these. */
const countOf = (addresses: readonly (string | null)[], address: string | null): number =>
  addresses.filter((each) => each === address).length

/** Where the next work of an address goes among those that wait: before whoever has more works ahead of it by then. */
const placeAmong = (waiting: readonly (string | null)[], address: string | null): number => {
  if (address === null) return waiting.length
  const own = countOf(waiting, address)
  const behind = waiting.findIndex((each, n) => each !== null && countOf(waiting.slice(0, n), each) > own)
  return behind === -1 ? waiting.length : behind
}

/** The last work of the address that has most of them waiting, where that is more than the next one would have. */
const lastOfMost = (waiting: readonly (string | null)[], address: string | null): number => {
  if (address === null) return -1
  const counts = waiting.map((each) => (each === null ? 0 : countOf(waiting, each)))
  const most = Math.max(0, ...counts)
  return most > countOf(waiting, address) + 1 ? counts.lastIndexOf(most) : -1
}

const hasLeft = ({ reader }: Pick<Asker<unknown>, 'reader'>): boolean => reader?.writable === false

const refuse = (askers: readonly Pick<Asker<unknown>, 'reject'>[], error: unknown): void => {
  for (const asker of askers) asker.reject(error)
}

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
  let atWork: Job<Result> | undefined
  let waiting: Job<Result>[] = []
  /** also while it pauses between two works */
  let isBusy = false

  const addresses = (): readonly (string | null)[] => waiting.map(({ address }) => address)

  const others = (): readonly Job<Result>[] => waiting.filter(({ isFirst }) => !isFirst)

  /** Whoever has left waits for nothing, also where others go on waiting for the same. */
  const dropUnwanted = (): void => {
    for (const job of waiting) {
      refuse(job.askers.filter(hasLeft), new ReaderLeft())
      job.askers = job.askers.filter((asker) => !hasLeft(asker))
    }
    waiting = waiting.filter(({ askers }) => askers.length > 0)
  }

  /** @returns whether there is a place for another */
  const makeRoom = (address: string | null): boolean => {
    if (others().length >= most) dropUnwanted()
    if (others().length < most) return true
    const last = lastOfMost(addresses(), address)
    if (last === -1) return false
    for (const job of waiting.splice(last, 1)) refuse(job.askers, new SiteBusy())
    return true
  }

  /** Who waits for less gives a work that waits already their own place. */
  const shareWith = (address: string, job: Job<Result>): void => {
    const [at, waits] = [waiting.indexOf(job), addresses()]
    if (at === -1 || job.address === null || countOf(waits, address) >= countOf(waits, job.address)) return
    waiting.splice(at, 1)
    job.address = address
    waiting.splice(Math.min(at, placeAmong(addresses(), address)), 0, job)
  }

  /** Where what goes first comes all the while, as while the site changes, the others would else wait for its end. */
  const next = (last: Job<Result> | undefined): Job<Result> | undefined => {
    dropUnwanted()
    const other = last?.isFirst === true ? waiting.findIndex(({ isFirst }) => !isFirst) : 0
    return waiting.splice(Math.max(0, other), 1)[0]
  }

  const work = async (): Promise<void> => {
    isBusy = true
    for (let job = next(undefined); job !== undefined; job = next(job)) {
      atWork = job
      const began = performance.now()
      // Over before anybody hears of it: who asks for the same again at once asks for another.
      const end = (tell: (asker: Asker<Result>) => void): void => {
        atWork = undefined
        for (const asker of job.askers) tell(asker)
      }
      await job.work().then(
        (result) => end((asker) => asker.resolve(result)),
        (error: unknown) => end((asker) => asker.reject(error)),
      )
      // A single turn of the event loop would let in one new connection.
      if (longestPauseMs > 0) await pause(Math.min(performance.now() - began, longestPauseMs))
    }
    isBusy = false
  }

  return {
    take: (name, make, { reader, first = false } = {}) => {
      // Nobody's address is that of a closed connection: it would be counted as one with nothing waiting.
      if (reader?.writable === false) return Promise.reject(new ReaderLeft())
      const known = [atWork, ...waiting].find((job) => job?.name === name)
      const asker = { reader, ...Promise.withResolvers<Result>() }
      if (known) {
        // What is at work is done, and needs to know nothing more of who asks.
        known.askers.push(known === atWork ? { ...asker, reader: undefined } : asker)
        if (reader) shareWith(reader.address, known)
        return asker.promise
      }
      const address = first ? null : (reader?.address ?? null)
      if (!first && !makeRoom(address)) return Promise.reject(new SiteBusy())
      const place = first ? waiting.length - others().length : placeAmong(addresses(), address)
      waiting.splice(place, 0, { name, work: make, askers: [asker], address, isFirst: first })
      if (!isBusy) void work()
      return asker.promise
    },
  }
}
