import { describe, expect, it } from 'vitest'
import { doneOnce, shareReadings, shareWork } from './sharing.ts'

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

describe('work that is shared', () => {
  it('is done once for all who ask at the same time, and again afterwards', async () => {
    const once = shareWork<number>()
    let done = 0
    const work = async () => (done += 1)
    expect(await Promise.all([once('a', work), once('a', work), once('b', work)])).toEqual([1, 1, 2])
    expect(await once('a', work)).toBe(3)
  })

  it('fails for all who wait, and is tried again by the next', async () => {
    const once = shareWork<string>()
    const failing = () => Promise.reject(new Error('away'))
    const both = await Promise.allSettled([once('a', failing), once('a', failing)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await once('a', async () => 'back')).toBe('back')
  })
})

describe('work that is done once', () => {
  it('is begun by the first who asks, for all who ever do', async () => {
    let begun = 0
    const done = doneOnce(async () => (begun += 1))
    expect(begun).toBe(0)
    expect(await Promise.all([done(), done()])).toEqual([1, 1])
    expect(await done()).toBe(1)
  })

  it('that failed is told to those who wait for it, and done again for who asks next', async () => {
    let isFailing = true
    const done = doneOnce(async () => {
      if (isFailing) throw new Error('away')
      return 'there'
    })
    const asked = await Promise.allSettled([done(), done()])
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isFailing = false
    expect(await done()).toBe('there')
  })
})
