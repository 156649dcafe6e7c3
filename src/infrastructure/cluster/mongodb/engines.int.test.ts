import { accountsContract } from '../../contracts/accounts.contract.ts'
import { checkpointsContract } from '../../contracts/checkpoints.contract.ts'
import { documentsContract } from '../../contracts/documents.contract.ts'
import { effectsContract } from '../../contracts/effects.contract.ts'
import { filesContract } from '../../contracts/files.contract.ts'
import { idempotencyContract } from '../../contracts/idempotency.contract.ts'
import { keyVaultContract } from '../../contracts/key-vault.contract.ts'
import { leasesContract } from '../../contracts/leases.contract.ts'
import { sessionsContract } from '../../contracts/sessions.contract.ts'
import { describeOnServers } from '../testing/servers.ts'
import { at, ownDatabase } from './testing/site.ts'

await describeOnServers('MongoDB', ['mongodb'], ({ mongodb }) => {
  const { openSite } = ownDatabase(mongodb.url, 'contracts')

  accountsContract('MongoDB', openSite)
  sessionsContract('MongoDB', openSite)
  checkpointsContract('MongoDB', openSite, at)
  effectsContract('MongoDB', openSite)
  idempotencyContract('MongoDB', openSite)
  keyVaultContract('MongoDB', openSite, () => openSite({ secret: 'another secret of 32 characters!!' }))
  filesContract('MongoDB', openSite)
  documentsContract('MongoDB', openSite, at)
  leasesContract('MongoDB', async () => {
    const namespace = 'shared'
    const [one, other] = [await openSite({ namespace }), await openSite({ namespace })]
    return {
      one: one.leases,
      other: other.leases,
      close: async () => {
        await one.close()
        await other.close()
      },
    }
  })
})
