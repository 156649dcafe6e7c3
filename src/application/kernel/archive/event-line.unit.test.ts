import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../testing/any-character.ts'
import { canonicalJson } from './canonical-json.ts'
import { endLine, eventLine, parseLine } from './event-line.ts'
import type { JsonObject, Position, RecordedEvent } from '../ports/event-store.ts'

const event = (changes: Partial<RecordedEvent> = {}): RecordedEvent => ({
  stream: 'artwork-1',
  revision: 3,
  id: '5a0c3b52-1d1a-5f0e-8a55-6b8f0a5d7c11',
  type: 'ArtworkPriceChanged',
  schemaVersion: 1,
  occurredAt: '2026-03-04T05:06:07.089Z',
  meta: {
    correlationId: 'r',
    causationId: 'c',
    commandId: 'c',
    actor: { kind: 'owner', accountId: 'a1' },
  },
  data: { to: 2, from: 1 },
  position: '0000000000000007' as Position,
  ...changes,
})

/** All keys of a value in the order they stand in, each object's after it. */
const keysOf = (value: unknown): readonly string[][] => {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(keysOf)
  return Array.isArray(value) ? inside : [Object.keys(value), ...inside]
}

describe('a line of an export', () => {
  it('has the decided form: keys sorted on every level, no position', () => {
    expect(eventLine(event())).toBe(
      '{"data":{"from":1,"to":2},"id":"5a0c3b52-1d1a-5f0e-8a55-6b8f0a5d7c11",' +
        '"meta":{"actor":{"accountId":"a1","kind":"owner"},"causationId":"c","commandId":"c","correlationId":"r"},' +
        '"occurredAt":"2026-03-04T05:06:07.089Z","revision":3,"schemaVersion":1,"stream":"artwork-1",' +
        '"type":"ArtworkPriceChanged"}',
    )
  })

  it('sorts keys that look like numbers as text, in the text itself', () => {
    expect(canonicalJson({ 9: 'nine', 10: 'ten', a: [{ z: 1, b: null }] })).toBe(
      '{"10":"ten","9":"nine","a":[{"b":null,"z":1}]}',
    )
  })

  it('is the same for the same event, whatever order its keys were in', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const turned = Object.fromEntries(Object.entries(data).toReversed())
        expect(eventLine(event({ data: turned as JsonObject }))).toBe(
          eventLine(event({ data: data as JsonObject })),
        )
      }),
    )
  })

  it('gives back the event that it was made of, on one line, and the same line again', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string({ minLength: 1, unit: anyCharacter }),
        fc.nat(),
        (data, stream, revision) => {
          const text = eventLine(event({ data: data as JsonObject, stream, revision }))
          expect(text).not.toContain('\n')
          const parsed = parseLine(text, 1)
          expect('event' in parsed && eventLine(parsed.event)).toBe(text)
          // As JSON has it: -0 is 0 there.
          expect('event' in parsed && parsed.event.data).toEqual(JSON.parse(JSON.stringify(data)))
          const keys = keysOf(JSON.parse(text)).map((each) => each.filter((key) => !/^\d+$/.test(key)))
          expect(keys).toEqual(keys.map((each) => each.toSorted()))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('carries along what a later version may add beside the data', () => {
    const meta = { ...event().meta, traceId: 't' }
    const text = eventLine(event({ meta }))
    const parsed = parseLine(text, 1)
    expect('event' in parsed && parsed.event.meta).toEqual(meta)
  })

  it('tells the last line from an event', () => {
    const end = { events: 2, sha256: 'ab'.repeat(32) }
    expect(endLine(end)).toBe(`{"events":2,"sha256":"${'ab'.repeat(32)}"}`)
    expect(parseLine(endLine(end), 3)).toEqual({ end })
  })

  const changed = (changes: object): string =>
    JSON.stringify({ ...JSON.parse(eventLine(event())), ...changes })

  it.each([
    ['no JSON', '{"data":', 'Line 7 is no JSON'],
    ['another JSON', '[]', 'Line 7 is no event'],
    ['an id that is none', changed({ id: 'x' }), 'Line 7 is no event (id)'],
    ['a missing field', changed({ meta: undefined }), 'Line 7 is no event (meta)'],
    ['data that is no object', changed({ data: [1] }), 'Line 7 is no event (data)'],
    [
      'data without an end',
      changed({ data: {} }).replace('{}', `{"x":${'['.repeat(2e5)}${']'.repeat(2e5)}}`),
      'Line 7 is no event (data)',
    ],
    ['a field too many', changed({ position: '1' }), 'Line 7 is no event'],
    ['a later version', changed({ schemaVersion: 99 }), 'written by a newer Atelier'],
    ['a type of later', changed({ type: 'ArtworkAuctioned' }), 'written by a newer Atelier'],
  ])('refuses %s in words', (_, text, words) => {
    expect(() => parseLine(text, 7)).toThrow(words)
  })

  it('tells nothing of what stands in a line that it refuses', () => {
    expect(() => parseLine('{"data":{"price":asha}}', 1)).toThrow(expect.not.stringContaining('asha'))
  })
})
