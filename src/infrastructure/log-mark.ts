import { EngineAway, type EventStore, type Position } from '#application/kernel/ports/event-store.ts'
import { rarely, type TroubleLog } from '#application/kernel/rarely.ts'
import type { HighWater, LogMark } from '#application/kernel/ports/log-mark.ts'

/** What comes within so long is written down together, in ms. */
const gatherMs = 250

export interface MarkStore {
  readonly read: () => Promise<HighWater>
  /** Makes the mark where there is none, else raises it. */
  readonly begin: (position: Position | null) => Promise<void>
  /**
   * Moves the mark forward; leaves one that stands further. On a server never makes one: where it is gone, all of the
   * server's data may be. A file is made: beside a data file that is gone it tells of that.
   */
  readonly raise: (position: Position | null) => Promise<void>
  /** Puts it there in any case. */
  readonly place: (position: Position | null) => Promise<void>
}

/** The mark of a log: whoever appends only leaves word, and is never kept waiting or failed by it. */
export const keepMark = (store: MarkStore, log: TroubleLog): LogMark => {
  let waiting: { readonly position: Position | null } | null = null
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()
  const troubles = rarely(log)

  /** Kept for the next time; a disk that is full would otherwise be told of with every event. */
  const keep = (next: { readonly position: Position | null }, error: unknown): void => {
    waiting ??= next
    troubles.wrong('mark', { err: error }, 'How far the log has come could not be noted; trying again')
  }
  const write = async (): Promise<void> => {
    const next = waiting
    if (next === null) return
    waiting = null
    try {
      await store.raise(next.position)
      troubles.right('How far the log has come is noted again')
    } catch (error) {
      keep(next, error)
    }
  }
  const writeSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = null
      writing = writing.then(write)
    }, gatherMs).unref()
  }

  return {
    read: store.read,
    begin: async (position) => {
      try {
        await store.begin(position)
      } catch (error) {
        if (error instanceof EngineAway && error.engine !== 'disk') throw error
        keep({ position }, error)
      }
    },
    reached: (position) => {
      const known = waiting?.position ?? null
      waiting = { position: known === null || (position !== null && position > known) ? position : known }
      writeSoon()
    },
    place: async (position) => {
      waiting = null
      await writing
      await store.place(position)
    },
    close: async () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      await writing
      await write()
    },
  }
}

/** The log, which leaves word of how far it has come with everything that is written. */
export const markedLog = (eventStore: EventStore, mark: Pick<LogMark, 'reached'>): EventStore => ({
  ...eventStore,
  append: async (stream, expected, events) => {
    const result = await eventStore.append(stream, expected, events)
    mark.reached(result.position)
    return result
  },
  appendInOrder: async (appends) => {
    await eventStore.appendInOrder(appends)
    mark.reached(await eventStore.head())
  },
})
