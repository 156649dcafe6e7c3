import { describe, expect, it } from 'vitest'
import { describeOnServers } from './servers.ts'

await describeOnServers('servers', ['eventstore', 'mongodb', 'redis'], (servers) => {
  it('are known by address', () => {
    expect(servers.eventstore.url).toMatch(/^esdb/)
    expect(servers.mongodb.url).toMatch(/^mongodb/)
    expect(servers.redis.url).toMatch(/^rediss?:/)
  })
})

describe('the environment of integration tests', () => {
  it('names no server: a site that a test starts is embedded', () => {
    expect(['EVENTSTORE_URL', 'MONGODB_URL', 'REDIS_URL'].map((name) => process.env[name])).toEqual([
      '',
      '',
      '',
    ])
  })
})
