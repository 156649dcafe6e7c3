import { describe, expect, it, vi } from 'vitest'
import { atMost, eachOf, onePerKey, othersFirst } from './turns.ts'

it('does the work of a key one after the other, also after one that failed, and other keys meanwhile', async () => {
  const inTurn = onePerKey()
  const done: string[] = []
  const first = Promise.withResolvers<void>()
  const failing = inTurn('a', async () => {
    await first.promise
    done.push('a1')
    throw new Error('no')
  })
  const second = inTurn('a', async () => done.push('a2'))
  await inTurn('b', async () => done.push('b'))
  expect(done).toEqual(['b'])
  first.resolve()
  await expect(failing).rejects.toThrow('no')
  expect(await second).toBe(3)
  expect(done).toEqual(['b', 'a1', 'a2'])
})

it('lets nobody pass whoever is at work under the same key once the first has ended', async () => {
  const inTurn = onePerKey()
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inTurn('a', async () => done.push('first'))
  const second = inTurn('a', async () => {
    await gate.promise
    done.push('second')
  })
  await first
  const third = inTurn('a', async () => done.push('third'))
  await othersFirst()
  gate.resolve()
  await Promise.all([second, third])
  expect(done).toEqual(['first', 'second', 'third'])
})

it('takes in so many of a key and in all, and as many again once these have ended', async () => {
  const full = new Error('full')
  const inTurn = onePerKey(Infinity, { mostOfKey: 2, most: 3, full: () => full })
  const gate = Promise.withResolvers<void>()
  const take = (key: string): Promise<void> => inTurn(key, () => gate.promise)
  const taken = [take('a'), take('a')]
  await expect(take('a')).rejects.toBe(full)
  taken.push(take('b'))
  await expect(take('c')).rejects.toBe(full)
  gate.resolve()
  await Promise.all(taken)
  await Promise.all([take('a'), take('a'), take('c')])
})

it('does not begin what has waited for too long under its key, and goes on behind it', async () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  const inTurn = onePerKey(100)
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const slow = inTurn('a', () => gate.promise)
  const late = inTurn('a', async () => done.push('late'))
  await othersFirst()
  now = 50
  const inTime = inTurn('a', async () => done.push('in time'))
  now = 101
  gate.resolve()
  await expect(late).rejects.toThrow('Please try again in a moment')
  await Promise.all([slow, inTime])
  clock.mockRestore()
  expect(done).toEqual(['in time'])
})

it('lets so many pieces of work go on at once, and the next begin whatever became of one', async () => {
  const inTurn = atMost(2)
  const begun: number[] = []
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const all = gates.map(({ promise }, n) =>
    inTurn(async () => {
      begun.push(n)
      await promise
    }),
  )
  expect(begun).toEqual([0, 1])
  gates[1]?.reject(new Error('no'))
  await expect(all[1]).rejects.toThrow('no')
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const { resolve } of gates) resolve()
  await Promise.all(all.toSpliced(1, 1))
  expect(begun).toEqual([0, 1, 2, 3])
})

it('lets go of who has waited long enough, and gives the turn to the next', async () => {
  const inTurn = atMost(1)
  const first = Promise.withResolvers<void>()
  const done: string[] = []
  const working = inTurn(async () => first.promise)
  const gone = inTurn(async () => done.push('gone'), { ms: 1, late: () => new Error('the line is too long') })
  const next = inTurn(async () => done.push('next'), { ms: 60_000, late: () => new Error('never') })
  await expect(gone).rejects.toThrow('the line is too long')
  expect(done).toEqual([])
  first.resolve()
  await Promise.all([working, next])
  await inTurn(async () => done.push('later'))
  expect(done).toEqual(['next', 'later'])
})

it('refuses who finds the line full', async () => {
  const full = new Error('full')
  const inTurn = atMost(1, { most: 2, full: () => full })
  const work = async (n: number): Promise<number> => {
    await new Promise((resolve) => setImmediate(resolve))
    return n
  }
  const ends = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => inTurn(() => work(n))))
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason))).toEqual([
    1,
    2,
    3,
    full,
    full,
  ])
  expect(await inTurn(() => work(6))).toBe(6)
})

describe('each of a list', () => {
  it('is begun in order, so many at once', async () => {
    const ends: (() => void)[] = []
    const begun: number[] = []
    const all = eachOf([1, 2, 3], 2, async (item) => {
      begun.push(item)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
    await expect.poll(() => ends.length).toBe(2)
    expect(begun).toEqual([1, 2])
    ends[1]?.()
    await expect.poll(() => begun).toEqual([1, 2, 3])
    for (const end of ends) end()
    await all
  })

  it('ends with the first that fails, when those under way are over', async () => {
    const seen: string[] = []
    const slow = Promise.withResolvers<void>()
    const all = eachOf(['slow', 'bad', 'never'], 2, async (item) => {
      if (item === 'bad') throw new Error('bad')
      await slow.promise
      seen.push(item)
    })
    slow.resolve()
    await expect(all).rejects.toThrow('bad')
    expect(seen).toEqual(['slow'])
  })
})
