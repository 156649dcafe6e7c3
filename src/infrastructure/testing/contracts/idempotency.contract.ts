import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IdempotencyKeys } from '#application/kernel/ports/idempotency.ts'

const NOW = '2026-03-01T12:00:00.000Z'
const WITHIN_A_DAY = '2026-03-02T11:59:59.999Z'
const A_DAY_LATER = '2026-03-02T12:00:00.000Z'

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
      expect(await idempotency.claim(key, 'hash', NOW)).toBeNull()
      expect(await idempotency.claim(key, 'another hash', WITHIN_A_DAY)).toEqual({
        bodyHash: 'hash',
        status: null,
        entityId: null,
      })
    })

    it('lets exactly one of many that come at once be the first', async () => {
      const key = randomUUID()
      const answers = await Promise.all(Array.from({ length: 8 }, () => idempotency.claim(key, 'hash', NOW)))
      expect(answers.filter((answer) => answer === null)).toHaveLength(1)
    })

    it('tells how the first one ended', async () => {
      const [one, other] = [randomUUID(), randomUUID()]
      await idempotency.claim(one, 'hash', NOW)
      await idempotency.claim(other, 'hash', NOW)
      await idempotency.complete(one, 201, 'artwork-1')
      await idempotency.complete(other, 204, null)
      expect(await idempotency.claim(one, 'hash', NOW)).toMatchObject({ status: 201, entityId: 'artwork-1' })
      expect(await idempotency.claim(other, 'hash', NOW)).toMatchObject({ status: 204, entityId: null })
    })

    it('forgets a claim that was released, but never an answer', async () => {
      const [refused, answered] = [randomUUID(), randomUUID()]
      await idempotency.claim(refused, 'hash', NOW)
      await idempotency.release(refused)
      expect(await idempotency.claim(refused, 'better hash', NOW)).toBeNull()
      await idempotency.claim(answered, 'hash', NOW)
      await idempotency.complete(answered, 201, 'artwork-1')
      await idempotency.release(answered)
      expect(await idempotency.claim(answered, 'hash', NOW)).toMatchObject({ status: 201 })
    })

    it('forgets a key after 24 hours, swept or not', async () => {
      const key = randomUUID()
      await idempotency.claim(key, 'hash', NOW)
      await idempotency.complete(key, 201, 'artwork-1')
      expect(await idempotency.claim(key, 'hash', WITHIN_A_DAY)).toMatchObject({ status: 201 })
      expect(await idempotency.claim(key, 'new hash', A_DAY_LATER)).toBeNull()
      expect(await idempotency.claim(key, 'x', A_DAY_LATER)).toMatchObject({
        bodyHash: 'new hash',
        status: null,
      })
    })

    it('sweeps away what is a day old and tells how many', async () => {
      await idempotency.sweep('2026-06-01T00:00:00.000Z')
      const kept = randomUUID()
      await idempotency.claim(randomUUID(), 'hash', NOW)
      await idempotency.claim(kept, 'hash', '2026-03-01T12:00:00.001Z')
      expect(await idempotency.sweep(A_DAY_LATER)).toBe(1)
      expect(await idempotency.sweep(A_DAY_LATER)).toBe(0)
      expect(await idempotency.claim(kept, 'hash', A_DAY_LATER)).not.toBeNull()
    })
  })
}
