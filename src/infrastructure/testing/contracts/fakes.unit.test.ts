import { memoryEventStore, positionOf } from '#application/testing/memory-event-store.ts'
import { memoryLedger } from '#application/testing/memory-ledger.ts'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import { memoryFiles } from '#application/testing/memory-files.ts'
import { memoryLeases } from '#application/testing/memory-leases.ts'
import { memoryVault } from '#application/testing/memory-vault.ts'
import { documentsContract } from './documents.contract.ts'
import { effectsContract } from './effects.contract.ts'
import { eventStoreContract } from './event-store.contract.ts'
import { filesContract } from './files.contract.ts'
import { keyVaultContract } from './key-vault.contract.ts'
import { leasesContract } from './leases.contract.ts'

// What stands in for an engine in tests keeps to what is promised of the engine.
const close = async (): Promise<void> => {}

eventStoreContract('in memory', async () => ({ store: memoryEventStore(), close }), { idsAreUnique: true })
effectsContract('in memory', async () => ({ effects: memoryLedger(), close }))
documentsContract('in memory', async () => ({ documents: memoryDocuments(), close }), positionOf)

const vault = async () => ({ keyVault: memoryVault(), close })
keyVaultContract('in memory', vault, vault)

filesContract('in memory', async () => ({ files: memoryFiles(), close }))
leasesContract('in memory', async () => {
  const leases = memoryLeases()
  return { one: leases, other: leases, close }
})
