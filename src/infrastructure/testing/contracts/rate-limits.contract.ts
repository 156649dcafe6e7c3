import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RateLimits } from '#application/kernel/ports/rate-limits.ts'

/** The rules of every kind of counter. */
export const rateLimitsContract = (
  name: string,
  open: () => Promise<{ readonly rateLimits: RateLimits; readonly close: () => Promise<void> }>,
): void => {
  describe(`rate limits: ${name}`, () => {
    let limits: RateLimits
    let close: () => Promise<void>
    beforeAll(async () => {
      const opened = await open()
      limits = opened.rateLimits
      ;({ close } = opened)
    })
    afterAll(async () => close())

    const freshLimit = (points: number, windowMs = 60_000) => ({
      name: `l-${randomUUID()}`,
      points,
      windowMs,
    })

    it('counts down to nothing, then says when to come again', async () => {
      const limit = freshLimit(3)
      const hits = [1, 2, 3, 4, 5].map(() => limits.hit(limit, '192.0.2.1'))
      const answers = await Promise.all(hits)
      expect(answers.slice(0, 3)).toEqual([
        { allowed: true, remaining: 2 },
        { allowed: true, remaining: 1 },
        { allowed: true, remaining: 0 },
      ])
      for (const answer of answers.slice(3)) {
        expect(answer).toEqual({ allowed: false, retryAfterMs: expect.any(Number) })
        const wait = answer.allowed ? 0 : answer.retryAfterMs
        expect(wait).toBeGreaterThan(50_000)
        expect(wait).toBeLessThanOrEqual(60_000)
      }
    })

    it('keeps limits and keys apart', async () => {
      const [limit, another] = [freshLimit(1), freshLimit(1)]
      await limits.hit(limit, 'a')
      expect(await limits.hit(limit, 'b')).toMatchObject({ allowed: true })
      expect(await limits.hit(another, 'a')).toMatchObject({ allowed: true })
      expect(await limits.hit(limit, 'a')).toMatchObject({ allowed: false })
    })

    it('forgets what was counted for one key', async () => {
      const limit = freshLimit(1)
      await limits.hit(limit, 'a')
      await limits.hit(limit, 'b')
      await limits.reset(limit.name, 'a')
      await limits.reset(limit.name, 'never seen')
      expect(await limits.hit(limit, 'a')).toEqual({ allowed: true, remaining: 0 })
      expect(await limits.hit(limit, 'b')).toMatchObject({ allowed: false })
    })

    it('gives one back, and never more than were counted', async () => {
      const limit = freshLimit(2)
      await limits.giveBack(limit.name, 'a')
      await limits.hit(limit, 'a')
      await limits.hit(limit, 'a')
      await limits.giveBack(limit.name, 'a')
      expect(await limits.hit(limit, 'a')).toEqual({ allowed: true, remaining: 0 })
      for (let n = 0; n < 3; n += 1) await limits.giveBack(limit.name, 'a')
      expect(await limits.hit(limit, 'a')).toEqual({ allowed: true, remaining: 1 })
      expect(await limits.hit(limit, 'b')).toEqual({ allowed: true, remaining: 1 })
    })

    it('begins anew when its window is over, also for who goes on trying', async () => {
      const limit = freshLimit(1, 1_000)
      // a busy machine may stand still for longer than a window lasts
      await expect.poll(() => limits.hit(limit, 'a')).toMatchObject({ allowed: false })
      await expect.poll(() => limits.hit(limit, 'a')).toEqual({ allowed: true, remaining: 0 })
    })
  })
}
