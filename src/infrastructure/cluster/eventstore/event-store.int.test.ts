import { randomUUID } from 'node:crypto'
import { eventStoreContract } from '#infrastructure/contracts/event-store.contract.ts'
import { describeOnServers } from '../testing/servers.ts'
import { openEventStore } from './event-store.ts'

const log = { warn: () => undefined }

await describeOnServers('EventStoreDB', ['eventstore'], ({ eventstore }) => {
  eventStoreContract(
    'EventStoreDB, a namespace on a shared server',
    async () => {
      const namespace = `t${randomUUID().slice(0, 8)}`
      const store = openEventStore({ address: eventstore.url, namespace, log })
      return { store, close: store.close }
    },
    { idsAreUnique: false },
  )
})
