import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExecutor } from '#application/kernel/execute.ts'
import { startSync } from '#application/journal/sync.ts'
import { type JobView, Unrecoverable } from '#application/kernel/ports/job-queue.ts'
import { ownerCommand, testApplication } from '#application/testing/application.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { placeReactor } from '#jobs/runtime/reactor.ts'
import { jobHandlers } from '#composition/job-handlers.ts'
import { type Client, openWebSite, uploadImage, type WebSite } from '../../../test/support/web-site.ts'

const never = async (): Promise<never> => {
  throw new Error('No blog is read here')
}
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('the state of the site', () => {
  let site: WebSite
  let owner: Client
  beforeAll(async () => {
    site = await openWebSite()
    owner = await site.owner()
  })
  afterAll(async () => site.close())

  it('names version, mail and free space', async () => {
    const { json } = await owner.call('getStatus')
    expect(json).toMatchObject({
      version: '0.0.0-test',
      firstPassword: false,
      firstStepsAway: false,
      mail: 'off',
      backup: null,
    })
    expect(json.freeBytes).toBeGreaterThan(0)
  })

  it('says that letters are not mailed while nobody knows where to', async () => {
    const mailing = await openWebSite({
      settings: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'site@art.example' },
    })
    try {
      const her = await mailing.owner()
      const mail = async (): Promise<string> => (await her.call('getStatus')).json.mail
      expect(await mail()).toBe('off')
      await her.call('changeSiteContent', { body: { contactEmail: 'artist@art.example' } })
      expect(await mail()).toBe('on')
    } finally {
      await mailing.close()
    }
  })

  it('remembers for every browser of hers that the first steps are put away', async () => {
    const other = await site.owner()
    const away = async (): Promise<boolean> => (await other.call('getStatus')).json.firstStepsAway
    expect((await owner.call('changeFirstSteps', { body: { away: true } })).status).toBe(204)
    expect(await away()).toBe(true)
    expect((await owner.call('changeFirstSteps', { body: {} })).status).toBe(422)
    expect((await site.visitor().call('changeFirstSteps', { body: { away: false } })).status).toBe(401)
    expect(await away()).toBe(true)
    await owner.call('changeFirstSteps', { body: { away: false } })
    expect(await away()).toBe(false)
  })

  it('lists the work behind the scenes', async () => {
    const imageUrl = await uploadImage(owner)
    const hash = imageUrl.split('/')[2]
    await expect
      .poll(async () => (await owner.call('listJobs')).json.items)
      .toContainEqual(expect.objectContaining({ name: 'process-image', subjectId: hash }))
  })
})

describe('work that failed for good', () => {
  /** A site whose sync was parked by its job, as the queue and the log have it. */
  const parkedSync = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-parked-'))
    const engines = await openEmbedded({ dataDir, secret: null, clock: systemClock, log: silent })
    const { app } = testApplication({
      eventStore: engines.eventStore,
      executor: createExecutor(engines.eventStore),
    })
    await placeReactor(engines)
    await startSync(app, { runId: 'r', blogUrl: 'http://127.0.0.1:9', trigger: 'owner' }, ownerCommand())
    const { position } = (await engines.eventStore.readAll(null, 1))[0] ?? {}
    await engines.checkpoints.place('reactor', position ?? null)
    await engines.jobs.enqueue([{ id: 'sync-blog-e', name: 'sync-blog', data: { runId: 'r' } }])
    const parked = Promise.withResolvers<void>()
    engines.jobs.onChange(() => {
      void engines.jobs.find('sync-blog-e').then((job) => job?.state === 'parked' && parked.resolve())
    })
    const handlers = jobHandlers({
      app,
      effects: engines.effects,
      mail: null,
      blogFeed: { discover: never, crawl: never, readPost: never },
      messages: async () => [],
    })
    const run = async (): Promise<void> => {
      throw new Unrecoverable('the disk is on fire')
    }
    await engines.jobs.work({ ...handlers, 'sync-blog': { ...handlers['sync-blog'], run } })
    await parked.promise
    await engines.close()
    return openWebSite({ dataDir, settings: { FETCH_ALLOW_PRIVATE: '1' } })
  }

  it('ends its sync in words, is listed, and is tried again when she says so', async () => {
    const site = await parkedSync()
    try {
      const owner = await site.owner()
      const { json: sync } = await owner.call('getBlogSync')
      expect(sync).toMatchObject({ running: false, error: expect.stringContaining('the disk is on fire') })
      const job = { id: 'sync-blog-e', name: 'sync-blog', subjectId: 'r', done: 0, total: 0 }
      const parked = { ...job, state: 'parked', reason: 'the disk is on fire' }
      expect((await owner.call('listJobs')).json.items).toEqual([parked])
      const params = { id: 'sync-blog-e' }
      const again = await owner.call('retryJob', { params })
      expect([again.status, again.json]).toEqual([200, expect.objectContaining(job)])
      expect(again.json.state).not.toBe('parked')
      // It is another run of the sync, which ends as the blog lets it.
      await expect
        .poll(async () => (await owner.call('getBlogSync')).json.error)
        .not.toContain('the disk is on fire')
      await expect
        .poll(async () => (await owner.call('listJobs')).json.items.map(({ state }: JobView) => state))
        .toEqual(['done', 'done'])
      expect((await owner.call('retryJob', { params })).status).toBe(409)
      expect((await owner.call('retryJob', { params: { id: 'sync-blog-x' } })).status).toBe(404)
      expect((await site.visitor().call('retryJob', { params })).status).toBe(401)
    } finally {
      await site.close()
      await rm(site.dataDir, { recursive: true })
    }
  })
})
