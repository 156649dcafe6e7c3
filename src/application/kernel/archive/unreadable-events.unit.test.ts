import { describe, expect, it } from 'vitest'
import type { Position } from '../ports/event-store.ts'
import { followForeign, followUnreadable, refuseNoLine, unreadableInWords } from './unreadable-events.ts'

const event = {
  id: '2170d76c-5009-5e9d-9ff8-2c6ace5c201b',
  occurredAt: '2026-01-02T03:04:05.678Z',
  stream: 'artwork-1',
  revision: 3,
  type: 'ArtworkRetitled',
  schemaVersion: 1,
  meta: { correlationId: 'r', causationId: 'c', commandId: 'c', actor: { kind: 'visitor' as const } },
  data: { from: 'Sea', to: 'Night sea' },
}

const found = (...events: readonly (typeof event)[]) => {
  const following = followUnreadable()
  for (const each of events) following.see(each)
  return following.found()
}

describe('events of a log that nobody can read', () => {
  it('are none where each is in a form that is known', () => {
    expect([found(), found(event, event)]).toEqual([null, null])
    expect(unreadableInWords(null)).toBe('')
  })

  it.each([
    ['its data', { data: { from: 'Sea', to: 'Night sea', damaged: '' } }, 'data (unrecognized_keys)'],
    ['its version', { schemaVersion: 99 }, 'is stored in version 99'],
    ['its type', { type: 'ArtwRetitled' }, 'this Atelier knows no such type'],
    ['who did it', { meta: { damaged: '{"cor' } as never }, 'meta not in the form of an event'],
    ['its id', { id: '2170d76c' }, 'id not in the form of an event'],
  ])('are counted, and the first of them is named: %s', (_, changed, why) => {
    const bad = { ...event, ...changed }
    expect(found(event, bad)).toEqual({ count: 1, first: expect.stringContaining(why) })
    expect(unreadableInWords(found(bad, event, { ...bad, revision: 4 }))).toContain(
      `2 events of the log cannot be read, the first of them event 3 of artwork-1, ${bad.type} (`,
    )
  })

  it.each([
    ['its line is none', { id: '' }, 'id not in the form of an event'],
    ['its type is not known', { type: 'ArtwRetitled' }, 'this Atelier knows no such type'],
  ])('are refused where nobody could bring them back: %s', (_, changed, why) => {
    expect(() => refuseNoLine({ ...event, ...changed })).toThrow(why)
    expect(() => refuseNoLine({ ...event, ...changed })).toThrow('Restore the newest backup')
  })

  it('are not refused where only what they say cannot be read', () => {
    expect(() => refuseNoLine({ ...event, data: { from: 'Sea', to: 'Sea', damaged: '' } })).not.toThrow()
  })
})

it('events of another program’s are counted, and the first is named by its own type, which may be any text', () => {
  const { see, inWords } = followForeign()
  expect(inWords()).toBe('')
  const position = '7' as Position // no log is asked
  see({ ...event, position, type: '$foreign', data: { type: 'Order\u001b[2J' } as never })
  expect(inWords()).toContain('1 event into')
  see({ ...event, position, revision: 9, type: '$foreign', data: { type: 'Other' } as never })
  expect(inWords()).toContain(
    '2 events into the site’s streams, the first is event 3 of artwork-1, "Order\\u001b[2J"',
  )
})
