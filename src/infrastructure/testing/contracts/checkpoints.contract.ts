import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Checkpoints } from '#application/kernel/ports/checkpoints.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'

/** The rules of every store of reactors' checkpoints. `at` makes positions of the same set of engines. */
export const checkpointsContract = (
  name: string,
  open: () => Promise<{ readonly checkpoints: Checkpoints; readonly close: () => Promise<void> }>,
  at: (n: number) => Position,
): void => {
  describe(`checkpoints: ${name}`, () => {
    let checkpoints: Checkpoints
    let close: () => Promise<void>
    beforeAll(async () => {
      ;({ checkpoints, close } = await open())
    })
    afterAll(async () => close())

    it('tells a reactor that was never here from one at the beginning of the log', async () => {
      const reactor = randomUUID()
      expect(await checkpoints.load(reactor)).toBeNull()
      await checkpoints.place(reactor, null)
      expect(await checkpoints.load(reactor)).toEqual({ position: null })
    })

    it('gives a place only to a reactor that is placed, and moves it wherever it is placed', async () => {
      const reactor = randomUUID()
      expect(await checkpoints.save(reactor, at(1))).toBe(false)
      expect(await checkpoints.load(reactor)).toBeNull()
      await checkpoints.place(reactor, at(5))
      await checkpoints.place(reactor, at(3))
      expect(await checkpoints.load(reactor)).toEqual({ position: at(3) })
    })

    it('keeps the newest position of each reactor', async () => {
      const [one, other] = [randomUUID(), randomUUID()]
      await checkpoints.place(one, at(1))
      await checkpoints.place(other, null)
      expect(await checkpoints.save(other, at(7))).toBe(true)
      expect(await checkpoints.save(one, at(2))).toBe(true)
      expect(await checkpoints.load(one)).toEqual({ position: at(2) })
      expect(await checkpoints.load(other)).toEqual({ position: at(7) })
    })
  })
}
