import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WatchedLeases } from '#application/kernel/ports/leases.ts'

/** The rules of every kind of lease. `open` gives two places that share one set of leases. */
export const leasesContract = (
  name: string,
  open: () => Promise<{
    readonly one: WatchedLeases
    readonly other: WatchedLeases
    readonly close: () => Promise<void>
  }>,
): void => {
  describe(`leases: ${name}`, () => {
    let one: WatchedLeases
    let other: WatchedLeases
    let close: () => Promise<void>
    beforeAll(async () => {
      ;({ one, other, close } = await open())
    })
    afterAll(async () => close())

    const never = new AbortController().signal

    it('grants a free one at once, and to nobody else while it is held', async () => {
      const turn = randomUUID()
      const lease = await one.tryAcquire(turn)
      expect(lease?.lost.aborted).toBe(false)
      expect(await other.tryAcquire(turn)).toBeNull()
      expect(await one.tryAcquire(turn)).toBeNull()
      await lease?.release()
      const next = await other.tryAcquire(turn)
      expect(next).not.toBeNull()
      await next?.release()
    })

    it('are known by who holds them, as long as somebody does', async () => {
      const [turn, free] = [randomUUID(), randomUUID()]
      const lease = await one.tryAcquire(turn, 'me')
      const known = await other.holders([turn, free])
      expect([...known].map(([name, { holder }]) => [name, holder])).toEqual([[turn, 'me']])
      await lease?.release()
      expect((await other.holders([turn, free])).size).toBe(0)
    })

    it('keeps different names apart', async () => {
      const leases = await Promise.all([one.tryAcquire(randomUUID()), one.tryAcquire(randomUUID())])
      expect(leases).not.toContain(null)
      for (const lease of leases) await lease?.release()
    })

    it('lets the next one wait for its turn', async () => {
      const turn = randomUUID()
      const first = await one.acquire(turn, never)
      let granted = false
      const second = other.acquire(turn, never).then((lease) => {
        granted = true
        return lease
      })
      expect(await one.tryAcquire(turn)).toBeNull()
      expect(granted).toBe(false)
      await first.release()
      const lease = await second
      expect(lease.lost.aborted).toBe(false)
      await lease.release()
    })

    it('never has two at work at once', async () => {
      const turn = randomUUID()
      let atWork = 0
      let most = 0
      await Promise.all(
        [one, other, one, other].map(async (leases) => {
          const lease = await leases.acquire(turn, never)
          atWork += 1
          most = Math.max(most, atWork)
          await new Promise(setImmediate)
          atWork -= 1
          await lease.release()
        }),
      )
      expect(most).toBe(1)
    })

    it('gives up waiting with the reason of the signal, and nobody waits for it any more', async () => {
      const turn = randomUUID()
      const held = await one.acquire(turn, never)
      const stop = new AbortController()
      const waiting = other.acquire(turn, stop.signal)
      stop.abort(new Error('the server stops'))
      await expect(waiting).rejects.toThrow('the server stops')
      await expect(other.acquire(turn, stop.signal)).rejects.toThrow('the server stops')
      await held.release()
      const next = await one.tryAcquire(turn)
      expect(next).not.toBeNull()
      await next?.release()
    })

    it('is released once, however often it is asked to', async () => {
      const turn = randomUUID()
      const first = await one.acquire(turn, never)
      await first.release()
      const second = await other.acquire(turn, never)
      await first.release()
      expect(await one.tryAcquire(turn)).toBeNull()
      await second.release()
    })
  })
}
