import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

/*
 * docker-compose.yml as Compose reads it. What no image here can show is held by this alone: that MongoDB has an account.
 */
const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

const service = z.looseObject({
  environment: z.record(z.string(), z.string()).default({}),
  command: z.array(z.string()).nullish(),
  networks: z.record(z.string(), z.unknown()),
  secrets: z.array(z.looseObject({ source: z.string() })).default([]),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  mem_limit: z.coerce.number(),
  pids_limit: z.int(),
  logging: z.looseObject({ options: z.record(z.string(), z.string()) }),
  ports: z.array(z.unknown()).default([]),
})
const rendered = z.looseObject({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().default(false) })),
  secrets: z.record(z.string(), z.looseObject({ file: z.string() })),
})

/** An `.env` of before there were networks, accounts and files. */
const old = { SECRET: 's'.repeat(64), ADMIN_PASSWORD: 'a few words', REDIS_PASSWORD: 'abc123' }
const settings = [
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'REDIS_URL',
  'MONGODB_PASSWORD',
  'SMTP_URL',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
]

const compose = async (env: Readonly<Record<string, string>>, file = 'docker-compose.yml') => {
  const unset = Object.fromEntries(
    settings.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, '']),
  )
  const { stdout } = await run('docker', ['compose', '--file', file, 'config', '--format', 'json'], {
    cwd: root,
    env: { ...process.env, ...unset, ...env },
  })
  return rendered.parse(JSON.parse(stdout))
}

const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0
const roles = ['web', 'projector', 'worker'] as const
const servers = ['eventstore', 'mongodb', 'redis'] as const

