import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Position } from '#application/kernel/ports/event-store.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import { createChangeStreams, type Listening } from './change-streams.ts'
import type { Change, ChangeSource } from '../door/ports.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
// Only engines make positions; here the test is the engine.
const at = (place: string): Position => place as Position

const open = (
  head: string | null = null,
  since: ChangeSource['since'] = async () => [],
  newestForVisitors = async () => head ?? '',
  shownTo: ChangeSource['shownTo'] = () => at('9'),
  log: Pick<Logger, 'warn' | 'info'> = quiet,
) => {
  let tell: (change: Change) => void = () => {}
  const streams = createChangeStreams({
    changes: {
      onChange: (listener) => {
        tell = listener
        return () => {}
      },
      since,
      shownTo,
      newestForVisitors,
    },
    onJobs: () => () => {},
    eventStore: { head: async () => (head === null ? null : at(head)) },
    log: { ...quiet, ...log },
  })
  return { streams, tell: (change: Change) => tell(change) }
}
const visitor = (address = '192.0.2.1'): Listening => ({ address, owner: null })
const signedIn = (address = '192.0.2.1'): Listening => ({ address, owner: { account: async () => noticed } })
const noticed = { firstPassword: true, firstStepsAway: false }
const textOf = (stream: PassThrough): string => String(stream.read() ?? '')

