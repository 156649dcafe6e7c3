import { rarely } from '#application/kernel/rarely.ts'
import { pause } from '#application/kernel/retry.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { Holder, Lease, Leases, WatchedLeases } from '#application/kernel/ports/leases.ts'
import { type Mongo, wasFirst } from './mongo.ts'

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

/**
 * Taken over within 10 s of a kill (spec L-12): the timeout, and at most one look and one beat more. A disk that stands still for
 * two seconds, as while a backup comes to it, takes no lease away.
 */
const usual: LeaseTimes = { beat: 1_000, doubt: 4_000, timeout: 6_000, look: 500 }

/** Turns kept behind the newest, so that a candidate that slept cannot insert one that was there before. */
const kept = 50

/** One turn of one holder. Only its owner changes it; the next turn is won by inserting it. */
interface Turn {
  readonly _id: string
  readonly name: string
  readonly epoch: number
  readonly beat: number
  readonly released: boolean
  /** who has it; not there in what older versions wrote */
  readonly holder?: string
}

/** A lease in hand. */
interface Held {
  readonly name: string
  readonly epoch: number
  beat: number
  readonly lost: AbortSignal
  readonly check: () => void
  readonly lose: (reason: string) => void
  readonly confirmed: (moment: number) => void
  /** @returns whether it was still in hand */
  readonly end: () => boolean
}

const signOf = ({ epoch, beat }: Turn): string => `${epoch}/${beat}`

const idOf = (name: string, epoch: number): string => `${name}/${String(epoch).padStart(10, '0')}`

/** The turns as they are stored. */
const openTurns = async (mongo: Mongo) => {
  const turns = mongo.collection<Turn>('leases')
  await mongo.prepare(() => turns.createIndex({ name: 1, epoch: -1 }, { name: 'by_epoch' }))
  const newest = (name: string): Promise<Turn | null> => turns.findOne({ name }, { sort: { epoch: -1 } })
  return {
    newest,
    /** The newest turn of each, by its name. */
    newestOf: async (names: readonly string[]): Promise<ReadonlyMap<string, Turn>> => {
      const found = await turns
        .aggregate<{ _id: string; top: Turn }>([
          { $match: { name: { $in: [...names] } } },
          { $sort: { epoch: -1 } },
          { $group: { _id: '$name', top: { $first: '$$ROOT' } } },
        ])
        .toArray()
      return new Map(found.map(({ _id, top }) => [_id, top]))
    },
    /** @returns the epoch won, or null when another was faster */
    win: async (name: string, epoch: number, holder: string): Promise<number | null> => {
      const turn = { _id: idOf(name, epoch), name, epoch, beat: 0, released: false, holder }
      if (!(await wasFirst(turns.insertOne(turn)))) return null
      return (await newest(name))?.epoch === epoch ? epoch : null
    },
    /** Removes turns that nobody looks at any more. */
    forgetBefore: (name: string, epoch: number) => turns.deleteMany({ name, epoch: { $lt: epoch - kept } }),
    giveSigns: (signs: readonly Held[]) =>
      turns.bulkWrite(
        signs.map(({ name, epoch, beat }) => ({
          updateOne: { filter: { _id: idOf(name, epoch) }, update: { $set: { beat } } },
        })),
        { ordered: false },
      ),
    release: ({ name, epoch }: Held) =>
      turns.updateOne({ _id: idOf(name, epoch) }, { $set: { released: true } }),
  }
}

/**
 * Whether somebody has a lease, as far as can be told from looking at its newest turn again and again. A look tells how it stood
 * when it was begun: by the time of a late answer the holder may have given its next sign, and had it confirmed.
 */
const candidate = (timeoutMs: number) => {
  /** what was seen of each lease, and since when */
  const seen = new Map<string, { readonly sign: string; readonly since: number }>()
  return (name: string, top: Turn | null, asked: number): boolean => {
    const sign = top ? signOf(top) : ''
    const known = seen.get(name)
    const since = known?.sign === sign ? known.since : performance.now()
    seen.set(name, { sign, since })
    return top !== null && !top.released && asked - since < timeoutMs
  }
}

