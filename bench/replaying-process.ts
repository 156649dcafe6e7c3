/** A projector process of the bench: replays the log into the views named, when told to, and tells when they are there. */
import { once } from 'node:events'
import { systemClock } from '#infrastructure/clock.ts'
import { openEventStore } from '#infrastructure/cluster/eventstore/event-store.ts'
import { openMongo } from '#infrastructure/cluster/mongodb/open.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { allProjections } from '#projections/all-projections.ts'
import { catchUp } from '#projections/runtime/catch-up.ts'
import { openFolds } from '#projections/runtime/fold-group.ts'

const [address = '', url = '', logNamespace = '', namespace = '', ...names] = process.argv.slice(2)
const log = createLog('silent')
const secret = 'a secret that is only used by the benches'
const mongo = await openMongo({ url, namespace, secret, clock: systemClock, log })
const eventStore = openEventStore({ address, namespace: logNamespace, log })
const projections = allProjections.filter(({ view }) => names.includes(view.name))
for (const { view } of projections) await mongo.documents.drop(view)
const group = await openFolds(mongo.documents, projections)
await eventStore.head()
process.send?.('ready')
await once(process, 'message')
await catchUp({ eventStore, group, signal: new AbortController().signal })
process.send?.('done')
await Promise.all([eventStore.close(), mongo.close()])
process.disconnect()
