import { EventStoreDBClient } from '@eventstore/db-client'
import { addressFor } from './address.ts'
import { readEventsShortly } from './event-answers.ts'
import { letLateAnswersGo } from './late-answers.ts'

/** A client of the server that can be replaced when it no longer answers. */
export interface Connection {
  /** The client of now. */
  readonly client: () => EventStoreDBClient
  /**
   * False for one that was closed: the library ends its reads as if they were complete, however little of them
   * had come.
   */
  readonly isOpen: (client: EventStoreDBClient) => boolean
  /** Closes a client that gave no answer; the next call makes another. Does nothing for one replaced already. */
  readonly renew: (used: EventStoreDBClient) => void
  readonly close: () => Promise<void>
}

// Ending its streams leaves a client's connection open, and with it a process that has nothing else to do.
const closed = async (client: EventStoreDBClient): Promise<void> => {
  await client.dispose()
  // it is there, only hidden by the library's types
  const { getChannel } = client as unknown as { getChannel: () => Promise<{ close: () => void }> }
  // Of one that never found its server there is none.
  const channel = await getChannel().catch(() => null)
  channel?.close()
}

letLateAnswersGo()
readEventsShortly()

/**
 * Connects when first asked.
 * @param onError told when a client could not be closed in order
 */
export const openConnection = (address: string, onError: (error: unknown) => void): Connection => {
  let generation = 0
  let current: EventStoreDBClient | null = null
  let closing: Promise<void> = Promise.resolve()
  const end = (): void => {
    const ended = current
    current = null
    if (ended === null) return
    closing = closing.then(() => closed(ended)).catch(onError)
  }
  return {
    client: () => {
      if (current === null) {
        current = EventStoreDBClient.connectionString(addressFor(address, generation))
        generation += 1
      }
      return current
    },
    isOpen: (client) => client === current,
    renew: (used) => {
      if (used === current) end()
    },
    close: async () => {
      end()
      await closing
    },
  }
}
