import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Leases } from '#application/kernel/ports/leases.ts'
import { doorTo } from '../testing/door.ts'
import { describeOnServers } from '../testing/servers.ts'
import { type LeaseTimes, openLeases } from './leases.ts'
import type { Mongo } from './mongo.ts'
import { ownDatabase } from './testing/site.ts'

const never = new AbortController().signal
/** Shorter than a site's own, and longer than a busy machine stands still. */
const times: LeaseTimes = { beat: 100, doubt: 3_500, timeout: 4_000, look: 20 }

/** A server that does some things late, by so many ms, or answers late what it does at once. */
const late = (
  mongo: Mongo,
  by: Readonly<Record<string, number>>,
  what: 'done' | 'answered' = 'done',
): Mongo => ({
  ...mongo,
  collection: (name) =>
    new Proxy(mongo.collection(name), {
      get: (turns, key) => {
        const found: unknown = Reflect.get(turns, key)
        const ms = by[String(key)]
        if (typeof found !== 'function') return found
        if (ms === undefined) return found.bind(turns)
        return async (...asked: unknown[]) => {
          if (what === 'done') await pause(ms)
          const answer: unknown = await Reflect.apply(found, turns, asked)
          if (what === 'answered') await pause(ms)
          return answer
        }
      },
    }),
})

