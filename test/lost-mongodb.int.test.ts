import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient, type ObjectId } from 'mongodb'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ownDatabase } from '#infrastructure/cluster/mongodb/testing/site.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { atelier } from './support/atelier.ts'
import { type Site, signIn, startSite } from './support/site.ts'
import { upload } from './support/upload.ts'

const image = join(import.meta.dirname, '../src/infrastructure/images/test-data/cmyk-patches.jpg')
/** Of its own in every run: the log outlives the database. */
const namespace = `lost-${process.pid}-${Date.now()}`
const minutes = { timeout: 600_000 }

const writeMessage = (url: string, message: string) =>
  fetch(`${url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Asha', email: 'asha@example.org', subject: 'general', message }),
  })

const addCategory = (url: string, cookie: string, name: string) =>
  fetch(`${url}/api/categories`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })

await describeOnServers(
  'a site on servers whose MongoDB lost something',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    const database = ownDatabase(mongodb.url, 'lost')
    const client = new MongoClient(database.url, { connectTimeoutMS: 5_000 })
    const chunks = client.db().collection<{ files_id: ObjectId }>(`${namespace}.files.chunks`)
    const files = client.db().collection<{ _id: ObjectId; filename: string }>(`${namespace}.files.files`)
    let folder: string
    let env: Record<string, string>
    let site: Site
    let cookie: string
    let hash: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'atelier-lost-mongodb-'))
      env = {
        EVENTSTORE_URL: eventstore.url,
        MONGODB_URL: database.url,
        REDIS_URL: redis.url,
        NAMESPACE: namespace,
        SECRET: 'a secret that is only used by this test',
      }
      site = await startSite({ env, dataDir: join(folder, 'data') })
      cookie = await signIn(site)
      const { imageUrl } = await upload(site, cookie, new Blob([await readFile(image)]))
      hash = imageUrl.split('/')[2] ?? ''
      for (const made of [
        await writeMessage(site.url, 'the first letter'),
        await addCategory(site.url, cookie, 'Monsoon'),
      ])
        if (!made.ok) throw new Error(`${made.url} answered ${made.status}`)
      await vi.waitUntil(
        async () => {
          const answer = await fetch(`${site.url}/api/jobs`, { headers: { cookie } })
          const { items } = (await answer.json()) as { readonly items: readonly { readonly state: string }[] }
          return items.length > 0 && items.every(({ state }) => state === 'done')
        },
        { timeout: 60_000, interval: 50 },
      )
    })
    afterAll(async () => {
      await site.stop()
      await client.close()
      await rm(folder, { recursive: true })
    })

    const run = (...args: readonly string[]) => atelier(join(folder, 'data'), args, '', env)
    const loseBytes = async (key: string): Promise<void> => {
      for (const { _id } of await files.find({ filename: key }).toArray())
        await chunks.deleteMany({ files_id: _id })
    }

    it(
      'answers at once for a size whose bytes went after it was seen, and makes it anew',
      minutes,
      async () => {
        const { filename: key = '' } =
          (await files.findOne({ filename: { $regex: `^images/${hash}/\\d+\\.avif$` } })) ?? {}
        const ask = async (headers: Record<string, string> = {}) => {
          const answer = await fetch(`${site.url}/${key}`, { headers, signal: AbortSignal.timeout(20_000) })
          await answer.arrayBuffer()
          return [answer.headers.get('content-type'), answer.headers.get('cache-control')]
        }
        const whole = ['image/avif', expect.stringContaining('immutable')]
        // A part: the whole is then not in memory, and the size is known as whole all the same.
        expect(await ask({ range: 'bytes=0-9' })).toEqual(whole)
        await site.stop()
        site = await startSite({ env, dataDir: join(folder, 'data') })
        cookie = await signIn(site)
        await fetch(`${site.url}/${key}`, { method: 'HEAD' })
        await loseBytes(key)
        const meanwhile = ['image/jpeg', 'no-store']
        expect(await ask({ range: 'bytes=0-9' })).toEqual(meanwhile)
        // It may have been made anew by then.
        expect([meanwhile, whole]).toContainEqual(await ask())
        await vi.waitFor(async () => expect(await ask()).toEqual(whole), { timeout: 60_000, interval: 100 })
      },
    )

    it(
      'is told of an original whose bytes are gone, backs up all the rest, and takes it again',
      minutes,
      async () => {
        await loseBytes(`originals/${hash}`)
        const doctor = await run('doctor')
        expect([doctor.code, doctor.errors]).toEqual([1, expect.stringContaining(`originals/${hash}`)])
        const backup = await run('backup', join(folder, 'without.tar'))
        expect([backup.code, backup.errors]).toEqual([1, expect.stringContaining(`originals/${hash}`)])
        expect(backup.errors).toMatch(/Backed up \d+ events, \d+ picture files/)
        await upload(site, cookie, new Blob([await readFile(image)]))
        const again = await run('backup', join(folder, 'site.tar'))
        // A slow machine is told how far it is; nothing is missed.
        expect([again.code, again.errors]).toEqual([0, expect.not.stringContaining('originals/')])
        expect((await run('doctor')).code).toBe(0)
      },
    )

    it(
      'is refused a start without all of MongoDB, in the same words everywhere, until that is accepted',
      minutes,
      async () => {
        await site.stop()
        await client.db().dropDatabase()
        const words = /MongoDB \(MONGODB_URL\) is empty, although the log has events/
        const start = startSite({ env, dataDir: join(folder, 'data') })
        await expect(start).rejects.toThrow(words)
        const lacking = await run('doctor')
        expect([lacking.code, lacking.errors]).toEqual([1, expect.stringMatching(words)])
        expect(lacking.errors).toMatch(/1 letter, of .* cannot be read/)
        const exported = await run('events', 'export', join(folder, 'events.gz'))
        expect([exported.code, exported.errors]).toEqual([1, expect.stringMatching(words)])
        const backup = await run('backup', join(folder, 'after.tar'))
        expect([backup.code, backup.errors]).toEqual([1, expect.stringMatching(words)])
        const over = await run('backup', join(folder, 'site.tar'))
        expect([over.code, over.errors]).toEqual([1, expect.stringContaining('It was not replaced')])

        expect((await run('events', 'accept')).code).toBe(0)
        site = await startSite({ env, dataDir: join(folder, 'data') })
        expect(await (await fetch(`${site.url}/api/categories`)).json()).toHaveLength(1)
        await writeMessage(site.url, 'another letter')
        const doctor = await run('doctor')
        expect([doctor.code, doctor.errors]).toEqual([
          1,
          expect.stringMatching(/letters +1 letter, of .* cannot be read: .* Restore the newest backup/),
        ])
        const overAgain = await run('backup', join(folder, 'site.tar'))
        expect([overAgain.code, overAgain.errors]).toEqual([
          1,
          expect.stringContaining('It was not replaced'),
        ])

        await site.stop()
        const accepted = await run('events', 'accept', '--letters')
        expect([accepted.code, accepted.output]).toEqual([0, expect.stringContaining('count as erased')])
        site = await startSite({ env, dataDir: join(folder, 'data') })
        expect((await run('doctor')).errors).not.toContain('cannot be read')
      },
    )
  },
)
