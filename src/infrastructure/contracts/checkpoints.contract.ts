import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Checkpoints } from '#application/ports/checkpoints.ts'
import type { Position } from '#application/ports/event-store.ts'

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
      await checkpoints.save(reactor, null)
      expect(await checkpoints.load(reactor)).toEqual({ position: null })
    })

    it('keeps the newest position of each reactor', async () => {
      const [one, other] = [randomUUID(), randomUUID()]
      await checkpoints.save(one, at(1))
      await checkpoints.save(other, at(7))
      await checkpoints.save(one, at(2))
      expect(await checkpoints.load(one)).toEqual({ position: at(2) })
      expect(await checkpoints.load(other)).toEqual({ position: at(7) })
    })
  })
}
