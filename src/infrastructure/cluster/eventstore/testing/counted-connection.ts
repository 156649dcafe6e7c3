import type { EventStoreDBClient } from '@eventstore/db-client'

/** A connection to nowhere, and how often it was renewed. @param client what is asked; by default one that is never looked into */
export const countedConnection = (client = {} as EventStoreDBClient) => {
  const connection = {
    renewed: 0,
    client: () => client,
    isOpen: () => true,
    renew: () => (connection.renewed += 1),
    close: async () => undefined,
  }
  return connection
}
