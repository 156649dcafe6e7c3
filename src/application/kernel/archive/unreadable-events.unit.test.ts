import { describe, expect, it } from 'vitest'
import { followUnreadable, unreadableInWords } from './unreadable-events.ts'

const event = {
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
    ['who did it', { meta: { damaged: '{"cor' } as never }, 'who did it'],
  ])('are counted, and the first of them is named: %s', (_, changed, why) => {
    const bad = { ...event, ...changed }
    expect(found(event, bad)).toEqual({ count: 1, first: expect.stringContaining(why) })
    expect(unreadableInWords(found(bad, event, { ...bad, revision: 4 }))).toContain(
      `2 events of the log cannot be read, the first of them event 3 of artwork-1, ${bad.type} (`,
    )
  })
})