describe('the change streams of a process', () => {
  it('are bounded, of one address and of all, and keep places for sessions', async () => {
    const { streams } = open()
    const addresses = Array.from({ length: 60 }, (_, n) => `192.0.2.${n}`)
    const opened = async (whom: (address: string) => Listening): Promise<number[]> => {
      const counts: number[] = []
      for (const address of addresses) {
        const listening = whom(address)
        let count = 0
        for (; !streams.isFull(listening); count += 1) await streams.open(new PassThrough(), listening, null)
        counts.push(count)
      }
      return counts
    }
    const visitors = await opened(visitor)
    expect(new Set(visitors.slice(0, 47))).toEqual(new Set([20]))
    expect(visitors.reduce((sum, count) => sum + count)).toBe(950)
    expect((await opened(signedIn)).filter((count) => count > 0)).toEqual([20, 20, 10])
    streams.close()
  })

  it('make room when one closes', async () => {
    const { streams } = open()
    const all = Array.from({ length: 20 }, () => new PassThrough())
    for (const stream of all) await streams.open(stream, visitor(), null)
    expect([streams.isFull(visitor()), streams.isFull(signedIn())]).toEqual([true, false])
    all[0]?.destroy()
    await expect.poll(() => streams.isFull(visitor())).toBe(false)
    streams.close()
  })

  it('let go of a reader that reads nothing', async () => {
    const { streams, tell } = open()
    const stream = new PassThrough()
    await streams.open(stream, visitor(), null)
    for (let n = 0; n < 10_000 && !stream.destroyed; n += 1) {
      tell({ models: ['artworks'], position: at(String(n)) })
    }
    expect(stream.destroyed).toBe(true)
    streams.close()
  })

  it('tell who comes back what was missed, in one event', async () => {
    const { streams, tell } = open('1')
    for (const place of ['2', '3', '4']) {
      tell({ models: place === '3' ? ['mediums'] : ['artworks'], position: at(place) })
    }
    const stream = new PassThrough()
    await streams.open(stream, visitor(), { upTo: '2' })
    expect(textOf(stream)).toContain('id: 4\nevent: change\ndata: {"models":["mediums","artworks"]')
    streams.close()
  })

  it('tell who comes back of a view that was behind when it left, at whatever process', async () => {
    let shownTo = at('1')
    const here = open('1', undefined, undefined, () => shownTo)
    const heard = new PassThrough()
    await here.streams.open(heard, visitor(), null)
    here.tell({ models: ['categories'], position: at('3') })
    const id = /^id: (.*)$/m.exec(textOf(heard))?.[1] ?? ''
    // Programs that wait for a position compare them as texts.
    expect(id >= '3').toBe(true)
    heard.destroy()
    shownTo = at('3')
    here.tell({ models: ['artworks'], position: at('2') })
    // Another process has seen them in the order in which they stand in the log.
    const there = open('1')
    there.tell({ models: ['artworks'], position: at('2') })
    there.tell({ models: ['categories'], position: at('3') })
    for (const { streams } of [here, there]) {
      const back = new PassThrough()
      await streams.open(back, visitor(), { upTo: id })
      expect(textOf(back)).toMatch(/id: 3\nevent: change\ndata: {"models":\[.*"artworks"/)
      const again = new PassThrough()
      await streams.open(again, visitor(), { upTo: '3' })
      expect(textOf(again)).toBe(': here\n\n')
      streams.close()
    }
  })

  it('tell a reader that cannot say what it knows of everything that it may hear', async () => {
    const { streams } = open('7')
    const [strange, own] = [new PassThrough(), new PassThrough()]
    await streams.open(strange, visitor(), { upTo: '' })
    await streams.open(own, signedIn(), { upTo: '' })
    expect(textOf(strange)).toContain(
      'id: 7\nevent: change\ndata: {"models":["artworks","categories","mediums","site-content","blog-posts"],"position":"7"}',
    )
    expect(textOf(own)).toContain('"contact-messages"')
    streams.close()
  })

  it('tell of everything who knows more than there is: an older copy of the log was put back', async () => {
    const { streams, tell } = open('5', undefined, async () => '3')
    for (const known of ['4', '7 4']) {
      const visiting = new PassThrough()
      await streams.open(visiting, visitor(), { upTo: known })
      expect(textOf(visiting)).toContain(
        'id: 3\nevent: change\ndata: {"models":["artworks","categories","mediums","site-content","blog-posts"]',
      )
    }
    tell({ models: ['artworks'], position: at('6') })
    const own = new PassThrough()
    await streams.open(own, signedIn(), { upTo: '7' })
    expect(textOf(own)).toContain('"contact-messages"')
    streams.close()
  })

  it('tell of everything while where the log stands cannot be told, and ask for that again', async () => {
    let isAway = true
    const { streams, tell } = open('3', undefined, async () => {
      if (isAway) throw new Error('MongoDB does not answer')
      return '4'
    })
    const [early, late, own] = [new PassThrough(), new PassThrough(), new PassThrough()]
    tell({ models: ['artworks'], position: at('5') })
    await streams.open(early, visitor(), { upTo: '2' })
    expect(textOf(early)).toContain('"blog-posts"')
    await streams.open(own, signedIn(), { upTo: '3' })
    expect(textOf(own)).toContain('data: {"models":["artworks"],"position":"5"}')
    isAway = false
    await streams.open(late, visitor(), { upTo: '4' })
    expect(textOf(late)).toContain('data: {"models":["artworks"],"position":"5"}')
    streams.close()
  })

  it('say once that nobody can say where the log stands, however many come again and again meanwhile', async () => {
    let isAway = true
    const told: string[] = []
    const tellLog = (_: object, words: string) => void told.push(words)
    const away = async () => {
      if (isAway) throw new Error('MongoDB does not answer')
      return '3'
    }
    const { streams } = open('3', undefined, away, undefined, { warn: tellLog, info: tellLog })
    const come = async (): Promise<void> => {
      for (let n = 0; n < 5; n += 1)
        await streams.open(new PassThrough(), visitor(`192.0.2.${n}`), { page: 'v1' })
      await streams.open(new PassThrough(), signedIn(), { upTo: '3' })
    }
    await come()
    await come()
    isAway = false
    await come()
    expect(told).toEqual(['The place in the log is not known yet', 'The place in the log is known'])
    streams.close()
  })

  it('tell who missed nothing nothing, unless it asks', async () => {
    const { streams, tell } = open('1')
    tell({ models: ['artworks'], position: at('2') })
    const stream = new PassThrough()
    await streams.open(stream, visitor(), { upTo: '2' })
    expect(textOf(stream)).toBe(': here\n\n')
    const asking = new PassThrough()
    await streams.open(asking, visitor(), { upTo: '2', asks: true })
    expect(textOf(asking)).toContain('id: 2\nevent: change\ndata: {"models":[],"position":"2"}')
    streams.close()
  })

  it('tell a visitor nothing of when the owner’s lists changed', async () => {
    const { streams, tell } = open('1')
    tell({ models: ['artworks', 'activity'], position: at('2') })
    for (let n = 0; n < 2_000; n += 1) tell({ models: ['contact-messages', 'activity'], position: at('3') })
    const [strange, page, own] = [new PassThrough(), new PassThrough(), new PassThrough()]
    await streams.open(strange, visitor(), { upTo: '2', asks: true })
    await streams.open(page, visitor(), { page: 'v1' })
    await streams.open(own, signedIn(), { upTo: '3', asks: true })
    for (const heard of [strange, page])
      expect(textOf(heard)).toContain('id: 2\nevent: change\ndata: {"models":[],"position":"2"}')
    expect(textOf(own)).toContain('"position":"3"')
    const again = new PassThrough()
    await streams.open(again, visitor(), { upTo: '2' })
    expect(textOf(again)).toBe(': here\n\n')
    streams.close()
  })

  it('begin for a visitor where something public changed last, however far the log is', async () => {
    const { streams } = open('9', undefined, async () => '4')
    const [known, asking, own] = [new PassThrough(), new PassThrough(), new PassThrough()]
    await streams.open(known, visitor(), { upTo: '4' })
    await streams.open(asking, visitor(), { upTo: '4', asks: true })
    await streams.open(own, signedIn(), { upTo: '4' })
    expect(textOf(known)).toBe(': here\n\n')
    expect(textOf(asking)).toContain('data: {"models":[],"position":"4"}')
    expect(textOf(own)).toContain('"contact-messages"')
    streams.close()
  })

  it('tell who was away for longer than is remembered of all models', async () => {
    const { streams } = open('5')
    const stream = new PassThrough()
    await streams.open(stream, signedIn(), { upTo: '4' })
    expect(textOf(stream)).toContain('"contact-messages"')
    streams.close()
  })

  it('tell a page what has changed since it was rendered', async () => {
    const { streams } = open('7', async (version) => (version === 'v1' ? ['artworks', 'activity'] : []))
    const [old, current] = [new PassThrough(), new PassThrough()]
    await streams.open(old, visitor(), { page: 'v1' })
    await streams.open(current, visitor(), { page: 'v2' })
    expect(textOf(old)).toContain('id: 7\nevent: change\ndata: {"models":["artworks"],"position":"7"}')
    expect(textOf(current)).toContain('data: {"models":[],"position":"7"}')
    const own = new PassThrough()
    await streams.open(own, signedIn(), { page: 'v2' })
    expect(textOf(own)).toContain('{"models":["contact-messages","activity","jobs","sync","status"]')
    streams.close()
  })

  it('tell what changes while it is looked what was missed together with that: before, it would say that nothing was', async () => {
    const missed = Promise.withResolvers<readonly ['categories']>()
    const { streams, tell } = open('7', () => missed.promise)
    const [page, own] = [new PassThrough(), new PassThrough()]
    const opening = streams.open(page, visitor(), { page: 'v1' })
    const account = Promise.withResolvers<typeof noticed>()
    const returning = streams.open(
      own,
      { ...signedIn(), owner: { account: () => account.promise } },
      { upTo: '6' },
    )
    tell({ models: ['artworks', 'activity'], position: at('8') })
    expect(textOf(page) + textOf(own)).toBe(': here\n\n: here\n\n')
    missed.resolve(['categories'])
    account.resolve(noticed)
    await Promise.all([opening, returning])
    expect(textOf(page)).toBe(
      'id: 8\nevent: change\ndata: {"models":["categories","artworks"],"position":"8"}\n\n',
    )
    expect(textOf(own)).toContain('"contact-messages"')
    tell({ models: ['artworks'], position: at('9') })
    expect(textOf(page)).toContain('"position":"9"')
    streams.close()
  })

  it('end where it cannot be told whether a page is up to date, which then asks again', async () => {
    let isAway = true
    const { streams, tell } = open('7', async () => {
      if (isAway) throw new Error('MongoDB does not answer')
      return ['categories']
    })
    const [page, again] = [new PassThrough(), new PassThrough()]
    const opening = streams.open(page, visitor(), { page: 'v1' })
    tell({ models: ['artworks'], position: at('8') })
    await opening
    expect([textOf(page), page.writableEnded]).toEqual([': here\n\n', true])
    isAway = false
    await streams.open(again, visitor(), { page: 'v1' })
    expect(textOf(again)).toContain('data: {"models":["categories"],"position":"8"}')
    streams.close()
  })

  it('tell the owner of what another process has changed of her account', async () => {
    const { streams } = open()
    let marks = noticed
    const own = new PassThrough()
    const strange = new PassThrough()
    await streams.open(own, { ...signedIn(), owner: { account: async () => marks } }, null)
    await streams.open(strange, visitor(), null)
    await streams.lookAtAccounts()
    expect(textOf(own)).not.toContain('status')
    marks = { ...noticed, firstStepsAway: true }
    await streams.lookAtAccounts()
    expect(textOf(own)).toContain('"models":["status"]')
    await streams.lookAtAccounts()
    expect(textOf(own) + textOf(strange)).not.toContain('status')
    streams.close()
  })

  it('end with their session', async () => {
    const { streams } = open()
    const stream = new PassThrough()
    await streams.open(stream, { ...signedIn(), owner: { account: async () => null } }, null)
    await streams.lookAtAccounts()
    expect(stream.writableEnded).toBe(true)
    streams.close()
  })
})
