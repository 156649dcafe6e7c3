import { expect, it } from 'vitest'
import { positionOf } from '#application/testing/memory-event-store.ts'
import type { EventStore, Position } from '#application/kernel/ports/event-store.ts'
import { readingAhead } from './read-ahead.ts'
import { artworkAdded } from '../testing/artworks.ts'
import { recorded } from '../testing/history.ts'

const events = recorded(Array.from({ length: 5 }, (_, n) => artworkAdded(`w${n}`)))

/** A log of five events that notes where it was read, and fails once at each of these places. */
const logOf = (...failing: readonly (Position | null)[]) => {
  const asked: (Position | null)[] = []
  const left = new Set(failing)
  const readAll: EventStore['readAll'] = async (after, limit) => {
    asked.push(after)
    if (left.delete(after)) throw new Error('The log is away')
    return events.filter(({ position }) => after === null || position > after).slice(0, limit)
  }
  return { asked, readAll }
}

it('has asked for the next page when one is answered, and for none behind the end', async () => {
  const { asked, readAll } = logOf()
  const read = readingAhead(readAll)
  expect(await read(null, 2)).toEqual(events.slice(0, 2))
  expect(asked).toEqual([null, positionOf(1)])
  expect(await read(positionOf(1), 2)).toEqual(events.slice(2, 4))
  expect(await read(positionOf(3), 2)).toEqual(events.slice(4))
  expect(await read(positionOf(4), 2)).toEqual([])
  expect(asked).toEqual([null, positionOf(1), positionOf(3), positionOf(4)])
})

it('answers what is asked for, also when it read ahead elsewhere', async () => {
  const read = readingAhead(logOf().readAll)
  await read(null, 2)
  expect(await read(positionOf(0), 2)).toEqual(events.slice(1, 3))
})

it('asks again for what failed ahead, and tells what fails then', async () => {
  const { readAll } = logOf(positionOf(1))
  const read = readingAhead(readAll)
  await read(null, 2)
  expect(await read(positionOf(1), 2)).toEqual(events.slice(2, 4))
  await expect(readingAhead(logOf(null).readAll)(null, 2)).rejects.toThrow('away')
})