/** Takes a lease in hand, among those that are; it is lost when none of its signs was confirmed for `doubtMs`. */
const hold = (held: Set<Held>, name: string, epoch: number, since: number, doubtMs: number): Held => {
  const lost = new AbortController()
  let doubting: NodeJS.Timeout
  let doubtfulFrom = 0
  const end = (): boolean => {
    clearTimeout(doubting)
    return held.delete(self)
  }
  const lose = (reason: string): void => {
    if (end()) lost.abort(new EngineAway('mongodb', `The lease ${name} was lost: ${reason}`))
  }
  const confirmed = (moment: number): void => {
    // Two signs may be under way at once, and be confirmed in any order.
    if (!held.has(self) || moment + doubtMs <= doubtfulFrom) return
    clearTimeout(doubting)
    doubtfulFrom = moment + doubtMs
    doubting = setTimeout(doubt, Math.max(0, doubtfulFrom - performance.now()))
    doubting.unref()
  }
  const doubt = (): void => lose('MongoDB confirms it no more')
  const check = (): void => {
    if (performance.now() >= doubtfulFrom) doubt()
    lost.signal.throwIfAborted()
  }
  const self: Held = { name, epoch, beat: 0, lost: lost.signal, check, lose, confirmed, end }
  held.add(self)
  confirmed(since)
  return self
}

type Ask = <Result>(call: () => Promise<Result>) => Promise<Result>

/**
 * Has all leases in hand give signs of life together; to be called with each new one, which gives its next sign at once: what
 * was left of its time may be over before the others are through with theirs, where each answer takes some tenths of a second.
 */
const beating = (
  turns: Awaited<ReturnType<typeof openTurns>>,
  held: ReadonlySet<Held>,
  ask: Ask,
  everyMs: number,
  log: Mongo['log'],
): ((lease: Held) => Promise<void>) => {
  /** One sign of life of each of these, and whether it is still the newest turn. */
  const sign = async (mine: readonly Held[], sent: number): Promise<void> => {
    for (const each of mine) each.beat += 1
    const tops = await ask(async () => {
      await turns.giveSigns(mine)
      return turns.newestOf(mine.map(({ name }) => name))
    })
    for (const each of mine)
      if (tops.get(each.name)?.epoch === each.epoch) each.confirmed(sent)
      else each.lose('another has taken over')
  }
  const renew = (mine: readonly Held[], sent: number): Promise<void> =>
    sign(mine, sent).catch((thrown: unknown) => {
      const leases = mine.filter((each) => held.has(each)).map(({ name }) => name)
      // What was given back or lost meanwhile needs no sign.
      if (leases.length > 0) log.warn({ err: thrown, leases }, 'Leases could not be renewed; trying again')
    })
  let isBeating = false
  return async (lease) => {
    let sent = performance.now()
    if (isBeating) return renew([lease], sent)
    isBeating = true
    let mine = [lease]
    while (mine.length > 0) {
      await renew(mine, sent)
      // From when the last signs were sent: slow answers would else take the time of two, and the pause.
      await pause(Math.max(0, sent + everyMs - performance.now()), undefined, { ref: false })
      sent = performance.now()
      mine = [...held]
    }
    isBeating = false
  }
}

/** Wakes who waits in this process for a lease that is given back in it: the next look may be half a second away. */
const wakeable = () => {
  const waiting = new Map<string, AbortController>()
  return {
    /** Aborted when a lease of this name is given back here. */
    givenBack: (name: string): AbortSignal => {
      const waker = waiting.get(name) ?? new AbortController()
      waiting.set(name, waker)
      return waker.signal
    },
    wake: (name: string): void => {
      waiting.get(name)?.abort()
      waiting.delete(name)
    },
  }
}

