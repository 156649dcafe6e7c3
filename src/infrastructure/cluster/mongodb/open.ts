import type { Logger } from '#application/kernel/ports/logger.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import { openAccounts } from './accounts.ts'
import { openCheckpoints, openEffects, openIdempotencyKeys } from './records.ts'
import { checkDataVersion } from './data-version.ts'
import { openDocuments } from './documents.ts'
import { openFiles } from './files.ts'
import { openedOrClosed } from '../../key-vault/closed-vault.ts'
import { openKeyVault } from './key-vault.ts'
import { type LeaseTimes, openLeases } from './leases.ts'
import { openMark } from './log-mark.ts'
import { connectMongo } from './mongo.ts'
import { openSessions } from './sessions.ts'

export interface MongoOptions {
  /** its database is used, `atelier` where it names none */
  readonly url: string
  readonly namespace: string
  /** what the key vault is wrapped with; the same for all processes */
  readonly secret: string
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly leaseTimes?: LeaseTimes
  /** how long the server is waited for, 10 s unless told */
  readonly waitMs?: number
  /** whether nothing is to be made there, as beside a server that runs; absent: no */
  readonly looksOnly?: boolean
}

/**
 * Connects to one MongoDB (a standalone or a replica set) and opens everything on it. Later it comes back by
 * itself whenever the server does.
 * @throws {EngineAway} {NewerData} {SecretMismatch}, each in words for people
 */
export const openMongo = async (options: MongoOptions) => {
  const mongo = await connectMongo(options)
  try {
    await checkDataVersion(mongo)
    const vault = () => openKeyVault(mongo, options.secret)
    const [keyVault, sessions, idempotency, leases, files] = await Promise.all([
      options.looksOnly === true ? openedOrClosed(vault) : vault(),
      openSessions(mongo),
      openIdempotencyKeys(mongo),
      openLeases(mongo, options.leaseTimes),
      openFiles(mongo, options.clock),
    ])
    const documents = openDocuments(mongo)
    return {
      /** the mark of a log that stands on a server, too */
      mark: openMark(mongo),
      documents,
      keyVault,
      sessions,
      idempotency,
      leases,
      effects: openEffects(mongo),
      checkpoints: openCheckpoints(mongo),
      files,
      accounts: openAccounts(mongo),
      heardAt: mongo.heardAt,
      /** Resolves when MongoDB answers. @throws {EngineAway} */
      ping: async () => {
        await mongo.ask(() => mongo.db.command({ ping: 1 }), 2_000)
      },
      /** Ends all of them. Leases still held are given up: their `lost` is aborted. */
      close: async () => {
        leases.close()
        await documents.close()
        await mongo.close()
      },
    }
  } catch (error) {
    await mongo.close()
    throw error
  }
}
