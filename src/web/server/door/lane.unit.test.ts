import { describe, expect, it, vi } from 'vitest'
import { ReaderLeft, SiteBusy } from './errors.ts'
import { openLane } from './lane.ts'

it('takes up so many, each once for all who ask, and refuses the next, but never what goes first', async () => {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const order: string[] = []
  const lane = openLane<void>({ most: 2 })
  const work = (name: string) => async () => {
    await held
    order.push(name)
  }
  const taken = ['a', 'b', 'c'].map((name) => lane.take(name, work(name)))
  await expect(lane.take('d', work('d'))).rejects.toThrow(SiteBusy)
  const home = lane.take('home', work('home'), { first: true })
  const again = ['a', 'c'].map((name) => lane.take(name, work(name)))
  go()
  await Promise.all([...taken, home, ...again])
  expect(order).toEqual(['a', 'home', 'b', 'c'])
})

it('lets addresses take turns, and refuses the last work of the one that asks for most', async () => {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const order: string[] = []
  const lane = openLane<void>({ most: 4 })
  const take = (name: string, address: string) =>
    lane
      .take(
        name,
        async () => {
          await held
          order.push(name)
        },
        { reader: { writable: true, address } },
      )
      .catch((error: unknown) => {
        if (!(error instanceof SiteBusy)) throw error
        order.push(`not ${name}`)
      })
  const flood = ['a0', 'a1', 'a2', 'a3', 'a4'].map((name) => take(name, 'a'))
  const others = [take('b1', 'b'), take('c1', 'c'), take('b2', 'b'), take('a5', 'a')]
  go()
  await Promise.all([...flood, ...others])
  expect(order).toEqual(['not a4', 'not a3', 'not b2', 'not a5', 'a0', 'a1', 'b1', 'c1', 'a2'])
})

it('gives a work that another address waits for as well their place, and refuses another', async () => {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const order: string[] = []
  const lane = openLane<void>({ most: 3 })
  const take = (name: string, address: string) =>
    lane.take(
      name,
      async () => {
        await held
        order.push(name)
      },
      { reader: { writable: true, address } },
    )
  const first = ['a0', 'a1', 'a2'].map((name) => take(name, 'a'))
  const refused = first[2]?.catch((error: unknown) => error)
  const shared = [take('a3', 'a'), take('a3', 'b')]
  const another = take('c', 'c')
  go()
  expect(await refused).toBeInstanceOf(SiteBusy)
  await Promise.all([first[0], first[1], ...shared, another])
  expect(order).toEqual(['a0', 'a1', 'a3', 'c'])
})

it('gives the place of who has left to the next', async () => {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const lane = openLane<void>({ most: 1 })
  const reader = { writable: true, address: 'a phone' }
  const first = lane.take('a', () => held)
  const left = lane.take('b', () => held, { reader })
  reader.writable = false
  const next = lane.take('c', () => held)
  await expect(left).rejects.toThrow(ReaderLeft)
  go()
  await Promise.all([first, next])
})

it('goes on after a failure, and does the same work anew', async () => {
  const lane = openLane<string>()
  const work = vi.fn<() => Promise<string>>(async () => 'done')
  work.mockRejectedValueOnce(new Error('broken'))
  await expect(lane.take('a', work)).rejects.toThrow('broken')
  expect(await lane.take('a', work)).toBe('done')
})

describe('what goes first', () => {
  const laneOf = () => {
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    const order: string[] = []
    const lane = openLane<void>({ most: 2 })
    const take = (name: string, first: boolean, writable = true) =>
      lane.take(
        name,
        async () => {
          await held
          order.push(name)
        },
        { reader: { writable, address: name }, first },
      )
    return { take, order, go }
  }

  it('comes in the order in which it was asked for, and one of the others behind each', async () => {
    const { take, order, go } = laneOf()
    const all = ['home 1', 'home 2', 'home 3', 'home 4'].map((name) => take(name, true))
    all.push(...['a', 'b'].map((name) => take(name, false)))
    go()
    await Promise.all(all)
    expect(order).toEqual(['home 1', 'a', 'home 2', 'b', 'home 3', 'home 4'])
  })

  it('comes not twice in a row either where somebody has left in between', async () => {
    const { take, order, go } = laneOf()
    const all = ['home 1', 'home 2'].map((name) => take(name, true))
    const left = take('a', false, false)
    all.push(take('b', false))
    go()
    await expect(left).rejects.toThrow(ReaderLeft)
    await Promise.all(all)
    expect(order).toEqual(['home 1', 'b', 'home 2'])
  })
})

it('lets go of whoever has left, before the work is done that others wait for as well', async () => {
  const [before, work] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const lane = openLane<string>()
  const first = lane.take('before', () => before.promise)
  const leaving = { writable: true, address: 'a' }
  const left = lane.take('work', () => work.promise, { reader: leaving })
  const stays = lane.take('work', () => work.promise, { reader: { writable: true, address: 'b' } })
  leaving.writable = false
  before.resolve('done')
  expect(await first).toBe('done')
  await expect(left).rejects.toThrow(ReaderLeft)
  work.resolve('made')
  expect(await stays).toBe('made')
})

it('does a work again for who asks for it in the moment that it is done', async () => {
  const lane = openLane<number>()
  let done = 0
  const work = async () => (done += 1)
  const twice = async () => {
    await lane.take('a', work)
    return lane.take('a', work)
  }
  expect(await twice()).toBe(2)
})

it('takes nothing up for who has left already, nor refuses another for them', async () => {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const lane = openLane<void>({ most: 2 })
  const take = (name: string, address: string, writable = true) =>
    lane.take(name, () => held, { reader: { writable, address } })
  const asked = ['a0', 'a1', 'a2'].map((name) => take(name, 'a'))
  await expect(take('b', '', false)).rejects.toThrow(ReaderLeft)
  go()
  await Promise.all(asked)
})