/** Waits for a lease by looking again and again; a server that is away is waited for as well. */
const acquiring = (
  tryAcquire: Leases['tryAcquire'],
  givenBack: (name: string) => AbortSignal,
  lookMs: number,
  log: Mongo['log'],
): Leases['acquire'] => {
  const troubles = rarely(log)
  return async (name, signal) => {
    for (;;) {
      signal.throwIfAborted()
      // Before it is looked: what is given back between the look and its answer counts.
      const freed = givenBack(name)
      try {
        const lease = await tryAcquire(name)
        troubles.right('Leases can be had again')
        if (lease && signal.aborted) await lease.release()
        signal.throwIfAborted()
        if (lease) return lease
      } catch (thrown) {
        if (!(thrown instanceof EngineAway)) throw thrown
        troubles.wrong('away', { err: thrown, lease: name }, 'Waiting for a lease; trying again')
      }
      await pause(lookMs, AbortSignal.any([signal, freed]))
    }
  }
}

/**
 * Leases without clocks: a turn is won by inserting the next epoch, and a candidate waits until it has itself
 * seen the holder stand still for long enough. A holder that cannot reach MongoDB gives up before that. All leases of a
 * process give their signs of life together.
 */
export const openLeases = async (
  mongo: Mongo,
  times: LeaseTimes = usual,
): Promise<WatchedLeases & { readonly close: () => void }> => {
  const turns = await openTurns(mongo)
  const isHeld = candidate(times.timeout)
  const held = new Set<Held>()
  const ask: Ask = (call) => mongo.ask(call, times.doubt)
  const beat = beating(turns, held, ask, times.beat, mongo.log)
  const { givenBack, wake } = wakeable()

  const release = async (lease: Held): Promise<void> => {
    if (!lease.end()) return
    try {
      await ask(() => turns.release(lease))
    } catch (thrown) {
      // the next one takes over when its timeout ends
      mongo.log.warn({ err: thrown, lease: lease.name }, 'The lease could not be given back')
    }
    wake(lease.name)
  }

  const forgetBefore = (name: string, epoch: number): Promise<unknown> =>
    ask(() => turns.forgetBefore(name, epoch)).catch((thrown: unknown) =>
      mongo.log.warn({ err: thrown, lease: name }, 'Former turns of a lease could not be removed'),
    )

  /** Which turn each was, by its id. */
  const given = new WeakMap<Lease, string>()

  const tryAcquire: Leases['tryAcquire'] = async (name, holder = '', former) => {
    const asked = performance.now()
    const top = await ask(() => turns.newest(name))
    const isMine = former !== undefined && top !== null && given.get(former) === top._id
    if (isHeld(name, top, asked) && !isMine) return null
    // The insert is the first sign of life: the time is of that alone, or a slow MongoDB would leave none of it.
    const since = performance.now()
    const epoch = await ask(() => turns.win(name, (top?.epoch ?? 0) + 1, holder))
    if (epoch === null) return null
    const lease = hold(held, name, epoch, since, times.doubt)
    void beat(lease)
    void forgetBefore(name, epoch)
    const had = { lost: lease.lost, check: lease.check, release: () => release(lease) }
    given.set(had, idOf(name, epoch))
    return had
  }

  return {
    tryAcquire,
    acquire: acquiring(tryAcquire, givenBack, times.look, mongo.log),
    holders: async (names) => {
      const asked = performance.now()
      const tops = await ask(() => turns.newestOf(names))
      return new Map(
        names.flatMap((name): (readonly [string, Holder])[] => {
          const top = tops.get(name) ?? null
          if (!isHeld(name, top, asked) || top === null) return []
          return [[name, { holder: top.holder ?? '', turn: String(top.epoch), sign: signOf(top) }]]
        }),
      )
    },
    close: () => {
      for (const { lose } of held) lose('the server is stopping')
    },
  }
}
