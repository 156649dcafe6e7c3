import type { ResolvedEvent } from '@eventstore/db-client'
import { describe, expect, it } from 'vitest'
import { decodeEvent, whyUnreadable } from '#application/kernel/codec.ts'
import { foreignType, type Position } from '#application/kernel/ports/event-store.ts'
import { freshStream, someEvent } from '../../testing/contracts/some-events.ts'
import { fromPosition, isPlace, toPosition } from './positions.ts'
import { checkStreamName, streamNames, toProposed, toRecorded } from './stored-events.ts'

describe('names of streams on a shared server', () => {
  const site = streamNames('site')
  const alone = streamNames('')

  it('carry the namespace, which the site does not see', () => {
    expect(site.stored('artwork-1')).toBe('site:artwork-1')
    expect(site.own('site:artwork-1')).toBe('artwork-1')
    expect(alone.own(alone.stored('artwork-1'))).toBe('artwork-1')
  })

  it.each(['artwork-1', 'site-2:artwork-1', 'sit:artwork-1', '$stats-1', '$$site:artwork-1'])(
    'do not show %s to the site',
    (stored) => expect(site.own(stored)).toBeNull(),
  )

  it.each(['site:artwork-1', '$stats-1', '$$artwork-1'])('do not show %s to a site without one', (stored) => {
    expect(alone.own(stored)).toBeNull()
    expect('regex' in alone.filter && new RegExp(alone.filter.regex).test(stored)).toBe(false)
  })

  it.each(['$artworks', 'site:artwork-1'])('cannot be %s', (name) => {
    expect(() => checkStreamName(name)).toThrow('cannot be called')
  })
})

describe('an event on the server', () => {
  const names = streamNames('site')
  const event = someEvent(1)
  const { id, type, data, metadata } = toProposed(event)
  const position = { commit: 300n, prepare: 299n }
  const stored = {
    event: { streamId: 'site:artwork-1', revision: 4n, id, type, data, metadata, isJson: true, position },
  }
  /** as the library answers it */
  const read = (change: object): ResolvedEvent =>
    ({ event: { ...stored.event, ...change } }) as unknown as ResolvedEvent

  it('comes back as it was given, with its place', () => {
    const expected = { ...event, stream: 'artwork-1', revision: 4, position: toPosition(position) }
    expect(toRecorded(read({}), names)).toEqual(expected)
  })

  it('is passed over when it is none of the site', () => {
    expect(toRecorded(read({ streamId: 'other:artwork-1' }), names)).toBeNull()
    // what the server leaves in a stream that somebody deleted
    const deleted = { type: '$streamDeleted', revision: 9_223_372_036_854_775_807n }
    expect(toRecorded(read(deleted), names)).toBeNull()
    // another program's, in a stream of its own
    expect(toRecorded(read({ metadata: undefined }), names)).toBeNull()
    expect(toRecorded(read({ metadata: { $correlationId: 'x' } }), names)).toBeNull()
    expect(toRecorded(read({ metadata: Buffer.from([0, 255, 1]) }), names)).toBeNull()
    const others = { type: 'OrderPlaced', metadata: { schemaVersion: 3, meta: { tenant: 'x' } } }
    expect(toRecorded(read(others), names)).toBeNull()
    // a link to an event that is gone
    expect(toRecorded({}, names)).toBeNull()
  })

  it.each([
    ['without metadata', 'OrderPlaced', undefined],
    ['with metadata of its own', 'OrderPlaced', { $correlationId: 'x' }],
    [
      'with some words of the site’s beside it',
      'OrderPlaced',
      { schemaVersion: '3', occurredAt: 'x', correlationId: 'x', causationId: 'x' },
    ],
    ['with bytes beside it', 'OrderPlaced', Buffer.from([0, 255, 1])],
    ['a link', '$>', metadata],
  ])('has its revision where another program wrote it into a stream of the site: %s', (_, its, beside) => {
    const change = { streamId: `site:${freshStream()}`, type: its, metadata: beside, data: { secret: 'x' } }
    const recorded = toRecorded(read(change), names)
    expect(recorded).toMatchObject({ revision: 4, id, type: foreignType, data: { type: its } })
    expect(recorded && decodeEvent(recorded)).toBeNull()
    expect(JSON.stringify(recorded)).not.toContain('secret')
  })
})

describe('an event that has rotted on the server', () => {
  const names = streamNames('site')
  const event = { ...someEvent(1), type: 'ArtworkHidden', data: {} }
  const stored = toProposed(event)
  const whole = JSON.stringify(stored.metadata)
  const stream = freshStream()
  const read = (change: object) =>
    toRecorded(
      {
        event: {
          ...stored,
          streamId: `site:${stream}`,
          revision: 4n,
          isJson: true,
          position: { commit: 300n, prepare: 299n },
          ...change,
        },
      } as unknown as ResolvedEvent, // as the library answers it
      names,
    )

  it.each([
    ['gone', undefined],
    ['an empty object', {}],
    ['nothing but bytes', Buffer.from([0, 255, 1])],
    ['no JSON any more', Buffer.from(whole.slice(0, -1))],
    ['without the version', JSON.parse(whole.replace('schemaVersion', 'schemaVersiom'))],
    ['without the time', JSON.parse(whole.replace('occurredAt', 'occurredAs'))],
    ['without who did it', JSON.parse(whole.replace('"meta"', '"mets"'))],
    ['of a version in words', JSON.parse(whole.replace('"schemaVersion":1', '"schemaVersion":"one"'))],
  ])('is there, and nobody can read it, where what stands beside its data is %s', (_, metadata) => {
    const recorded = read({ metadata })
    expect(recorded).toMatchObject({ stream, revision: 4, id: event.id, type: event.type })
    expect(recorded && whyUnreadable(recorded)).toContain('version 0')
    const before = read({})
    expect(before && whyUnreadable(before)).toBeNull()
  })

  it('is none of another program’s where its type is not known here, and the words beside its data are the site’s', () => {
    const recorded = read({ type: 'ArtworkGilded', metadata: JSON.parse(whole.replace('"meta"', '"mets"')) })
    expect(recorded).toMatchObject({ type: 'ArtworkGilded', schemaVersion: 0 })
    expect(recorded && whyUnreadable(recorded)).toBe('this Atelier knows no such type')
  })

  it.each([null, 'words', ['a', 1], Buffer.from([0, 255, 1])])(
    'has an object for its data, which no schema takes, whatever stands there (%j)',
    (data) => {
      const recorded = read({ data })
      expect(recorded?.data).toEqual({ damaged: expect.any(String) })
      expect(recorded && whyUnreadable(recorded)).toContain('ArtworkHidden version 1')
    },
  )
})

describe('a place in the log', () => {
  it('grows as its text does, and comes back', () => {
    const places = [0n, 9n, 10n, 255n, 256n, 2n ** 53n + 1n, 2n ** 62n].flatMap((commit) => [
      { commit, prepare: 0n },
      { commit, prepare: commit },
    ])
    const texts = places.map(toPosition)
    expect(texts.toSorted()).toEqual(texts)
    expect(texts.map(fromPosition)).toEqual(places)
  })

  it('of another engine is refused in words', () => {
    expect(() => fromPosition('0000000000000012' as Position)).toThrow('made by another engine')
  })

  it('is none when it stands for the end: going on from there would skip events', () => {
    expect(isPlace({ commit: 2n ** 64n - 1n, prepare: 2n ** 64n - 1n })).toBe(false)
    expect(isPlace({ commit: 12n, prepare: 0n })).toBe(true)
  })
})
