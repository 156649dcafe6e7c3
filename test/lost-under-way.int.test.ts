import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ownDatabase } from '#infrastructure/cluster/mongodb/testing/site.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { atelier } from './support/atelier.ts'
import { type Site, signIn, startSite } from './support/site.ts'
import { upload } from './support/upload.ts'

const image = join(import.meta.dirname, '../src/infrastructure/images/test-data/cmyk-patches.jpg')
/** Of its own in every run: the log outlives the database. */
const namespace = `under-way-${process.pid}-${Date.now()}`
const minutes = { timeout: 600_000 }
const patient = { timeout: 60_000, interval: 100 }

await describeOnServers(
  'processes that run while a server loses what it held',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    const database = ownDatabase(mongodb.url, 'under-way')
    let client: MongoClient
    const collection = (name: string) =>
      client.db().collection<{ _id: string; filename?: string }>(`${namespace}.${name}`)
    const keys = new Redis(redis.url, { lazyConnect: true })
    const running = new Set<Site>()
    let folder: string
    let env: Record<string, string>
    let web: Site
    let rest: Site
    let cookie: string

    const start = async (roles: string): Promise<Site> => {
      const site = await startSite({ env: { ...env, ROLES: roles }, dataDir: join(folder, 'data') })
      running.add(site)
      return site
    }
    const startAll = async (): Promise<void> => {
      ;[web, rest] = await Promise.all([start('web'), start('projector,worker')])
      cookie = await signIn(web)
    }
    const stopAll = async (): Promise<void> => {
      await Promise.all([...running].map((site) => site.stop()))
      running.clear()
    }
    beforeAll(async () => {
      client = new MongoClient(database.url, { connectTimeoutMS: 5_000 })
      folder = await mkdtemp(join(tmpdir(), 'atelier-under-way-'))
      env = {
        EVENTSTORE_URL: eventstore.url,
        MONGODB_URL: database.url,
        REDIS_URL: redis.url,
        NAMESPACE: namespace,
        SECRET: 'a secret that is only used by this test',
        // Nobody listens there: every mail waits in the queue.
        SMTP_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: 'studio@example.org',
        MAIL_TO: 'asha@example.org',
      }
      await startAll()
    })
    afterAll(async () => {
      await stopAll()
      await client?.close()
      keys.disconnect()
      await rm(folder, { recursive: true })
    })

    const writeMessage = (message: string) =>
      fetch(`${web.url}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Asha', email: 'asha@example.org', subject: 'general', message }),
      })
    const jobsInQueue = async (kind: string): Promise<readonly string[]> => {
      const answer = await fetch(`${web.url}/api/jobs`, { headers: { cookie } })
      const { items } = (await answer.json()) as {
        readonly items: readonly { readonly id: string; readonly name: string; readonly state: string }[]
      }
      return items
        .flatMap(({ id, name, state }) => (name === kind && state !== 'done' ? [id] : []))
        .toSorted()
    }
    const mailsInQueue = () => jobsInQueue('mail-enquiry')
    const doctor = () => atelier(join(folder, 'data'), ['doctor'], '', env)
    /** Doctor says so; on a busy machine a server may not answer it in time, of which it tells instead. */
    const isFound = (words: RegExp): Promise<void> =>
      vi.waitFor(async () => {
        const found = await doctor()
        expect([found.code, found.errors]).toEqual([1, expect.stringMatching(words)])
      }, patient)
    const readiness = async (site: Site) => {
      const answer = await fetch(`${site.url}/readyz`)
      const { reasons } = (await answer.json()) as { readonly reasons: readonly string[] }
      return { status: answer.status, reasons: reasons.join(' ') }
    }
    /** Every process says so at its door and in its log, and takes nothing until it is mended. */
    const areTold = async (words: RegExp): Promise<void> => {
      for (const site of [web, rest]) {
        await vi.waitFor(async () => {
          expect(await readiness(site)).toEqual({ status: 503, reasons: expect.stringMatching(words) })
          expect(site.output()).toMatch(words)
        }, patient)
      }
      const refused = await writeMessage('into nothing')
      expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('try again')])
      await isFound(words)
    }
    const areWell = async (): Promise<void> => {
      for (const site of [web, rest])
        await vi.waitFor(async () => expect((await readiness(site)).status).toBe(200), patient)
    }

    it('queue again what Redis lost that was put back from an older copy', minutes, async () => {
      const note = async () => {
        const [name] = await keys.keys(`${namespace}:atelier*:queued`)
        return name === undefined ? null : keys.get(name)
      }
      const write = async (message: string, mails: number): Promise<readonly string[]> => {
        const noted = await note()
        expect((await writeMessage(message)).ok).toBe(true)
        return vi.waitFor(async () => {
          const found = await mailsInQueue()
          expect(found).toHaveLength(mails)
          // The reactor notes its place behind the jobs: under way it would be noted in the older copy.
          expect(await note()).not.toEqual(noted)
          return found
        }, patient)
      }
      await write('before the copy', 1)
      const names = async () => keys.keys(`${namespace}:atelier*`)
      const copy = await Promise.all(
        (await names()).map(async (name) => [name, await keys.dumpBuffer(name)] as const),
      )
      const all = await write('after the copy', 2)

      // At once, as those who work on it write on.
      const change = keys.multi().del(...(await names()))
      for (const [name, value] of copy) if (value !== null) change.restore(name, 0, value, 'REPLACE')
      await change.exec()
      await vi.waitFor(async () => expect(await mailsInQueue()).toEqual(all), patient)
      await vi.waitFor(() => expect(rest.output()).toContain('The job queue lost what it held'), patient)
      expect((await doctor()).errors).not.toContain('no job is there for it')
    })

    it(
      'take nothing while the log ends before its mark, serve readers, and go on when it is whole',
      minutes,
      async () => {
        const mark = await collection('about').findOne({ _id: 'log' })
        if (mark === null) throw new Error('The log has no mark')
        const ahead = `7${'0'.repeat(15)}-7${'0'.repeat(15)}`
        await collection('about').updateOne({ _id: 'log' }, { $set: { position: ahead } })
        await areTold(/The log \(EVENTSTORE_URL\) ends at .* before the place 7/)
        expect((await fetch(web.url)).status).toBe(200)
        await collection('about').replaceOne({ _id: 'log' }, mark)
        await areWell()
        expect((await fetch(web.url)).status).toBe(200)
      },
    )

    it('go on without the pictures, which doctor misses, and take them again', minutes, async () => {
      const { imageUrl } = await upload(web, cookie, new Blob([await readFile(image)]))
      const hash = imageUrl.split('/')[2] ?? ''
      // What is still written then would come to lie in one of the two alone.
      await vi.waitFor(async () => {
        const variants = { filename: { $regex: `^images/${hash}/[0-9]` } }
        expect(await collection('files.files').countDocuments(variants)).toBeGreaterThan(0)
        expect(await jobsInQueue('process-image')).toEqual([])
      }, patient)
      for (const name of ['files.files', 'files.chunks']) await collection(name).drop()
      await isFound(new RegExp(`originals/${hash}`))
      await upload(web, cookie, new Blob([await readFile(image)]))
      expect((await doctor()).errors).not.toContain(`originals/${hash}`)
    })

    it('say that the accounts are gone, where one is made anew', minutes, async () => {
      await collection('accounts').drop()
      await isFound(/nobody can sign in/i)
      await web.stop()
      running.delete(web)
      web = await start('web')
      expect(web.output()).toMatch(/no account.*made anew/i)
      cookie = await signIn(web)
    })

    it('let an emptied MongoDB look lost, to themselves and to the next start', minutes, async () => {
      await client.db().dropDatabase()
      const words = /MongoDB \(MONGODB_URL\) is empty, although the log has events/
      expect((await writeMessage('into an emptied database')).status).toBe(503)
      await areTold(words)
      expect((await fetch(web.url)).status).toBe(503)
      await stopAll()
      await expect(start('web')).rejects.toThrow(words)
      await expect(start('projector,worker')).rejects.toThrow(words)
      expect((await atelier(join(folder, 'data'), ['events', 'accept'], '', env)).code).toBe(0)
      await startAll()
      await areWell()
      expect((await fetch(web.url)).status).toBe(200)
    })
  },
)
