import { describe, expect, it } from 'vitest'
import { leadersSeenBy, shareOf } from './division.ts'

const views = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
const led = (leaders: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(leaders).flatMap(([who, all]) => [...all].map((view) => [view, who] as const)))

describe('views that several processes divide', () => {
  it('are all taken by the only one', () => {
    const share = shareOf({ views, leaders: new Map(), me: 'one', projectors: 1 })
    expect(share).toEqual({ giveBack: [], take: views, most: 9 })
  })

  it('are given back, the last ones, to one that comes', () => {
    const leaders = led({ one: 'abcdefghi' })
    expect(shareOf({ views, leaders, me: 'one', projectors: 2 })).toMatchObject({
      giveBack: ['f', 'g', 'h', 'i'],
      take: [],
    })
    expect(shareOf({ views, leaders, me: 'two', projectors: 2 })).toMatchObject({ giveBack: [], take: [] })
  })

  it('stay where they are while nobody comes or goes', () => {
    const leaders = led({ one: 'abcde', two: 'fghi' })
    for (const me of ['one', 'two'])
      expect(shareOf({ views, leaders, me, projectors: 2 })).toMatchObject({ giveBack: [], take: [] })
  })

  it('of one that has gone are taken by the others', () => {
    const leaders = led({ two: 'fghi' })
    expect(shareOf({ views, leaders, me: 'two', projectors: 1 }).take).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('of two versions are all led, by whoever knows them', () => {
    const newer = ['A', 'B', 'C', 'D', 'e', 'f', 'g', 'h', 'i']
    const leaders = new Map(views.map((view) => [view, 'old']))
    for (const [me, known] of [
      ['old', views],
      ['new', newer],
    ] as const) {
      const mine = new Map([...leaders].filter(([view]) => known.includes(view)))
      const share = shareOf({ views: known, leaders: mine, me, projectors: 1 })
      for (const view of share.giveBack) leaders.delete(view)
      for (const view of share.take) leaders.set(view, me)
    }
    expect(Object.fromEntries(leaders)).toEqual(Object.fromEntries(led({ old: 'abcdefghi', new: 'ABCD' })))
  })

  it.each([1, 2, 3, 4, 5, 8, 9])('come to rest with all of them led, among %i', (projectors) => {
    const everybody = Array.from({ length: projectors }, (_, n) => `p${n}`)
    const leaders = new Map(views.map((view) => [view, 'p0']))
    let moved = 1
    for (let round = 0; moved > 0; round += 1) {
      expect(round).toBeLessThan(20)
      moved = 0
      for (const me of everybody) {
        const share = shareOf({ views, leaders, me, projectors })
        for (const view of share.giveBack) moved += leaders.delete(view) ? 1 : 0
        for (const view of share.take) {
          if ([...leaders.values()].filter((who) => who === me).length >= share.most) break
          leaders.set(view, me)
          moved += 1
        }
      }
    }
    expect(leaders.size).toBe(views.length)
    const shares = everybody.map((me) => [...leaders.values()].filter((who) => who === me).length)
    expect(Math.max(...shares)).toBeLessThanOrEqual(Math.ceil(views.length / projectors))
  })

  it('are seen by each as it leads them itself, whatever the leases say of it', () => {
    const found = new Map(
      Object.entries({ a: 'one', b: 'one', c: 'two', d: 'two' }).map(([view, holder]) => [view, { holder }]),
    )
    expect(leadersSeenBy('one', ['b', 'c', 'e'], found)).toEqual(led({ one: 'bce', two: 'd' }))
  })
})
