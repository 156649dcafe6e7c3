import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { atelier } from './support/atelier.ts'
import { signIn, type Site, startSite } from './support/site.ts'

const minutes = { timeout: 600_000 }
const patient = { timeout: 90_000, interval: 500 }

await describeOnServers(
  'a site into whose streams another program writes',
  ['eventstore', 'mongodb', 'redis'],
  (servers) => {
    const namespace = `foreign-${process.pid}-${Date.now()}`
    const settings = {
      NAMESPACE: namespace,
      SECRET: 'a secret that is only used by this test',
      EVENTSTORE_URL: servers.eventstore.url,
      MONGODB_URL: servers.mongodb.url,
      REDIS_URL: servers.redis.url,
    }
    let folder: string
    let site: Site
    let cookie: string

    /** What a call answers once it is done, in time for the views or not: on a busy machine an engine may need a second try. */
    const call = (method: string, path: string, body?: object): Promise<unknown> => {
      const headers = { cookie, 'idempotency-key': randomUUID() }
      return vi.waitFor(async () => {
        const answer = await fetch(site.url + path, {
          method,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
        return text === '' ? null : JSON.parse(text)
      }, patient)
    }
    const idOf = async (added: Promise<unknown>) => ((await added) as { readonly id: string }).id // by the contract of the call
    /** What a command says once it succeeds. */
    const command = (of: object, ...args: readonly string[]) =>
      vi.waitFor(async () => {
        const run = await atelier(join(folder, 'commands'), ['--json', ...args], '', { ...settings, ...of })
        if (run.code !== 0) throw new Error(`${args.join(' ')}: ${run.output} ${run.errors}`)
        return JSON.parse(run.output) as { readonly data: unknown }
      }, patient)
    /** What `doctor` finds, well or not: a restored site that was never started has views to be made. */
    const doctorOn = async (of: object) => {
      const run = await atelier(join(folder, 'commands'), ['--json', 'doctor'], '', { ...settings, ...of })
      return (JSON.parse(run.output) as { readonly data: unknown }).data
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'atelier-foreign-'))
      site = await startSite({ dataDir: join(folder, 'site'), env: settings })
      cookie = await signIn(site)
    })
    afterAll(async () => {
      await site.stop()
      await rm(folder, { recursive: true, force: true })
    })

    it('goes on, names it, and is without it where a backup is restored', minutes, async () => {
      const artwork = { title: 'Monsoon', price: 500, imageUrl: 'https://pictures.invalid/monsoon.jpg' }
      const [kept, deleted] = [
        await idOf(call('POST', '/api/artworks', artwork)),
        await idOf(call('POST', '/api/artworks', artwork)),
      ]
      const category = await idOf(call('POST', '/api/categories', { name: 'Hills' }))
      await call('PUT', '/api/site-content', { heroTitle: 'Before' })
      const other = EventStoreDBClient.connectionString(servers.eventstore.url)
      for (const stream of [`artwork-${kept}`, `artwork-${deleted}`, 'categories', 'site-content'])
        await other.appendToStream(`${namespace}:${stream}`, jsonEvent({ type: 'OrderPlaced', data: {} }))
      await other.dispose()

      await call('PUT', `/api/artworks/${kept}`, { price: 700 })
      await call('PUT', `/api/categories/${category}`, { name: 'Lakes' })
      await call('PUT', '/api/site-content', { heroTitle: 'After' })
      await call('DELETE', `/api/artworks/${deleted}`)
      await call('POST', `/api/artworks/${deleted}/restore`)

      const named = {
        check: 'log',
        level: 'hint',
        message: expect.stringMatching(/written 4 events .* event \d of artwork-[0-9a-f-]+, "OrderPlaced"/),
      }
      await vi.waitFor(async () => expect(await doctorOn({})).toContainEqual(named), patient)
      expect(await command({}, 'projections', 'verify')).toMatchObject({ ok: true })
      const file = join(folder, 'site.tar')
      expect(await command({}, 'backup', file)).toMatchObject({ ok: true })
      expect(await command({}, 'backup', 'check', file)).toMatchObject({ ok: true, data: { problems: [] } })
      const elsewhere = { NAMESPACE: `${namespace}-b` }
      expect(await command(elsewhere, 'restore', file)).toMatchObject({ ok: true })
      expect(await command(elsewhere, 'events', 'stats')).toEqual(await command({}, 'events', 'stats'))
      const found = await doctorOn(elsewhere)
      expect(found).toContainEqual(expect.objectContaining({ check: 'engines', level: 'ok' }))
      expect(found).not.toContainEqual(expect.objectContaining({ check: 'log' }))
    })
  },
)
