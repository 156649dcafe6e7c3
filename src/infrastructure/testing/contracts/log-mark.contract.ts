import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Position } from '#application/kernel/ports/event-store.ts'
import type { MarkStore } from '../../log-mark.ts'

const at = (n: number): Position => String(n).padStart(20, '0') as Position // text that sorts, as a log makes it

/** The rules of every place that keeps the mark of a log. @param open gives one that nothing was written to */
export const logMarkContract = (
  name: string,
  open: () => Promise<{ readonly fresh: () => Promise<MarkStore>; readonly close: () => Promise<void> }>,
): void => {
  describe(`mark of the log: ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>
    let mark: MarkStore
    beforeAll(async () => {
      opened = await open()
    })
    beforeEach(async () => {
      mark = await opened.fresh()
    })
    afterAll(() => opened.close())

    it('is unknown, then empty, then where the log has come to', async () => {
      expect(await mark.read()).toBe('unknown')
      await mark.begin(null)
      expect(await mark.read()).toBe('empty')
      await mark.raise(at(3))
      expect(await mark.read()).toEqual({ position: at(3) })
      await mark.begin(at(2))
      expect(await mark.read()).toEqual({ position: at(3) })
    })

    it('is only ever moved forward, whoever comes late', async () => {
      await mark.begin(at(1))
      await Promise.all([4, 9, 2, 7].map((n) => mark.raise(at(n))))
      await mark.raise(at(8))
      await mark.raise(null)
      expect(await mark.read()).toEqual({ position: at(9) })
    })

    it('is placed anywhere, also where no event is', async () => {
      await mark.begin(at(9))
      await mark.place(at(2))
      expect(await mark.read()).toEqual({ position: at(2) })
      await mark.place(null)
      expect(await mark.read()).toBe('empty')
    })
  })
}
