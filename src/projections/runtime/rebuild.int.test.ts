import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#infrastructure/embedded/database.ts'
import { openDocuments } from '#infrastructure/embedded/documents.ts'
import { openEventStore } from '#infrastructure/embedded/event-store.ts'
import { ownDatabase } from '#infrastructure/cluster/mongodb/testing/site.ts'
import { openDocuments as openDocumentsInMongo } from '#infrastructure/cluster/mongodb/documents.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { rebuildSuite } from '../testing/rebuild-suite.ts'

/** A folder with a log in SQLite. */
const logInFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rebuild-'))
  return {
    open: () => {
      const database = openDatabase(join(folder, 'atelier.db'))
      const eventStore = openEventStore(database)
      const close = async (): Promise<void> => {
        await eventStore.close()
        database.close()
      }
      return { database, eventStore, close }
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

rebuildSuite('embedded', async () => {
  const log = await logInFolder()
  return {
    remove: log.remove,
    open: async () => {
      const { database, eventStore, close } = log.open()
      return {
        eventStore,
        documents: openDocuments(database),
        corrupt: async ({ name, version }, id) => {
          database.sql(`UPDATE "view_${name}_v${version}" SET doc = '{"half' WHERE id = ?`).run(id)
        },
        setCheckpoint: async ({ name, version }, position) => {
          database
            .sql('UPDATE view_checkpoints SET position = ? WHERE view = ?')
            .run(position, `${name}_v${version}`)
        },
        close,
      }
    },
  }
})

await describeOnServers('views built anew on a server', ['mongodb'], ({ mongodb }) => {
  const { connect } = ownDatabase(mongodb.url, 'rebuild')
  let made = 0
  rebuildSuite('MongoDB', async () => {
    const log = await logInFolder()
    const namespace = `site${(made += 1)}`
    return {
      remove: log.remove,
      open: async () => {
        const { eventStore, close } = log.open()
        const mongo = await connect({ namespace })
        const documents = openDocumentsInMongo(mongo)
        return {
          eventStore,
          documents,
          corrupt: async ({ name, version }, id) => {
            const at = await mongo.collection<{ _id: string; collection: string }>('views').findOne({
              _id: `${name}_v${version}`,
            })
            await mongo
              .collection<{ _id: string; doc: unknown }>(at?.collection ?? '')
              .updateOne({ _id: id }, { $set: { doc: 'half' } })
          },
          setCheckpoint: async ({ name, version }, position) => {
            await mongo
              .collection<{ _id: string; position: string }>('views')
              .updateOne({ _id: `${name}_v${version}` }, { $set: { position } })
          },
          close: async () => {
            await documents.close()
            await mongo.close()
            await close()
          },
        }
      },
    }
  })
})
