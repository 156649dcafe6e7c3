import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, expect, it } from 'vitest'
import { whileAlone } from '#composition/presence.ts'
import { fillingRecord } from '#infrastructure/archive/filling-record.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { connectMongo } from '#infrastructure/cluster/mongodb/mongo.ts'
import { openMongo } from '#infrastructure/cluster/mongodb/open.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { describeOnServers } from '../src/infrastructure/cluster/testing/servers.ts'
import { atelier } from './support/atelier.ts'
import { startSite } from './support/site.ts'

await describeOnServers(
  'a start on servers',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-no-folder-'))
    afterAll(() => rm(folder, { recursive: true, force: true }))

    const secret = 'a secret that is only used by this test'
    const envOf = (name: string) => ({
      EVENTSTORE_URL: eventstore.url,
      MONGODB_URL: mongodb.url,
      REDIS_URL: redis.url,
      NAMESPACE: `${name}${process.pid}`,
      SECRET: secret,
    })

    it('ends where its place begins to be filled while it waits for its own', async () => {
      const env = envOf('filled')
      const dataDir = join(folder, 'filled')
      const mongo = await openMongo({
        url: mongodb.url,
        namespace: env.NAMESPACE,
        secret,
        clock: systemClock,
        log: createLog('silent'),
      })
      try {
        const record = fillingRecord('restore', mongo.effects)
        const site = await whileAlone(mongo.leases, new AbortController().signal, async () => {
          const started = await startSite({ dataDir, env, until: '/healthz' })
          // The last that it does before it waits for its place.
          await expect.poll(() => existsSync(join(dataDir, 'processes', '1'))).toBe(true)
          await record.begin('of a backup')
          return started
        })
        await expect.poll(() => site.process.exitCode).toBe(1)
        expect(site.output()).toContain('A restore was broken off here')
        const looked = await atelier(dataDir, ['doctor'], '', env)
        expect(looked).toMatchObject({
          code: 1,
          errors: expect.stringContaining('A restore was broken off here'),
        })
        await record.end('of a backup')
      } finally {
        await mongo.close()
      }
    })

    it('finds all of it to be made yet, however often doctor has looked', async () => {
      const env = envOf('looked')
      const dataDir = join(folder, 'looked')
      const looked = await atelier(dataDir, ['doctor'], '', env)
      expect(looked).toMatchObject({ code: 0, output: expect.stringContaining('There is no data yet') })
      const mongo = await connectMongo({ url: mongodb.url, namespace: '', log: createLog('silent') })
      const client = new Redis(redis.url)
      try {
        const names = (await mongo.db.listCollections().toArray()).map(({ name }) => name)
        expect(names.filter((name) => name.startsWith(`${env.NAMESPACE}.`))).toEqual([])
        // The sign of life, which goes by itself.
        expect(await client.keys(`${env.NAMESPACE}:*`)).toEqual([`${env.NAMESPACE}:atelier:ping`])
      } finally {
        await mongo.close()
        client.disconnect()
      }
    })

    it('ends in words where its folder cannot be made, and does not wait as it does for a server', async () => {
      const file = join(folder, 'file')
      writeFileSync(file, '')
      const start = startSite({
        dataDir: join(file, 'data'),
        env: envOf('nofolder'),
      })
      await expect(start).rejects.toThrow(/The server ended: .*Atelier cannot start\. The data folder/s)
    })
  },
)
