import { afterEach, describe, expect, it } from 'vitest'
import { EngineAway, type EventStore } from '#application/kernel/ports/event-store.ts'
import type { Lease } from '#application/kernel/ports/leases.ts'
import { memoryEventStore } from '#application/testing/memory-event-store.ts'
import { openLogPlaces } from './log-places.ts'

type Streams = Pick<EventStore, 'append' | 'readStream'>

const quiet = { warn: () => undefined }
const place = 'server-0'
/** Who waits that long for what is to come at once has the test fail by its own limit. */
const longerThanATest = 3_600_000
const looks = { everyMs: 5, most: 40 }
const placesOn = (streams: Streams) => openLogPlaces(streams, quiet, looks)
const came: Lease[] = []
const come = async (streams: Streams): Promise<Lease | null> => {
  const lease = await placesOn(streams).tryAcquire(place)
  if (lease !== null) came.push(lease)
  return lease
}
/** One that goes on looking behind its test does so in other tests' time: a day of theirs is a million looks. */
afterEach(async () => {
  for (const lease of came.splice(0)) await lease.release()
})
/** Streams that do not answer while `isAway` says so. */
const reachedUnless = (streams: Streams, isAway: (call: keyof Streams) => boolean): Streams => {
  const away = () => Promise.reject(new EngineAway('log', 'The event log does not answer just now'))
  return {
    append: (...given) => (isAway('append') ? away() : streams.append(...given)),
    readStream: (...given) => (isAway('readStream') ? away() : streams.readStream(...given)),
  }
}
const typesIn = async (streams: Streams): Promise<readonly string[]> =>
  (await streams.readStream(place, 0)).map(({ type }) => type)

const expectHeld = (lease: Lease | null): Lease => {
  if (lease === null) throw new Error('The place was not had')
  expect(lease.lost.aborted).toBe(false)
  return lease
}

/** That a place is had by who has looked as often as whoever is there may need to answer. */
const expectHadAfterAllLooks = async (streams: Streams): Promise<void> => {
  let read = 0
  const counting: Streams = {
    ...streams,
    readStream: (...given) => {
      read += 1
      return streams.readStream(...given)
    },
  }
  await expectHeld(await come(counting)).release()
  expect(read).toBeGreaterThanOrEqual(looks.most)
}

describe('the places in the log', () => {
  it('are had by one, who tells it to each that comes, and by the next once it has left', async () => {
    const streams = memoryEventStore()
    const first = expectHeld(await come(streams))
    expect(await come(streams)).toBeNull()
    expect(await come(streams)).toBeNull()
    await first.release()
    await expectHeld(await come(streams)).release()
  })

  it('are not asked for again by who was told that another is there', async () => {
    const streams = memoryEventStore()
    const first = expectHeld(await come(streams))
    const other = placesOn(streams)
    for (let n = 0; n < 3; n += 1) expect(await other.tryAcquire(place)).toBeNull()
    await first.release()
    expect(await typesIn(streams)).toEqual(['PlaceAsked', 'PlaceAsked', 'PlaceHeld', 'PlaceLeft'])
  })

  it('go to one of several that come at once', async () => {
    const streams = memoryEventStore()
    const all = await Promise.all(Array.from({ length: 5 }, () => come(streams)))
    const had = all.filter((lease) => lease !== null)
    expect(had).toHaveLength(1)
    for (const lease of had) await lease.release()
  })

  it('are at hand at once where the last one has left', async () => {
    const patient = openLogPlaces(memoryEventStore(), quiet, { everyMs: longerThanATest, most: 1 })
    for (let n = 0; n < 3; n += 1) await expectHeld(await patient.tryAcquire(place)).release()
  })

  it('are free after a kill, once nobody has answered for so many looks', async () => {
    const streams = memoryEventStore()
    let isKilled = false
    expectHeld(await come(reachedUnless(streams, () => isKilled)))
    isKilled = true
    await expectHadAfterAllLooks(streams)
  })

  it('are looked for as long where one has left and another may have come before that', async () => {
    const streams = memoryEventStore()
    let isKilled = false
    const first = expectHeld(await come(reachedUnless(streams, () => isKilled)))
    isKilled = true
    const second = expectHeld(await come(streams))
    isKilled = false
    await first.release()
    await second.release()
    await expectHadAfterAllLooks(streams)
  })

  it('are kept through an outage of the log', async () => {
    const streams = memoryEventStore()
    let missed: number | null = null
    const first = expectHeld(await come(reachedUnless(streams, () => missed !== null && (missed += 1) > 0)))
    missed = 0
    await expect.poll(() => missed).toBeGreaterThan(2)
    missed = null
    expect(await come(streams)).toBeNull()
    expect(first.lost.aborted).toBe(false)
    await first.release()
  })

  it('are had by nobody while the log is away, or goes away while it is looked', async () => {
    const streams = memoryEventStore()
    const away = 'does not answer just now'
    await expect(come(reachedUnless(streams, () => true))).rejects.toThrow(away)
    await come(streams)
    let looked = 0
    const breaking = reachedUnless(streams, (call) => call === 'readStream' && (looked += 1) > 1)
    await expect(come(breaking)).rejects.toThrow(away)
  })

  it('tell who came while the first stood still that it is there, once that goes on', async () => {
    const streams = memoryEventStore()
    let stands = false
    await come(reachedUnless(streams, () => stands))
    stands = true
    const said: string[] = []
    const log = { warn: (_: object, words: string) => void said.push(words) }
    const second = expectHeld(await openLogPlaces(streams, log, looks).tryAcquire(place))
    expect(said).toEqual([])
    stands = false
    await expect.poll(() => said).toEqual([expect.stringContaining('was here before: stop one of them')])
    expect(second.lost.aborted).toBe(false)
    await second.release()
  })

  it('keep nobody from coming where the log can be read and takes nothing', async () => {
    const streams = reachedUnless(memoryEventStore(), (call) => call === 'append')
    await expectHeld(await come(streams)).release()
  })
})
