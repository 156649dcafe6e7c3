import {
  START,
  streamNameFilter,
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type EventStoreDBClient,
} from '@eventstore/db-client'
import { charactersIn, openPage } from '#application/kernel/event-page.ts'
import type { RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { Ended, NoAnswer } from './failures.ts'
import { isPlace, type LogPlace } from './positions.ts'
import { placeOf, type StreamNames, toRecorded } from './stored-events.ts'

/** One answer from this many events looked at, in windows of 32: often enough not to look at too many again. */
const windowsPerCheckpoint = 16

/** The server has looked at everything up to here. Stands in one line with the events, behind those before it. */
class Checkpoint {
  readonly place: LogPlace
  constructor(place: LogPlace) {
    this.place = place
  }
}

/** Everything that was in the log has come. Stands behind it, in one line with the events. */
class CaughtUp {}

type Item = AllStreamResolvedEvent | Checkpoint | CaughtUp

/** What the server sends to a filtered subscription: a Transform of Node, of which the library's types say less. */
export interface FilteredItems {
  readonly read: () => Item | null
  readonly push: (item: Item) => boolean
  readonly resume: () => unknown
  readonly on: ((event: 'data', listener: (item: Item) => void) => unknown) &
    ((event: 'error', listener: (error: Error) => void) => unknown) &
    ((event: 'readable' | 'end' | 'confirmation' | 'caughtUp', listener: () => void) => unknown)
  readonly off: (event: 'readable', listener: () => void) => unknown
  readonly unsubscribe: () => Promise<void>
}

/** Subscribes to the site's own events behind a place; the server passes over the others. */
export const openItems = (
  client: EventStoreDBClient,
  { filter }: StreamNames,
  after: LogPlace | null,
  buffered: number,
): FilteredItems => {
  const checkpoints = {
    checkpointInterval: windowsPerCheckpoint,
    // Must not throw, and comes before the events that are still in the stream's buffer: it joins them.
    checkpointReached: (_: AllStreamSubscription, place: LogPlace): void => {
      if (isPlace(place)) items.push(new Checkpoint(place))
    },
  }
  const subscription = client.subscribeToAll(
    {
      fromPosition: after ?? START,
      requiresLeader: true,
      filter:
        'regex' in filter
          ? streamNameFilter({ ...filter, ...checkpoints })
          : streamNameFilter({ ...filter, ...checkpoints }),
    },
    { highWaterMark: buffered },
  )
  // it is a Transform, whatever its type says
  const items = subscription as unknown as FilteredItems
  items.on('caughtUp', () => {
    items.push(new CaughtUp())
  })
  return items
}

/** Ends a subscription. It goes on flowing: one that stands still never hears that it was cancelled. */
export const endItems = (items: FilteredItems): void => {
  items.resume()
  // what cancelling says is of no use any more
  items.unsubscribe().catch(() => undefined)
}

/** What has come, taken together. */
export interface Batch {
  readonly events: readonly RecordedEvent[]
  /** everything before has been taken */
  readonly upTo: LogPlace
}

/** Takes what has come, at most a page of `limit` events; null when nothing has. */
export const takeBatch = (items: FilteredItems, limit: number, names: StreamNames): Batch | null => {
  const page = openPage(limit)
  let upTo: LogPlace | null = null
  while (!page.isFull()) {
    const item = items.read()
    if (item === null) break
    if (item instanceof CaughtUp) continue
    if (item instanceof Checkpoint) {
      upTo = item.place
      continue
    }
    const event = toRecorded(item, names)
    if (event) page.add(event, charactersIn(event.data))
    upTo = placeOf(item) ?? upTo
  }
  return upTo === null ? null : { events: page.events, upTo }
}

/**
 * Reads the site's own events behind a place, to the end of the log or until `take` answers true. Where few of
 * many events are the site's, the server is much quicker at passing over the others.
 * @throws NoAnswer when nothing comes for `answerMs`; Ended; what the library throws
 */
export const readFiltered = async (
  client: EventStoreDBClient,
  names: StreamNames,
  after: LogPlace | null,
  answerMs: number,
  take: (event: RecordedEvent) => boolean,
): Promise<void> => {
  const items = openItems(client, names, after, 1_024)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new NoAnswer(answerMs)), answerMs)
  let done = false
  items.on('error', reject)
  items.on('end', () => reject(new Ended()))
  items.on('data', (item) => {
    if (done) return
    timer.refresh()
    if (item instanceof CaughtUp) done = true
    else if (!(item instanceof Checkpoint)) {
      const event = toRecorded(item, names)
      done = event !== null && take(event)
    }
    if (done) resolve()
  })
  await promise.finally(() => {
    done = true
    clearTimeout(timer)
    endItems(items)
  })
}
