import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'

/** The rules of every effect ledger. */
export const effectsContract = (
  name: string,
  open: () => Promise<{ readonly effects: EffectLedger; readonly close: () => Promise<void> }>,
): void => {
  describe(`effect ledger: ${name}`, () => {
    let effects: EffectLedger
    let close: () => Promise<void>
    beforeAll(async () => {
      ;({ effects, close } = await open())
    })
    afterAll(async () => close())

    it('knows nothing of an effect that was never begun', async () => {
      expect(await effects.find(randomUUID())).toBeNull()
    })

    it('tells started from done, each with its detail', async () => {
      const key = randomUUID()
      await effects.started(key, 'first try')
      expect(await effects.find(key)).toEqual({ state: 'started', detail: 'first try' })
      await effects.started(key, 'second try')
      expect(await effects.find(key)).toEqual({ state: 'started', detail: 'second try' })
      await effects.done(key, '<id@mail>')
      expect(await effects.find(key)).toEqual({ state: 'done', detail: '<id@mail>' })
    })

    it('never goes back from done', async () => {
      const key = randomUUID()
      await effects.done(key, 'sent')
      await effects.started(key, 'a late second run')
      await effects.done(key, 'once more')
      expect(await effects.find(key)).toEqual({ state: 'done', detail: 'sent' })
    })

    it('replaces whatever stands there when told to', async () => {
      const key = randomUUID()
      await effects.replace(key, 'done', 'first night')
      expect(await effects.find(key)).toEqual({ state: 'done', detail: 'first night' })
      await effects.replace(key, 'started', 'second night')
      expect(await effects.find(key)).toEqual({ state: 'started', detail: 'second night' })
      await effects.done(key, 'over')
      await effects.replace(key, 'done', 'third night')
      expect(await effects.find(key)).toEqual({ state: 'done', detail: 'third night' })
    })
  })
}
