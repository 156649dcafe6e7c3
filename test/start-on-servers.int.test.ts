import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { describeOnServers } from '../src/infrastructure/cluster/testing/servers.ts'
import { startSite } from './support/site.ts'

await describeOnServers(
  'a start on servers',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-no-folder-'))
    afterAll(() => rm(folder, { recursive: true, force: true }))

    it('ends in words where its folder cannot be made, and does not wait as it does for a server', async () => {
      const file = join(folder, 'file')
      writeFileSync(file, '')
      const start = startSite({
        dataDir: join(file, 'data'),
        env: {
          EVENTSTORE_URL: eventstore.url,
          MONGODB_URL: mongodb.url,
          REDIS_URL: redis.url,
          NAMESPACE: `nofolder${process.pid}`,
          SECRET: 'a secret that is only used by this test',
        },
        within: 120_000,
      })
      await expect(start).rejects.toThrow(/The server ended: .*Atelier cannot start\. The data folder/s)
    })
  },
)
