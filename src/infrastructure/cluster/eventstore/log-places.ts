import { randomUUID } from 'node:crypto'
import {
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  RevisionConflict,
} from '#application/kernel/ports/event-store.ts'
import type { Lease, Leases } from '#application/kernel/ports/leases.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import { rarely } from '#application/kernel/rarely.ts'
import { pause } from '#application/kernel/retry.ts'
import { within } from '#application/kernel/within.ts'

/*
 * How processes on copies of one folder hear of each other where the log is all that they share: whoever comes asks in a
 * stream beside the site's whether somebody is there, and whoever came before answers. While nobody comes nothing is written, and
 * whoever is there loses its place to nobody.
 */

const asked = 'PlaceAsked'
const answered = 'PlaceHeld'
const left = 'PlaceLeft'

interface Looks {
  /** between two looks into the stream, in ms */
  readonly everyMs: number
  /** of them that come upon no answer nobody is there; one more than whoever is there may need */
  readonly most: number
}

const usual: Looks = { everyMs: 1_000, most: 5 }

/** It stood still when this one came. */
const takenInWords =
  'Another process of this site runs from another folder, and was here before: stop one of them'

/** A log that goes away between a look and a question is not there for the next look. */
const tries = 2

/** What is told at a stop that cannot be told by then costs the next start its wait. */
const leavingMs = 1_000

const told = (type: string, process: string): NewEvent => {
  const id = randomUUID()
  const meta = {
    correlationId: id,
    causationId: id,
    commandId: id,
    actor: { kind: 'system' as const, name: 'place' },
  }
  return { id, type, schemaVersion: 1, occurredAt: new Date().toISOString(), meta, data: { process } }
}

/**
 * Places of the processes of a site, as leases that are never lost.
 * @param beside streams that are no part of the log
 */
export const openLogPlaces = (
  beside: Pick<EventStore, 'append' | 'readStream'>,
  log: Pick<Logger, 'warn'>,
  { everyMs, most }: Looks = usual,
): Pick<Leases, 'tryAcquire'> => {
  /** Those that another process said it has: this one is not told again. */
  const taken = new Set<string>()

  /** @returns the revision at which it stands */
  const tell = async (place: string, type: string, process: string): Promise<number> => {
    const event = told(type, process)
    for (let expected: ExpectedRevision = 'no-stream'; ; ) {
      try {
        return (await beside.append(place, expected, [event])).revision
      } catch (error) {
        if (!(error instanceof RevisionConflict) || error.actual === expected) throw error
        expected = error.actual
      }
    }
  }

  /**
   * @returns null where the log can be read and takes nothing: who only looks may still come
   * @throws {EngineAway} where it is away
   */
  const ask = async (place: string, me: string): Promise<number | null> => {
    let refused: unknown = null
    for (let n = 0; n < tries; n += 1) {
      await beside.readStream(place, 0, 1)
      try {
        return await tell(place, asked, me)
      } catch (error) {
        refused = error
      }
    }
    log.warn(
      { err: refused, place },
      'Whether another process of this site runs could not be asked in the event log',
    )
    return null
  }

  /** Whether the last one that was here said that it left, and nobody asked since but this one. */
  const isFree = async (place: string, askedAt: number): Promise<boolean> => {
    if (askedAt === 0) return true
    const [came, went] = await beside.readStream(place, Math.max(0, askedAt - 2), Math.min(2, askedAt))
    return came?.type === asked && went?.type === left && came.data['process'] === went.data['process']
  }

  /** Answers who asks later. @returns what looks, and says whether somebody who came before has answered */
  const following = (place: string, me: string, askedAt: number): (() => Promise<boolean>) => {
    let next = askedAt + 1
    return async () => {
      let isTaken = false
      for (const { type, data, revision } of await beside.readStream(place, next)) {
        const { process } = data
        if (type === answered && process === me) isTaken = true
        const isAsked = type === asked && process !== me
        if (isAsked && typeof process === 'string') await tell(place, answered, process)
        next = revision + 1
      }
      return isTaken
    }
  }

  const leaseOf = (release: Lease['release']): Lease => {
    const { signal: lost } = new AbortController()
    return { lost, check: () => undefined, release }
  }

  /** Looks until it is released. */
  const keep = (look: () => Promise<boolean>, place: string, me: string): Lease => {
    const troubles = rarely(log)
    const over = new AbortController()
    const looking = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await pause(everyMs, over.signal, { ref: false })
        if (over.signal.aborted) return
        try {
          if (await look()) troubles.wrong('taken', { place }, takenInWords)
          else troubles.right('No other process of this site is heard of by the event log')
        } catch (err) {
          if (over.signal.aborted) return
          troubles.wrong(
            'away',
            { err },
            'The event log does not tell whether another process comes; trying again',
          )
        }
      }
    }
    void looking()
    return leaseOf(async () => {
      over.abort()
      const isTold = await within(
        tell(place, left, me).then(
          () => true,
          () => false,
        ),
        leavingMs,
        () => false,
      )
      if (!isTold)
        log.warn({ place }, 'The event log was not told that this process ends: the next start waits')
    })
  }

  return {
    tryAcquire: async (place) => {
      if (taken.has(place)) return null
      const me = randomUUID()
      const askedAt = await ask(place, me)
      if (askedAt === null) return leaseOf(() => Promise.resolve())
      const look = following(place, me, askedAt)
      const looks = (await isFree(place, askedAt)) ? 0 : most
      for (let n = 0; n < looks; n += 1) {
        await pause(everyMs)
        if (!(await look())) continue
        taken.add(place)
        return null
      }
      return keep(look, place, me)
    },
  }
}
