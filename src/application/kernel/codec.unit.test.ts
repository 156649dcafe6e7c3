import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../testing/any-character.ts'
import { CodecError, decodeEvent, encodeEvent, maxEventBytes } from './codec.ts'
import type { Position, RecordedEvent } from './ports/event-store.ts'
import { type DomainEventType, domainEvents } from '#domain/events.ts'

/**
 * One stored event of each type and version that was ever written. Files here are never changed, only added:
 * they stand for the logs that are out there.
 */
const folder = join(import.meta.dirname, '../golden')
interface Golden {
  readonly type: DomainEventType
  readonly schemaVersion: number
  readonly data: RecordedEvent['data']
}
const golden = new Map(
  readdirSync(folder).map((file) => [
    file,
    // Our own files, checked by the tests below.
    JSON.parse(readFileSync(join(folder, file), 'utf8')) as Golden,
  ]),
)
const stored = (type: string, schemaVersion: number, data: RecordedEvent['data']): RecordedEvent => ({
  id: 'e1',
  stream: 's1',
  revision: 4,
  // Only the log makes positions; a test may stand in for it.
  position: '0007' as Position,
  type,
  schemaVersion,
  occurredAt: '2026-01-02T03:04:05.006Z',
  meta: { correlationId: 'c', causationId: 'c', commandId: 'k', actor: { kind: 'visitor' } },
  data,
})

describe('golden events', () => {
  it('exist for every type and every version it was ever stored in', () => {
    const expected = Object.entries(domainEvents).flatMap(([type, definition]) =>
      Array.from({ length: definition.version }, (_, past) => `${type}.v${past + 1}.json`),
    )
    expect([...golden.keys()].toSorted()).toEqual(expected.toSorted())
  })

  it.each([...golden])('%s is read in today’s form', (_, { type, schemaVersion, data }) => {
    const event = decodeEvent(stored(type, schemaVersion, data))
    expect(event?.type).toBe(type)
    expect(domainEvents[type].schema.safeParse(event?.data).success).toBe(true)
  })

  it.each([...golden].filter(([, event]) => event.schemaVersion === domainEvents[event.type].version))(
    '%s is written as it was read',
    (_, { type, schemaVersion, data }) => {
      const event = decodeEvent(stored(type, schemaVersion, data))
      if (event === null) throw new Error('unknown type')
      expect(encodeEvent(event)).toEqual({ type, schemaVersion, data })
    },
  )
})

describe('the codec', () => {
  it('brings an old version up to today’s step by step', () => {
    const event = decodeEvent(stored('MessageReceived', 1, { subject: 'media', sealed: 'x' }))
    expect(event).toMatchObject({
      type: 'MessageReceived',
      data: { subject: 'media', sealed: 'x', artworkId: null },
      stream: 's1',
      revision: 4,
      position: '0007',
    })
  })

  it('passes over types it does not know', () => {
    expect(decodeEvent(stored('SomethingElse', 1, {}))).toBeNull()
  })

  it('refuses what a newer Atelier has written', () => {
    expect(() => decodeEvent(stored('MessageErased', 2, {}))).toThrow('knows versions 1 to 1')
  })

  it.each([
    ['a missing field', { from: 1 }],
    ['a wrong type', { from: '1', to: 2 }],
    ['an unknown field', { from: 1, to: 2, by: 3 }],
    ['a fraction', { from: 1, to: 2.5 }],
  ])('refuses %s, on the way in and on the way out', (_, data) => {
    expect(() => decodeEvent(stored('ArtworkPriceChanged', 1, data as RecordedEvent['data']))).toThrow(
      CodecError,
    )
    expect(() => encodeEvent({ type: 'ArtworkPriceChanged', data: data as never })).toThrow(CodecError)
  })

  it('never repeats a value in its words', () => {
    const data = { subject: 'secret words', sealed: 7 }
    expect(() => decodeEvent(stored('MessageReceived', 2, data))).toThrow(/^(?!.*secret words)/)
  })

  it('refuses numbers that JSON cannot hold', () => {
    for (const to of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, 10n as never]) {
      expect(() => encodeEvent({ type: 'ArtworkPriceChanged', data: { from: 0, to } })).toThrow(CodecError)
    }
  })

  it('refuses an event larger than any should be', () => {
    const to = 'x'.repeat(maxEventBytes)
    expect(() => encodeEvent({ type: 'ArtworkDescribed', data: { from: '', to } })).toThrow('larger than')
  })

  it('gives back every text that was put in', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' }), (from, to) => {
        const { type, schemaVersion, data } = encodeEvent({ type: 'ArtworkDescribed', data: { from, to } })
        expect(decodeEvent(stored(type, schemaVersion, JSON.parse(JSON.stringify(data))))?.data).toEqual({
          from,
          to,
        })
      }),
    )
  })
})
