import { EngineAway } from './ports/event-store.ts'
import type { Lease, Leases } from './ports/leases.ts'
import { pause } from './retry.ts'
import { within } from './within.ts'

/** What a piece of work fails with whose turn does not come in time: nobody's fault, and it may be tried again. */
const turnMissed = (options?: ErrorOptions): EngineAway =>
  new EngineAway('turn', 'Something else is still being carried out. Please try again in a moment', options)

/** So many may wait in line, and what whoever comes then gets. */
interface Line {
  readonly most: number
  readonly full: () => Error
}

/**
 * One piece of work after the other for each key; those of other keys go on meanwhile.
 * @param withinMs what has waited for longer when its turn comes is not begun: its place in the line costs no time then
 * @param line how many may be there in all, at work or waiting, and of one key; without it there is no bound, as where each has
 *   a place elsewhere
 * @returns what takes a piece of work in, and gives what that gives, once all before it under its key has ended, well or not;
 * throws {@link EngineAway} where that took too long, and what the line says where it is full
 */
export const onePerKey = (
  withinMs = Infinity,
  line?: Line & { readonly mostOfKey: number },
): (<T>(key: string, work: () => Promise<T>) => Promise<T>) => {
  const lines = new Map<string, { readonly last: Promise<unknown>; readonly length: number }>()
  let all = 0
  return async (key, work) => {
    const before = lines.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (line !== undefined && (before.length >= line.mostOfKey || all >= line.most)) throw line.full()
    const asked = performance.now()
    const begin = (): ReturnType<typeof work> => {
      if (performance.now() - asked > withinMs) throw turnMissed()
      return work()
    }
    const mine = before.last.then(begin, begin)
    lines.set(key, { last: mine, length: before.length + 1 })
    all += 1
    try {
      return await mine
    } finally {
      all -= 1
      const now = lines.get(key)
      if (now === undefined || now.length === 1) lines.delete(key)
      else lines.set(key, { ...now, length: now.length - 1 })
    }
  }
}

/**
 * One at a time in whatever processes: works while it holds the lease.
 * @param work is told when the lease is lost, and may look itself
 * @throws the signal's reason when aborted before its turn comes
 */
export const underLease = async <T>(
  leases: Pick<Leases, 'acquire'>,
  name: string,
  signal: AbortSignal,
  work: (lost: AbortSignal, check: () => void) => Promise<T>,
): Promise<T> => {
  const lease = await leases.acquire(name, signal)
  try {
    return await work(lease.lost, lease.check)
  } finally {
    await lease.release()
  }
}

/**
 * The first of these leases that is free, looked for again and again.
 * @param former as `tryAcquire` takes it
 * @throws the signal's reason once it is aborted
 */
export const anyLease = async (
  leases: Pick<Leases, 'tryAcquire'>,
  names: readonly string[],
  holder: string,
  signal: AbortSignal,
  lookMs: number,
  former?: Lease,
): Promise<Lease> => {
  for (;;) {
    for (const name of names) {
      signal.throwIfAborted()
      const lease = await leases.tryAcquire(name, holder, former)
      if (lease !== null) return lease
    }
    await pause(lookMs, signal)
  }
}

/**
 * Leases for who does not wait for ever.
 * @throws {EngineAway} in the stead of what says that the time is over
 */
export const leasesUntil = (leases: Pick<Leases, 'acquire'>, late: AbortSignal): Pick<Leases, 'acquire'> => ({
  acquire: async (name, signal) => {
    try {
      return await leases.acquire(name, signal)
    } catch (error) {
      if (!late.aborted || error instanceof EngineAway) throw error
      throw turnMissed({ cause: error })
    }
  },
})

/**
 * As {@link underLease}, for who waits no longer than `ms` for the turn.
 * @throws {EngineAway} when it does not come by then
 */
export const underLeaseWithin = <T>(
  leases: Pick<Leases, 'acquire'>,
  name: string,
  ms: number,
  work: (lost: AbortSignal, check: () => void) => Promise<T>,
): Promise<T> => {
  const late = AbortSignal.timeout(ms)
  return underLease(leasesUntil(leases, late), name, late, work)
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

/** Lets others in this process go on first: long work that awaits only what is in memory would leave them no turn. */
export const othersFirst = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** How long a piece of work waits in line, in ms, and what it fails with when its turn does not come by then. */
interface Wait {
  readonly ms: number
  readonly late: () => Error
}

/**
 * Lets so many pieces of work go on at once; the others begin in the order in which they came.
 * @returns what takes a piece of work in, and gives what that gives; without a wait it waits as long as it takes
 */
export const atMost = (
  most: number,
  line?: Line,
): (<T>(work: () => Promise<T>, wait?: Wait) => Promise<T>) => {
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
    else if (line !== undefined && waiting.length >= line.most) throw line.full()
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
