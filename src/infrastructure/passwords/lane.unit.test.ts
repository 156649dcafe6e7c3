import { describe, expect, it } from 'vitest'
import { lane } from './passwords.ts'

describe('a lane', () => {
  const full = new Error('full')

  it('does one piece after the other, and refuses who finds the queue full', async () => {
    const through = lane(2, () => full)
    let [running, most] = [0, 0]
    const work = async (n: number): Promise<number> => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return n
    }
    const ends = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => through(() => work(n))))
    expect(most).toBe(1)
    expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason))).toEqual([
      1,
      2,
      3,
      full,
      full,
    ])
    expect(await through(() => work(6))).toBe(6)
  })

  it('goes on behind a piece that failed', async () => {
    const through = lane(1, () => full)
    const failed = through(() => Promise.reject(new Error('no')))
    const next = through(async () => 'done')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('done')
  })
})
