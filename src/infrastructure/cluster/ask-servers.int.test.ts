import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { MongoClient } from 'mongodb'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { reasonOf } from '#application/kernel/reason.ts'
import { readConfig } from '../config/config.ts'
import { askServers, clocksAhead } from './ask-servers.ts'
import { describeOnServers } from './testing/servers.ts'

const settings = { SECRET: 's'.repeat(32), NAMESPACE: `asked${randomUUID().slice(0, 8)}` }

describe('servers that are away', () => {
  it('are all named, and asked at the same time', async () => {
    // Loaded before, which takes a while on a busy machine.
    await Promise.all([import('./mongodb/mongo.ts'), import('./redis/open.ts')])
    const asked = new Set<number>()
    const all = Promise.withResolvers<string>()
    /** Says nothing to anybody until all three are asked, and breaks off then. @returns its port */
    const serve = async (): Promise<number> => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined)
        asked.add(port)
        if (asked.size === 3) all.resolve('all are asked')
        void all.promise.then(() => socket.destroy())
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      onTestFinished(() => void server.close())
      const { port } = server.address() as AddressInfo // it listens on a port
      return port
    }
    const [log, mongodb, redis] = await Promise.all([serve(), serve(), serve()])
    const logAlone = readConfig({ ...settings, EVENTSTORE_URL: `esdb://127.0.0.1:${log}?tls=false` })
    // It is waited for so long that the others are asked meanwhile.
    const givenUp = askServers(logAlone).then(() => 'the log is given up')
    const failures = askServers({
      ...logAlone,
      mongodbUrl: `mongodb://127.0.0.1:${mongodb}/site`,
      redisUrl: `redis://127.0.0.1:${redis}`,
    })
    expect(await Promise.race([all.promise, givenUp])).toBe('all are asked')
    expect((await failures).map(({ kind }) => kind)).toEqual(['log', 'mongodb', 'redis'])
    await givenUp
  })

  it('are none where engines are embedded', async () => {
    expect(await askServers(readConfig({}))).toEqual([])
  })

  it('have an address that the driver refuses, in words that name the setting', async () => {
    const address = 'mongodb://user:hidden@localhost/site?bogus=1'
    const [failure] = await askServers(readConfig({ ...settings, MONGODB_URL: address }))
    expect(reasonOf(failure?.error)).toBe('MONGODB_URL: option bogus is not supported')
  })

  it('say of a Redis that asks for a password whether the address has one', async () => {
    const strict = createServer((socket) =>
      socket.on('data', (asked: Buffer) => {
        for (const command of asked
          .toString()
          .split(/^\*\d+\r\n/m)
          .slice(1)) {
          const isLogin = /^(auth|hello)\r/im.test(command)
          socket.write(isLogin ? '-WRONGPASS invalid\r\n' : '-NOAUTH Authentication required.\r\n')
        }
      }),
    ).listen(0, '127.0.0.1')
    await once(strict, 'listening')
    const { port } = strict.address() as AddressInfo // it listens on a port
    const said = async (account: string): Promise<string> => {
      const url = `redis://${account}127.0.0.1:${port}`
      const [failure] = await askServers(readConfig({ ...settings, REDIS_URL: url }))
      return reasonOf(failure?.error)
    }
    expect(await said('')).toContain('asks for a password, and there is none in the address')
    expect(await said(':hidden@')).toMatch(/^(?!.*hidden).*refuses the name or the password/)
    strict.close()
  })
})

await describeOnServers(
  'servers that answer',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    it('are asked without anything being made in them', async () => {
      const url = new URL(mongodb.url)
      url.pathname = `/asked-${randomUUID()}`
      const config = readConfig({
        ...settings,
        EVENTSTORE_URL: eventstore.url,
        MONGODB_URL: url.href,
        REDIS_URL: redis.url,
      })
      expect(await askServers(config)).toEqual([])
      const client = await new MongoClient(url.href).connect()
      expect(await client.db().listCollections().toArray()).toEqual([])
      await client.close()
    })

    it('say by how much their clocks are ahead of that of this machine, where they tell it', async () => {
      const config = readConfig({
        ...settings,
        EVENTSTORE_URL: eventstore.url,
        MONGODB_URL: mongodb.url,
        REDIS_URL: redis.url,
      })
      const minutes = async () =>
        (await clocksAhead(config)).map(({ kind, aheadMs }) => [
          kind,
          (aheadMs / 60_000).toFixed().replace(/^-0$/, '0'),
        ])
      expect(await minutes()).toEqual([
        ['mongodb', '0'],
        ['redis', '0'],
      ])
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60_000 })
      try {
        expect(await minutes()).toEqual([
          ['mongodb', '-60'],
          ['redis', '-60'],
        ])
      } finally {
        vi.useRealTimers()
      }
    })
  },
)
