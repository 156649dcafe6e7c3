import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IdempotencyKeys } from '#application/kernel/ports/idempotency.ts'

const now = '2026-03-01T12:00:00.000Z'
const withinADay = '2026-03-02T11:59:59.999Z'
const aDayLater = '2026-03-02T12:00:00.000Z'

/** The rules of every store of idempotency keys. */
export const idempotencyContract = (
  name: string,
  open: () => Promise<{ readonly idempotency: IdempotencyKeys; readonly close: () => Promise<void> }>,
): void => {
  describe(`idempotency keys: ${name}`, () => {
    let idempotency: IdempotencyKeys
    let close: () => Promise<void>
    beforeAll(async () => {
      ;({ idempotency, close } = await open())
    })
    afterAll(async () => close())

    it('remembers a key it did not know', async () => {
      const key = randomUUID()
      expect(await idempotency.claim(key, 'hash', now)).toBeNull()
      expect(await idempotency.claim(key, 'another hash', withinADay)).toEqual({
        bodyHash: 'hash',
        claimedAt: now,
        status: null,
        entityId: null,
      })
    })

    it('lets exactly one of many that come at once be the first', async () => {
      const key = randomUUID()
      const answers = await Promise.all(Array.from({ length: 8 }, () => idempotency.claim(key, 'hash', now)))
      expect(answers.filter((answer) => answer === null)).toHaveLength(1)
    })

    it('tells how the first one ended', async () => {
      const [one, other] = [randomUUID(), randomUUID()]
      await idempotency.claim(one, 'hash', now)
      await idempotency.claim(other, 'hash', now)
      await idempotency.complete(one, 201, 'artwork-1')
      await idempotency.complete(other, 204, null)
      expect(await idempotency.claim(one, 'hash', now)).toMatchObject({ status: 201, entityId: 'artwork-1' })
      expect(await idempotency.claim(other, 'hash', now)).toMatchObject({ status: 204, entityId: null })
    })

    it('forgets a claim that was released, but never an answer', async () => {
      const [refused, answered] = [randomUUID(), randomUUID()]
      await idempotency.claim(refused, 'hash', now)
      await idempotency.release(refused)
      expect(await idempotency.claim(refused, 'better hash', now)).toBeNull()
      await idempotency.claim(answered, 'hash', now)
      await idempotency.complete(answered, 201, 'artwork-1')
      await idempotency.release(answered)
      expect(await idempotency.claim(answered, 'hash', now)).toMatchObject({ status: 201 })
    })

    it('forgets a key after 24 hours, swept or not', async () => {
      const key = randomUUID()
      await idempotency.claim(key, 'hash', now)
      await idempotency.complete(key, 201, 'artwork-1')
      expect(await idempotency.claim(key, 'hash', withinADay)).toMatchObject({ status: 201 })
      expect(await idempotency.claim(key, 'new hash', aDayLater)).toBeNull()
      expect(await idempotency.claim(key, 'x', aDayLater)).toMatchObject({
        bodyHash: 'new hash',
        status: null,
      })
    })

    it('forgets all keys, whatever came of them', async () => {
      const [open, answered] = [randomUUID(), randomUUID()]
      await idempotency.claim(open, 'hash', now)
      await idempotency.claim(answered, 'hash', now)
      await idempotency.complete(answered, 201, 'artwork-1')
      await idempotency.forgetAll()
      expect([await idempotency.claim(open, 'x', now), await idempotency.claim(answered, 'x', now)]).toEqual([
        null,
        null,
      ])
    })

    it('sweeps away what is a day old and tells how many', async () => {
      await idempotency.sweep('2026-06-01T00:00:00.000Z')
      const kept = randomUUID()
      await idempotency.claim(randomUUID(), 'hash', now)
      await idempotency.claim(kept, 'hash', '2026-03-01T12:00:00.001Z')
      expect(await idempotency.sweep(aDayLater)).toBe(1)
      expect(await idempotency.sweep(aDayLater)).toBe(0)
      expect(await idempotency.claim(kept, 'hash', aDayLater)).not.toBeNull()
    })
  })
}
