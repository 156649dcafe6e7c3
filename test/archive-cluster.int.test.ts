import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StreamAppend } from '#application/kernel/ports/event-store.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { signIn, startSite } from './support/site.ts'

const cli = join(import.meta.dirname, '../src/cli.ts')
const log = createLog('silent')
const minutes = { timeout: 600_000 }

type Settings = Readonly<Record<string, string>>

const atelier = async (settings: Settings, ...args: readonly string[]) => {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...process.env, ...settings },
  })
  const [bytes, errors, [code]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { bytes, output: bytes.toString(), errors, code }
}

const event = (
  n: number,
  type = 'ArtworkRetitled',
  data: object = { from: 'आशा \u2028', to: `title ${n}` },
) => ({
  id: randomUUID(),
  type,
  schemaVersion: type === 'MessageReceived' ? 2 : 1,
  occurredAt: '2026-03-04T05:06:07.089Z',
  meta: { correlationId: 'r', causationId: 'c', commandId: `c${n}`, actor: { kind: 'visitor' as const } },
  data: data as never,
})

await describeOnServers('a site that moves', ['eventstore', 'mongodb', 'redis'], (servers) => {
  let folder: string
  let embedded: Settings
  let cluster: Settings
  const archive = (): string => join(folder, 'site.tar')

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-moves-'))
    embedded = { DATA_DIR: join(folder, 'embedded') }
    cluster = {
      DATA_DIR: join(folder, 'cluster'),
      NAMESPACE: `moves-${process.pid}-${Date.now()}`,
      SECRET: 'another secret that the cluster is sealed with',
      EVENTSTORE_URL: servers.eventstore.url,
      MONGODB_URL: servers.mongodb.url,
      REDIS_URL: servers.redis.url,
    }
    const first = await startSite({ dataDir: join(folder, 'embedded') })
    const cookie = await signIn(first)
    for (const name of ['Asha', 'Erased']) {
      await fetch(`${first.url}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, email: 'x@example.com', subject: 'general', message: 'Hello there' }),
      })
    }
    const messages = (await (
      await fetch(`${first.url}/api/contact-messages`, { headers: { cookie } })
    ).json()) as { readonly id: string; readonly name: string }[]
    const erased = messages.find(({ name }) => name === 'Erased')
    await fetch(`${first.url}/api/contact-messages/${erased?.id}`, { method: 'DELETE', headers: { cookie } })
    await first.stop()

    const engines = await openEmbedded({
      dataDir: join(folder, 'embedded'),
      secret: null,
      clock: systemClock,
      log,
    })
    // Streams that take turns, and neighbours of one stream.
    const appends = Array.from(
      { length: 300 },
      (_, n): StreamAppend => ({
        stream: `artwork-${n % 7}`,
        expected: n < 7 ? 'no-stream' : 3 * Math.floor(n / 7) - 1,
        events: [event(3 * n), event(3 * n + 1), event(3 * n + 2)],
      }),
    )
    await engines.eventStore.appendInOrder(appends)
    await engines.files.put(`originals/${'cd'.repeat(32)}`, randomBytes(700_000))
    await engines.files.put(`images/${'cd'.repeat(32)}/320.avif`, randomBytes(9_000))
    await engines.close()
    await atelier(embedded, 'backup', archive())
  })
  afterAll(() => rm(folder, { recursive: true }))

  const exportOf = async (settings: Settings): Promise<Buffer> => {
    const { bytes, code, errors } = await atelier(settings, 'events', 'export', '-')
    expect([code, errors]).toEqual([0, expect.stringContaining('Exported')])
    return bytes
  }

  it('from embedded engines to servers, byte for byte', minutes, async () => {
    const { output, errors, code } = await atelier(cluster, '--json', 'restore', archive())
    expect([code, errors]).toEqual([0, expect.any(String)])
    expect(JSON.parse(output)).toMatchObject({
      ok: true,
      data: { counts: { files: 2, accounts: 1, keys: 1 } },
    })
    expect((await exportOf(cluster)).equals(await exportOf(embedded))).toBe(true)
  })

  it('is not written over, and not beside a server process', minutes, async () => {
    expect(await atelier(cluster, 'restore', archive())).toMatchObject({
      code: 1,
      errors: expect.stringContaining('There is a site here already') as string,
    })
    const web = await startSite({
      dataDir: join(folder, 'web'),
      env: { ...cluster, ROLES: 'web,projector' },
    })
    try {
      const cookie = await signIn(web)
      const messages = (await (
        await fetch(`${web.url}/api/contact-messages`, { headers: { cookie } })
      ).json()) as { readonly name: string }[]
      expect(messages.map(({ name }) => name)).toEqual(['Asha'])
      const beside = await atelier(cluster, 'events', 'import', join(folder, 'none.gz'))
      expect([beside.code, beside.errors]).toEqual([1, expect.stringContaining('A server process runs')])
    } finally {
      await web.stop()
    }
  })

  it('from servers back to embedded engines, byte for byte', minutes, async () => {
    const back = join(folder, 'back.tar')
    const made = await atelier(cluster, 'backup', back)
    expect([made.code, made.errors]).toEqual([0, expect.any(String)])
    const home = { DATA_DIR: join(folder, 'home') }
    const restored = await atelier(home, 'restore', back)
    expect([restored.code, restored.errors]).toEqual([0, expect.any(String)])
    const [there, here] = [await exportOf(cluster), await exportOf(home)]
    expect(here.equals(there)).toBe(true)
    const original = gunzipSync(await exportOf(embedded))
      .toString()
      .split('\n')
      .slice(0, -2)
    expect(gunzipSync(here).toString().split('\n').slice(0, original.length)).toEqual(original)
  })

  it('to a new log beside documents that tell of the old one', minutes, async () => {
    const { EVENTSTORE_URL: _, ...others } = cluster
    const mixed = { ...others, DATA_DIR: join(folder, 'mixed') }
    const restored = await atelier(mixed, 'restore', archive())
    expect([restored.code, restored.errors]).toEqual([0, expect.any(String)])
    const site = await startSite({ dataDir: mixed.DATA_DIR, env: mixed })
    try {
      const cookie = await signIn(site)
      const messages = (await (
        await fetch(`${site.url}/api/contact-messages`, { headers: { cookie } })
      ).json()) as { readonly name: string }[]
      expect(messages.map(({ name }) => name)).toEqual(['Asha'])
    } finally {
      await site.stop()
    }
  })

  it('by its log alone too', minutes, async () => {
    const file = join(folder, 'log.gz')
    await atelier(embedded, 'events', 'export', file)
    const other = { ...cluster, NAMESPACE: `${cluster['NAMESPACE']}-log` }
    expect(await atelier(other, 'events', 'import', file)).toMatchObject({ code: 0 })
    expect((await exportOf(other)).equals(await exportOf(embedded))).toBe(true)
    const again = await atelier(other, 'events', 'import', file)
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('there is nothing to import')])
  })
})

/** That a copy of a folder is refused beside a server on it, as a server and for what writes, and not after that. */
const expectOneOfTwoFolders = async (site: string, copy: string, env: Settings): Promise<void> => {
  const running = await startSite({ dataDir: site, env })
  const refused = 'Another process of this site runs on the same servers, from another folder'
  const another = `${copy}-2`
  try {
    for (const each of [copy, another])
      await cp(site, each, { recursive: true, filter: (name) => !name.endsWith('.sock') })
    const [command] = await Promise.all([
      atelier({ ...env, DATA_DIR: another }, 'samples', 'add'),
      expect(startSite({ dataDir: copy, env })).rejects.toThrow(refused),
    ])
    expect([command.code, command.errors]).toEqual([1, expect.stringContaining(refused)])
    // Of an older copy it would count as erased whoever wrote since.
    const alone = await atelier({ ...env, DATA_DIR: another }, 'events', 'accept', '--letters')
    expect([alone.code, alone.errors]).toEqual([1, expect.stringMatching(`${refused}|A server process runs`)])
  } finally {
    await running.stop()
  }
  await (await startSite({ dataDir: copy, env })).stop()
}

await describeOnServers('a site of a folder and a MongoDB', ['mongodb'], ({ mongodb }) => {
  const given = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-mixed-'))
    const env = {
      NAMESPACE: `mixed-${process.pid}-${Date.now()}`,
      SECRET: 'a secret that is kept in no folder of the site',
      MONGODB_URL: mongodb.url,
    }
    return { folder, env, site: join(folder, 'site'), other: join(folder, 'beside') }
  }

  it('is left alone by a restore into another folder while it runs', minutes, async () => {
    const { folder, env, site: dataDir, other } = await given()
    const settings = { ...env, DATA_DIR: dataDir }
    const beside = { ...env, DATA_DIR: other }
    const archive = join(folder, 'site.tar')
    const site = await startSite({ dataDir, env })
    try {
      const cookie = await signIn(site)
      expect((await atelier(settings, 'backup', archive)).code).toBe(0)
      const { code, errors } = await atelier(beside, 'restore', archive)
      expect([code, errors]).toEqual([1, expect.stringContaining('A server process runs on these engines')])
      // Its sessions would have been ended, and its views and accounts replaced.
      const answer = await fetch(`${site.url}/api/contact-messages`, { headers: { cookie } })
      expect(answer.status).toBe(200)
    } finally {
      await site.stop()
    }
    expect((await atelier(beside, 'restore', archive)).code).toBe(0)
    await rm(folder, { recursive: true })
  })

  it(
    'is left alone by a server on a copy of its folder, which would take letters that nobody finds',
    minutes,
    async () => {
      const { folder, env, site, other } = await given()
      await expectOneOfTwoFolders(site, other, env)
      await rm(folder, { recursive: true })
    },
  )
})

await describeOnServers('a site of a folder and a log on a server', ['eventstore'], ({ eventstore }) => {
  it(
    'is left alone by a server on a copy of its folder, of which it hears by the log alone',
    minutes,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'atelier-mixed-'))
      const env = { NAMESPACE: `mixed-${process.pid}-${Date.now()}`, EVENTSTORE_URL: eventstore.url }
      await expectOneOfTwoFolders(join(folder, 'site'), join(folder, 'beside'), env)
      await rm(folder, { recursive: true })
    },
  )
})