describe.skipIf(!hasCompose)(`the compose file${hasCompose ? '' : ' (skipped: no docker compose)'}`, () => {
  it('starts with an .env of before, without an account that nobody made', async () => {
    const { services } = await compose(old)
    for (const role of roles) {
      expect(services[role]?.environment).toMatchObject({
        ...old,
        MONGODB_URL: 'mongodb://mongodb:27017/atelier?authSource=admin',
        REDIS_URL: 'redis://default@redis:6379',
        SECRET_FILE: '',
        MONGODB_PASSWORD: '',
      })
    }
    expect(services['mongodb']?.environment).toMatchObject({ MONGO_INITDB_ROOT_USERNAME: '' })
  })

  it('leaves addresses of servers elsewhere as they are', async () => {
    const elsewhere = {
      EVENTSTORE_URL: 'esdb://log.example:2113',
      MONGODB_URL: 'mongodb://db.example/site',
      REDIS_URL: 'rediss://queue.example',
    }
    const { services } = await compose({ ...old, ...elsewhere })
    expect(services['worker']?.environment).toMatchObject(elsewhere)
  })

  it('hands on what OpenTelemetry is told', async () => {
    const given = {
      OTEL_SDK_DISABLED: 'true',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
      OTEL_METRIC_EXPORT_INTERVAL: '5000',
      OTEL_BSP_SCHEDULE_DELAY: '1000',
      OTEL_BLRP_SCHEDULE_DELAY: '1000',
    }
    const { services } = await compose({ ...old, ...given })
    for (const role of roles) expect(services[role]?.environment).toMatchObject(given)
  })

  it('gives MongoDB an account with a password, for all who use it', async () => {
    const { services } = await compose({ ...old, MONGODB_PASSWORD: 'def456' })
    expect(services['mongodb']?.environment).toMatchObject({
      MONGO_INITDB_ROOT_USERNAME: 'atelier',
      MONGO_INITDB_ROOT_PASSWORD: 'def456',
    })
    for (const role of roles) {
      expect(services[role]?.environment).toMatchObject({
        MONGODB_URL: 'mongodb://atelier@mongodb:27017/atelier?authSource=admin',
        MONGODB_PASSWORD: 'def456',
      })
    }
  })

  it('takes every secret from a file', async () => {
    const names = [...Object.keys(old), ...settings]
    const files = Object.fromEntries(names.map((name) => [`${name}_FILE`, `/etc/atelier/${name}`]))
    const { services, secrets } = await compose(files)
    for (const name of names) {
      const source = name.toLowerCase()
      expect(secrets[source]?.file).toBe(`/etc/atelier/${name}`)
      for (const role of roles) {
        expect(services[role]?.environment[`${name}_FILE`]).toBe(`/run/secrets/${source}`)
        expect(services[role]?.secrets.map((each) => each.source)).toContain(source)
      }
    }
    expect(services['redis']?.environment['REDIS_PASSWORD_FILE']).toBe('/run/secrets/redis_password')
    expect(services['mongodb']?.environment).toMatchObject({
      MONGO_INITDB_ROOT_USERNAME: 'atelier',
      MONGO_INITDB_ROOT_PASSWORD: '',
      MONGO_INITDB_ROOT_PASSWORD_FILE: '/run/secrets/mongodb_password',
    })
  })

  it('has Redis keep on the disk whatever it has acknowledged', async () => {
    const { services } = await compose(old)
    expect(services['redis']?.command?.join('\n')).toContain('appendfsync always')
  })

  it('has Redis refuse in words before its container is full, with room for rewriting its file', async () => {
    const { services } = await compose(old)
    const { command, environment, mem_limit } = services['redis'] ?? {}
    expect(command?.join('\n')).toMatch(/maxmemory %s\\nmaxmemory-policy noeviction/)
    const megabytes = Number(/^(\d+)mb$/.exec(environment?.['REDIS_MAXMEMORY'] ?? '')?.[1])
    expect(megabytes * 2 ** 20 * 1.4).toBeLessThan(Number(mem_limit))
  })

  it('keeps the servers on a network of their own, without the proxy and without a way out', async () => {
    const { services, networks } = await compose(old)
    const on = (name: string) => Object.keys(services[name]?.networks ?? {}).toSorted()
    expect(networks['engines']?.internal).toBe(true)
    expect(networks['front']?.internal).toBe(false)
    expect(on('proxy')).toEqual(['front'])
    for (const server of servers) expect(on(server)).toEqual(['engines'])
    for (const role of roles) expect(on(role)).toEqual(['engines', 'front'])
    const open = Object.entries(services).filter(([, { ports }]) => ports.length > 0)
    expect(open.map(([name]) => name)).toEqual(['proxy'])
  })

  it('gives each service no more rights and room than it needs, four gigabytes for all', async () => {
    const { services } = await compose(old)
    const all = Object.entries(services)
    expect(all.map(([name]) => name).toSorted()).toEqual([...roles, ...servers, 'proxy'].toSorted())
    for (const [name, each] of all) {
      expect([name, each.cap_drop, each.security_opt, each.read_only]).toEqual([
        name,
        ['ALL'],
        ['no-new-privileges:true'],
        true,
      ])
      expect(each.pids_limit).toBeLessThanOrEqual(1_000)
      expect(Object.keys(each.logging.options).toSorted()).toEqual(['max-file', 'max-size'])
    }
    expect(
      Object.fromEntries(all.filter(([, { cap_add }]) => cap_add.length > 0).map(([n, s]) => [n, s.cap_add])),
    ).toEqual({
      mongodb: ['CHOWN', 'DAC_OVERRIDE', 'SETGID', 'SETUID'],
      proxy: ['NET_BIND_SERVICE'],
    })
    const memory = all.reduce((sum, [, { mem_limit }]) => sum + mem_limit, 0)
    // What the machine itself and Docker take stays free.
    expect(memory).toBeLessThanOrEqual(3.5 * 1024 ** 3)
  })

  it('publishes the servers on loopback for development, with the same guards', async () => {
    const { services, networks } = await compose(old, 'docker-compose.dev.yml')
    expect(networks['engines']?.internal).toBe(false)
    for (const server of servers) {
      expect(services[server]?.ports).toEqual([expect.objectContaining({ host_ip: '127.0.0.1' })])
      expect(services[server]?.cap_drop).toEqual(['ALL'])
    }
  })
})
