import { EventStoreDBClient } from '@eventstore/db-client'
import { addressFor } from './address.ts'

/** A client of the server that can be replaced when it no longer answers. */
export interface Connection {
  /** The client of now. Waits until the one it replaces is closed. */
  readonly client: () => Promise<EventStoreDBClient>
  /** Closes a client that gave no answer; the next call makes another. Does nothing for one replaced already. */
  readonly renew: (used: EventStoreDBClient) => void
  readonly close: () => Promise<void>
}

// Ending its streams leaves a client's connection open, and with it a process that has nothing else to do.
const hangUp = async (client: EventStoreDBClient): Promise<void> => {
  // it is there, only hidden by the library's types
  const { getChannel } = client as unknown as { getChannel: () => Promise<{ close: () => void }> }
  const channel = await getChannel()
  channel.close()
}

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
    // Appends of a client live on in a list that all clients share: the next one must not begin before the
    // streams of this one have ended, or its appends would be thrown out with them.
    closing = closing
      .then(ended.dispose)
      .catch(onError)
      .then(() => {
        hangUp(ended).catch(onError)
      })
  }
  return {
    client: async () => {
      await closing
      if (current === null) {
        current = EventStoreDBClient.connectionString(addressFor(address, generation))
        generation += 1
      }
      return current
    },
    renew: (used) => {
      if (used === current) end()
    },
    close: async () => {
      end()
      await closing
    },
  }
}
