import { BACKWARDS, END, FORWARDS, START, type EventStoreDBClient } from '@eventstore/db-client'
import { charactersIn, openPage } from '#application/kernel/event-page.ts'
import { beyondEnd, type Position, type RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { failureOf } from './failures.ts'
import { readFiltered } from './filtered-items.ts'
import { fromPosition, type LogPlace, toPosition } from './positions.ts'
import { readEach } from './reading.ts'
import { placeOf, type StreamNames, toRecorded } from './stored-events.ts'

/** So many events are looked at at first; the site's own are usually among them. */
export const firstLook = 16

/** How a log is asked, and which of its streams are the site's. */
export interface LogOnServer {
  /** repeats a call that changes nothing until the server answers or it takes too long */
  readonly ask: <Result>(
    call: (client: EventStoreDBClient, answerMs: number) => Promise<Result>,
  ) => Promise<Result>
  readonly names: StreamNames
}

/** The events of a stream from a revision on; none where there is no such stream. */
export const readStream = (
  { ask, names }: LogOnServer,
  stream: string,
  fromRevision: number,
  most?: number,
): Promise<readonly RecordedEvent[]> =>
  ask(async (client, answerMs) => {
    const found: RecordedEvent[] = []
    const read = client.readStream(names.stored(stream), {
      fromRevision: BigInt(fromRevision),
      requiresLeader: true,
      ...(most === undefined ? {} : { maxCount: most }),
    })
    try {
      await readEach(read, answerMs, (item) => {
        const event = toRecorded(item, names)
        if (event) found.push(event)
      })
    } catch (thrown) {
      if (failureOf(thrown).kind === 'absent') return []
      throw thrown
    }
    return found
  })

/** The end of everything on the server, its own events and other sites' too. */
const endOf = ({ ask }: LogOnServer): Promise<Position | null> =>
  ask(async (client, answerMs) => {
    let end: LogPlace | null = null
    const read = client.readAll({
      direction: BACKWARDS,
      fromPosition: END,
      maxCount: 1,
      requiresLeader: true,
    })
    await readEach(read, answerMs, (item) => {
      end = placeOf(item)
    })
    return end === null ? null : toPosition(end)
  })

/**
 * Silence, not an error, is what the server answers to a place beyond its end.
 * @throws UnknownPosition when the log never gave it
 */
export const checkPosition = async (log: LogOnServer, position: Position | null): Promise<void> => {
  if (position === null) return
  fromPosition(position)
  const end = await endOf(log)
  if (end === null || position > end) throw beyondEnd(position, end)
}

/** The site's events behind a position, at most `limit`. @throws UnknownPosition when the log never gave it */
export const readAll = async (
  log: LogOnServer,
  after: Position | null,
  limit: number,
): Promise<readonly RecordedEvent[]> => {
  const { ask, names } = log
  const start = after === null ? null : fromPosition(after)
  const found = await ask(async (client, answerMs) => {
    const page = openPage(limit)
    // reading begins with the event at the place itself
    const most = Math.max(limit, firstLook) + 1
    let from = start
    let seen = 0
    const take = (event: RecordedEvent): void => page.add(event, charactersIn(event.data))
    const read = client.readAll({
      direction: FORWARDS,
      fromPosition: start ?? START,
      maxCount: most,
      requiresLeader: true,
    })
    await readEach(read, answerMs, (item) => {
      seen += 1
      const place = placeOf(item)
      if (place === null || page.isFull()) return page.isFull()
      from = place
      const event = toRecorded(item, names)
      if (event && event.position !== after) take(event)
      return page.isFull()
    })
    if (!page.isFull() && seen >= most) {
      await readFiltered(client, names, from, answerMs, (event) => {
        take(event)
        return page.isFull()
      })
    }
    return page.events
  })
  if (found.length === 0) await checkPosition(log, after)
  return found
}
