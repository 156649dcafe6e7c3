import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ownDatabase } from '#infrastructure/cluster/mongodb/testing/site.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { atelier } from './support/atelier.ts'
import { type Site, signIn, startSite } from './support/site.ts'
import { upload } from './support/upload.ts'

const imageOf = async (background: string): Promise<Blob> => {
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background } })
  return new Blob([new Uint8Array(await image.png().toBuffer())])
}
/** Where no log of a test comes to. */
const ahead = `7${'0'.repeat(15)}-7${'0'.repeat(15)}`
const minutes = { timeout: 600_000 }
const patient = { timeout: 60_000, interval: 100 }

await describeOnServers(
  'a site on servers whose log was put back from an older copy',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    const database = ownDatabase(mongodb.url, 'older-log')
    const elsewhere = ownDatabase(mongodb.url, 'older-log-copy')
    // The log of the second is a copy of the first's as it once was. It has no event that is newer than those it lacks.
    const [whole, copied] = ['whole', 'copy'].map((name) => `older-${name}-${process.pid}-${Date.now()}`) as [
      string,
      string,
    ]
    const client = new MongoClient(database.url, { connectTimeoutMS: 5_000 })
    const settings = (namespace: string) => ({
      EVENTSTORE_URL: eventstore.url,
      MONGODB_URL: database.url,
      REDIS_URL: redis.url,
      NAMESPACE: namespace,
      SECRET: 'a secret that is only used by this test',
    })
    let folder: string
    let site: Site | null = null
    const start = async (namespace: string): Promise<Site> => {
      site = await startSite({ env: settings(namespace), dataDir: join(folder, 'data') })
      return site
    }
    const run = (...args: readonly string[]) => atelier(join(folder, 'data'), args, '', settings(copied))
    const post = async (path: string, body: object, cookie = ''): Promise<void> => {
      const headers = { cookie, 'content-type': 'application/json' }
      const answer = await fetch(`${site?.url}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    }
    const get = async (path: string, cookie: string): Promise<string> =>
      (await fetch(`${site?.url}${path}`, { headers: { cookie } })).text()
    const addMessage = (message: string): Promise<void> =>
      post('/api/contact', { name: 'Asha', email: 'asha@example.org', subject: 'general', message })
    const shown = (path: string, cookie: string, words: string): Promise<void> =>
      vi.waitFor(async () => expect(await get(path, cookie)).toContain(words), patient)

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'atelier-older-log-'))
      const former = await start(whole)
      const cookie = await signIn(former)
      await upload(former, cookie, await imageOf('#865'))
      await post('/api/categories', { name: 'Monsoon' }, cookie)
      await addMessage('the first letter')
      const file = join(folder, 'events.gz')
      const beside = { ...settings(copied), MONGODB_URL: elsewhere.url }
      for (const [args, env] of [
        [['events', 'export', file], settings(whole)],
        [['events', 'import', file], beside],
      ] as const) {
        const { code, errors } = await atelier(join(folder, 'data'), args, '', env)
        if (code !== 0) throw new Error(errors)
      }
      await post('/api/categories', { name: 'Gone' }, cookie)
      await addMessage('a letter that goes')
      await shown('/api/contact-messages', cookie, 'a letter that goes')
      await former.stop()
      const db = client.db()
      for (const { name } of await db.listCollections().toArray())
        if (name.startsWith(`${whole}.`)) await db.renameCollection(name, name.replace(whole, copied))
    })
    afterAll(async () => {
      await site?.stop()
      await client.close()
      await rm(folder, { recursive: true })
    })

    const words = /The log \(EVENTSTORE_URL\) ends at .* before the place .*projections rebuild --all --fresh/

    it(
      'is refused a start, and told of alike by doctor, by the state of the views and by what builds some',
      minutes,
      async () => {
        await expect(start(copied)).rejects.toThrow(words)
        for (const args of [['doctor'], ['projections', 'status'], ['projections', 'rebuild', '--all']]) {
          const said = await run(...args)
          expect([said.code, said.errors]).toEqual([1, expect.stringMatching(words)])
        }
        expect((await run('projections', 'status')).errors).toContain('where the log has never been')
      },
    )

    it('goes on with it once all views are built anew, and keeps accounts and keys', minutes, async () => {
      const built = await run('projections', 'rebuild', '--all', '--fresh')
      expect([built.code, built.errors]).toEqual([0, expect.any(String)])
      expect(built.output).toContain('The log is taken as it is.')
      expect((await run('projections', 'status')).code).toBe(0)
      const again = await start(copied)
      const cookie = await signIn(again)
      expect(await get('/api/categories', cookie)).toContain('Monsoon')
      expect(await get('/api/categories', cookie)).not.toContain('Gone')
      expect(await get('/api/contact-messages', cookie)).toContain('the first letter')

      await post('/api/categories', { name: 'Harvest' }, cookie)
      await shown('/api/categories', cookie, 'Harvest')
      const { imageUrl } = await upload(again, cookie, await imageOf('#568'))
      await vi.waitFor(async () => {
        const answer = await fetch(`${again.url}${imageUrl}`)
        await answer.arrayBuffer()
        expect(answer.headers.get('cache-control')).toContain('immutable')
      }, patient)
      expect((await run('projections', 'verify', '--all')).code).toBe(0)
      const doctor = await run('doctor')
      expect([doctor.code, doctor.errors]).toEqual([0, ''])
    })

    it('is not taken while a process runs on it', minutes, async () => {
      const about = client.db().collection<{ _id: string }>(`${copied}.about`)
      const mark = await about.findOne({ _id: 'log' })
      if (mark === null) throw new Error('The log has no mark')
      await about.updateOne({ _id: 'log' }, { $set: { position: ahead } })
      const asked = await run('projections', 'rebuild', '--all', '--fresh')
      expect([asked.code, asked.errors]).toEqual([
        1,
        expect.stringContaining('stop web, projector and worker first'),
      ])
      expect(await about.findOne({ _id: 'log' })).toMatchObject({ position: ahead })
    })
  },
)

await describeOnServers('a site whose log alone is on a server', ['eventstore'], ({ eventstore }) => {
  const env = { EVENTSTORE_URL: eventstore.url, NAMESPACE: `older-alone-${process.pid}-${Date.now()}` }
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'atelier-older-log-'))
  })
  afterAll(() => rm(dataDir, { recursive: true }))

  it('takes it as an older copy once nobody runs on it any more', minutes, async () => {
    const rebuild = () => atelier(dataDir, ['projections', 'rebuild', '--all', '--fresh'], '', env)
    const site = await startSite({ dataDir, env })
    const added = await fetch(`${site.url}/api/categories`, {
      method: 'POST',
      headers: { cookie: await signIn(site), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Monsoon' }),
    })
    // A busy machine may answer before it is shown.
    expect([201, 202]).toContain(added.status)
    const mark = join(dataDir, 'log.mark')
    await vi.waitFor(async () => expect(await readFile(mark, 'utf8')).toMatch(/EventStoreDB +\d/), patient)
    const marked = await readFile(mark, 'utf8')
    await writeFile(mark, marked.replace(/(?<=EventStoreDB +)\S+/, ahead))
    const refused = await rebuild()
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('Stop them all')])
    await site.stop()
    await writeFile(mark, marked.replace(/(?<=EventStoreDB +)\S+/, ahead))
    await expect(startSite({ dataDir, env })).rejects.toThrow(/projections rebuild --all --fresh/)
    expect(await rebuild()).toMatchObject({ code: 0 })
    const again = await startSite({ dataDir, env })
    expect((await fetch(again.url)).status).toBe(200)
    await again.stop()
  })
})
