import { describe, expect, it } from 'vitest'
import { shareReadings } from './shared-readings.ts'

describe('a reading that is shared', () => {
  it('begins after each of those who get it has asked, and never beside another', async () => {
    let begun = 0
    let underWay = 0
    const read = shareReadings(async () => {
      begun += 1
      const mine = begun
      underWay += 1
      expect(underWay).toBe(1)
      await new Promise(setImmediate)
      underWay -= 1
      return mine
    })
    const first = read()
    await Promise.resolve()
    await Promise.resolve()
    const rest = [read(), read(), read()]
    expect(await first).toBe(1)
    expect(await Promise.all(rest)).toEqual([2, 2, 2])
    expect(await read()).toBe(3)
  })

  it('that fails is told to those who wait for it, and the next one begins all the same', async () => {
    let isFailing = true
    const read = shareReadings(async () => {
      if (isFailing) throw new Error('away')
      return 'there'
    })
    await expect(Promise.all([read(), read()])).rejects.toThrow('away')
    isFailing = false
    expect(await read()).toBe('there')
  })
})
