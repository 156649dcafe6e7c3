import { rest } from '#application/kernel/retry.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { Lease, Leases } from '#application/kernel/ports/leases.ts'
import { type Mongo, isDuplicate } from './mongo.ts'

/** All in ms. */
export interface LeaseTimes {
  /** between two signs of life of the holder */
  readonly beat: number
  /** the holder gives up when none of its signs was confirmed for so long; less than `timeout` */
  readonly doubt: number
  /** a candidate takes over when it has seen the same sign for so long */
  readonly timeout: number
  /** between two looks of a candidate */
  readonly look: number
}

/** Taken over within 10 s of a kill (issue: two projectors): the timeout, and at most one look and one beat more. */
const usual: LeaseTimes = { beat: 1_000, doubt: 3_000, timeout: 6_000, look: 500 }

/** Turns kept behind the newest, so that a candidate that slept cannot insert one that was there before. */
const KEPT = 50

/** One turn of one holder. Only its owner changes it; the next turn is won by inserting it. */
interface Turn {
  readonly _id: string
  readonly name: string
  readonly epoch: number
  readonly beat: number
  readonly released: boolean
}

/** A lease in hand, as `close` sees it. */
interface Held {
  readonly lose: (reason: string) => void
}

const idOf = (name: string, epoch: number): string => `${name}/${String(epoch).padStart(10, '0')}`

/**
 * Leases without clocks: a turn is won by inserting the next epoch, and a candidate waits until it has itself
 * seen the holder stand still for long enough. A holder that cannot reach MongoDB gives up before that.
 */
export const openLeases = async (
  mongo: Mongo,
  times: LeaseTimes = usual,
): Promise<Leases & { readonly close: () => void }> => {
  const turns = mongo.collection<Turn>('leases')
  await mongo.ask(() => turns.createIndex({ name: 1, epoch: -1 }, { name: 'by_epoch' }))
  /** what a candidate saw of each lease, and since when */
  const seen = new Map<string, { readonly mark: string; readonly since: number }>()
  const held = new Set<Held>()

  const ask = <Result>(call: () => Promise<Result>): Promise<Result> => mongo.ask(call, times.doubt)
  const newest = (name: string): Promise<Turn | null> => turns.findOne({ name }, { sort: { epoch: -1 } })

  /** @returns the epoch won, or null */
  const take = async (name: string): Promise<number | null> => {
    const top = await newest(name)
    const now = performance.now()
    const mark = top ? `${top.epoch}/${top.beat}` : ''
    const known = seen.get(name)
    const since = known?.mark === mark ? known.since : now
    seen.set(name, { mark, since })
    if (top && !top.released && now - since < times.timeout) return null
    const epoch = (top?.epoch ?? 0) + 1
    try {
      await turns.insertOne({ _id: idOf(name, epoch), name, epoch, beat: 0, released: false })
    } catch (error) {
      if (!isDuplicate(error)) throw error
      return null
    }
    seen.delete(name)
    if ((await newest(name))?.epoch !== epoch) return null
    await turns.deleteMany({ name, epoch: { $lt: epoch - KEPT } })
    return epoch
  }

  const hold = (name: string, epoch: number, since: number): Lease => {
    const lost = new AbortController()
    const over = new AbortController()
    let beat = 0
    let doubting: NodeJS.Timeout

    const end = (): void => {
      clearTimeout(doubting)
      over.abort()
      held.delete(self)
    }
    const lose = (reason: string): void => {
      if (over.signal.aborted) return
      end()
      lost.abort(new EngineAway('mongodb', `The lease ${name} was lost: ${reason}`))
    }
    const self: Held = { lose }
    const trustUntil = (moment: number): void => {
      clearTimeout(doubting)
      doubting = setTimeout(() => lose('MongoDB confirms it no more'), moment - performance.now())
      doubting.unref()
    }

    const renew = async (): Promise<void> => {
      const sent = performance.now()
      beat += 1
      const mine = await ask(async () => {
        const { matchedCount } = await turns.updateOne({ _id: idOf(name, epoch) }, { $set: { beat } })
        return matchedCount === 1 && (await newest(name))?.epoch === epoch
      })
      if (over.signal.aborted) return
      if (mine) trustUntil(sent + times.doubt)
      else lose('another has taken over')
    }
    const beating = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await rest(times.beat, over.signal, { ref: false })
        if (over.signal.aborted) return
        await renew().catch((thrown: unknown) =>
          mongo.log.warn({ err: thrown, lease: name }, 'The lease could not be renewed; trying again'),
        )
      }
    }

    held.add(self)
    trustUntil(since + times.doubt)
    void beating()
    return {
      lost: lost.signal,
      release: async () => {
        if (over.signal.aborted) return
        end()
        try {
          await ask(() => turns.updateOne({ _id: idOf(name, epoch) }, { $set: { released: true } }))
        } catch (thrown) {
          // the next one takes over when its timeout ends
          mongo.log.warn({ err: thrown, lease: name }, 'The lease could not be given back')
        }
      },
    }
  }

  const tryAcquire = async (name: string): Promise<Lease | null> => {
    const asked = performance.now()
    const epoch = await ask(() => take(name))
    return epoch === null ? null : hold(name, epoch, asked)
  }

  return {
    tryAcquire,
    acquire: async (name, signal) => {
      for (;;) {
        signal.throwIfAborted()
        try {
          const lease = await tryAcquire(name)
          if (lease && signal.aborted) await lease.release()
          signal.throwIfAborted()
          if (lease) return lease
        } catch (thrown) {
          if (!(thrown instanceof EngineAway)) throw thrown
          mongo.log.warn({ err: thrown, lease: name }, 'Waiting for a lease; trying again')
        }
        await rest(times.look, signal)
      }
    },
    close: () => {
      for (const { lose } of held) lose('the server is stopping')
    },
  }
}