await describeOnServers('leases in MongoDB', ['mongodb'], ({ mongodb }) => {
  const { url, connect } = ownDatabase(mongodb.url, 'leases')

  const process = async (namespace: string, change: { url?: string } = {}) => {
    const mongo = await connect({ namespace, ...change })
    const leases = await openLeases(mongo, times)
    return {
      mongo,
      leases,
      close: async () => {
        leases.close()
        await mongo.close()
      },
    }
  }
  const lost = (lease: Awaited<ReturnType<Leases['acquire']>>): Promise<number> =>
    new Promise((resolve) => {
      if (lease.lost.aborted) resolve(performance.now())
      lease.lost.addEventListener('abort', () => resolve(performance.now()))
    })

  const reach = (mongo: Mongo): Promise<unknown> =>
    mongo.ask(() => mongo.db.command({ ping: 1 })).catch((error: unknown) => error)

  it('stay with a holder that lives, however long', async () => {
    const namespace = randomUUID().slice(0, 8)
    const [one, other] = [await process(namespace), await process(namespace)]
    const lease = await one.leases.acquire('turn', never)
    const until = performance.now() + 1.25 * times.timeout
    while (performance.now() < until) expect(await other.leases.tryAcquire('turn')).toBeNull()
    expect(lease.lost.aborted).toBe(false)
    await one.close()
    await other.close()
  })

  it('stay with a holder that lives where the answer to a look comes so late that its sign seems to have stood still', async () => {
    const namespace = randomUUID().slice(0, 8)
    const seldom: LeaseTimes = { ...times, beat: 2_000 }
    const [mongo, far] = [await connect({ namespace }), await connect({ namespace })]
    const by = { findOne: 0 }
    const [holder, other] = [
      await openLeases(mongo, seldom),
      await openLeases(late(far, by, 'answered'), seldom),
    ]
    const lease = await holder.acquire('turn', never)
    // The next sign of life comes two seconds after this one.
    await expect.poll(() => mongo.collection('leases').countDocuments({ beat: 1 })).toBe(1)
    const first = await other.tryAcquire('turn')
    await pause(1_000)
    by.findOne = 3_200
    expect([first, await other.tryAcquire('turn'), lease.lost.aborted]).toEqual([null, null, false])
    await lease.release()
    for (const each of [holder, other]) each.close()
    for (const each of [mongo, far]) await each.close()
  })

  it('are taken over from a holder that died, by one of those who wait', async () => {
    const namespace = randomUUID().slice(0, 8)
    const holder = await process(namespace)
    const waiting = await Promise.all([process(namespace), process(namespace), process(namespace)])
    await holder.leases.acquire('turn', never)
    // its connection ends with it; nothing is given back
    await holder.mongo.close()
    const stop = new AbortController()
    const turns = waiting.map(({ leases }) => leases.acquire('turn', stop.signal))
    const next = await Promise.race(turns)
    expect(next.lost.aborted).toBe(false)
    stop.abort(new Error('enough'))
    const ends = await Promise.allSettled(turns)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await next.release()
    for (const each of waiting) await each.close()
    await holder.close()
  })

  it('go to who waits in the same process as soon as they are given back there', async () => {
    const mongo = await connect({ namespace: randomUUID().slice(0, 8) })
    const seldom = await openLeases(mongo, { ...times, look: 24 * 60 * 60 * 1_000 })
    const lease = await seldom.acquire('turn', never)
    const waiting = [seldom.acquire('turn', never), seldom.acquire('turn', never)]
    expect(await seldom.tryAcquire('turn')).toBeNull()
    await lease.release()
    const next = await Promise.race(waiting)
    await next.release()
    expect((await Promise.all(waiting)).every(({ lost: { aborted } }) => !aborted)).toBe(true)
    seldom.close()
    await mongo.close()
  })

  it('are given up by a holder that cannot reach MongoDB before another may take over', async () => {
    const namespace = randomUUID().slice(0, 8)
    const door = await doorTo(url)
    const [holder, other] = [await process(namespace, { url: door.url }), await process(namespace)]
    const lease = await holder.leases.acquire('turn', never)
    const gone = lost(lease)
    door.freeze()
    const next = await other.leases.acquire('turn', never)
    const taken = performance.now()
    expect(lease.lost.aborted).toBe(true)
    expect(await gone).toBeLessThan(taken)
    // what the former holder sent while it could not be heard changes nothing
    door.thaw()
    expect(next.lost.aborted).toBe(false)
    await lease.release()
    // it was away for about as long as the driver waits for a sign of life
    await expect.poll(() => reach(holder.mongo)).toMatchObject({ ok: 1 })
    expect(await holder.leases.tryAcquire('turn')).toBeNull()
    await next.release()
    await holder.close()
    await other.close()
    await door.close()
  })

  it('are had again at once by who lost them to nobody, where that is told, and not where another has them', async () => {
    const namespace = randomUUID().slice(0, 8)
    const door = await doorTo(url)
    const [holder, other] = [await process(namespace, { url: door.url }), await process(namespace)]
    const lease = await holder.leases.acquire('turn', never)
    door.freeze()
    await lost(lease)
    door.thaw()
    await expect.poll(() => reach(holder.mongo)).toMatchObject({ ok: 1 })
    expect(await holder.leases.tryAcquire('another', '', lease)).not.toBeNull()
    expect(await holder.leases.tryAcquire('turn')).toBeNull()
    const again = await holder.leases.tryAcquire('turn', '', lease)
    expect(again?.lost.aborted).toBe(false)
    expect(await other.leases.tryAcquire('turn')).toBeNull()
    await again?.release()
    const next = await other.leases.tryAcquire('turn')
    expect(await holder.leases.tryAcquire('turn', '', again ?? lease)).toBeNull()
    await next?.release()
    await holder.close()
    await other.close()
    await door.close()
  })

  it('are known to be doubtful at once by a holder that stood still', async () => {
    const mongo = await connect({ namespace: randomUUID().slice(0, 8) })
    const leases = await openLeases(mongo, { beat: 50, doubt: 1_000, timeout: 2_000, look: 20 })
    const lease = await leases.acquire('turn', never)
    lease.check()
    // Nothing of this process goes on meanwhile: no timer, no answer.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100)
    expect(lease.check).toThrow('confirms it no more')
    expect(lease.lost.aborted).toBe(true)
    await lease.release()
    leases.close()
    await mongo.close()
  })

  it('outlast a short interruption, and those who wait come back by themselves', async () => {
    const namespace = randomUUID().slice(0, 8)
    const door = await doorTo(url)
    const [holder, other] = [await process(namespace), await process(namespace, { url: door.url })]
    const lease = await holder.leases.acquire('turn', never)
    const turn = other.leases.acquire('turn', never)
    await door.shut()
    await lease.release()
    await door.open()
    const next = await turn
    expect(next.lost.aborted).toBe(false)
    await next.release()
    await holder.close()
    await other.close()
    await door.close()
  })

  it('can be had while MongoDB takes nearly a second for each answer', async () => {
    const mongo = await connect({ namespace: randomUUID().slice(0, 8) })
    const leases = await openLeases(late(mongo, { findOne: 900, insertOne: 900, deleteMany: 900 }), times)
    const lease = await leases.tryAcquire('turn')
    expect(lease?.lost.aborted).toBe(false)
    await lease?.release()
    leases.close()
    await mongo.close()
  })

  it('stay in hand, new ones too, while a sign of life takes nearly a third of the time until they are given up', async () => {
    const mongo = await connect({ namespace: randomUUID().slice(0, 8) })
    const slow = late(mongo, { findOne: 1_000, insertOne: 1_000, bulkWrite: 2_000 })
    const leases = await openLeases(slow, { beat: 2_000, doubt: 6_000, timeout: 8_000, look: 20 })
    const taken = [await leases.acquire('turn', never)]
    // Two answers each: longer in all than a lease is held without a sign.
    while (taken.length < 4) taken.push(await leases.acquire(`turn ${taken.length}`, never))
    expect(taken.map(({ lost: { aborted } }) => aborted)).toEqual(taken.map(() => false))
    leases.close()
    await mongo.close()
  })

  it('keep few of the turns that are over', async () => {
    const one = await process(randomUUID().slice(0, 8))
    for (let n = 0; n < 70; n += 1) await (await one.leases.acquire('turn', never)).release()
    await expect.poll(() => one.mongo.collection('leases').countDocuments()).toBeLessThan(60)
    await one.close()
  })
})
