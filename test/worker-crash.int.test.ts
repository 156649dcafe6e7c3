import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#infrastructure/clock.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { freePort } from '#infrastructure/testing/free-port.ts'
import { postsOf, startTestBlog, type TestBlog } from '#infrastructure/blog-feed/testing/test-blog.ts'
import { photographed } from './support/phone-image.ts'
import { type Site, signIn, startSite } from './support/site.ts'
import { goOn, standStill } from './support/stand-still.ts'
import { upload } from './support/upload.ts'

const posts = 150
const quiet = { info: () => {}, warn: () => {}, error: () => {} }

/** A mail server; `hold` takes a mail and never says so, as one that is killed with its answer on the way. */
const startSmtp = async (port: number, options: { readonly hold: boolean }) => {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      void text(stream).then((mail) => {
        mails.push(mail)
        if (!options.hold) done()
      })
    },
  })
  server.on('error', () => {
    // The connection of a killed server breaks off: that is what this test is about.
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { mails, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

interface Job {
  readonly name: string
  readonly state: string
  readonly done: number
  readonly reason: string | null
}

let dataDir: string
let blog: TestBlog
let smtpPort: number
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atelier-worker-'))
  blog = await startTestBlog(postsOf(posts))
  blog.cap = 40
  smtpPort = await freePort()
})
afterAll(async () => {
  await blog.close()
  await rm(dataDir, { recursive: true })
})

const start = (): Promise<Site> =>
  startSite({
    dataDir,
    env: {
      FETCH_ALLOW_PRIVATE: '1',
      BLOG_URL: blog.url,
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      MAIL_FROM: 'site@art.example',
      MAIL_TO: 'owner@art.example',
      LOG_LEVEL: 'trace',
    },
  })

const kill = async (site: Site): Promise<void> => {
  const gone = once(site.process, 'exit')
  site.process.kill('SIGKILL')
  await gone
}

const asOwner = (site: Site, cookie: string) => {
  const get = async (path: string): Promise<unknown> =>
    (await fetch(site.url + path, { headers: { cookie } })).json()
  // The shapes of the interface.
  return {
    jobs: async () => ((await get('/api/jobs')) as { items: readonly Job[] }).items,
    posts: async () => (await get('/api/blog-posts')) as readonly { title: string }[],
    mails: async () =>
      ((await get('/api/contact-messages')) as readonly { mail: string }[]).map(({ mail }) => mail),
    sync: async () => (await get('/api/blog-posts/sync')) as { running: boolean; error: string | null },
  }
}

const enquire = (site: Site, name: string): Promise<Response> =>
  fetch(`${site.url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name,
      email: `${name}@example.org`.toLowerCase(),
      subject: 'purchase',
      message: 'Is it still free?',
    }),
  })

/** How often each kind of event stands in the log. */
const eventsIn = async (): Promise<Readonly<Record<string, number>>> => {
  const engines = await openEmbedded({ dataDir, secret: null, clock: systemClock, log: quiet })
  const counts: Record<string, number> = {}
  for (const { type } of await engines.eventStore.readAll(null, 10_000))
    counts[type] = (counts[type] ?? 0) + 1
  await engines.close()
  return counts
}

const messageIds = (mails: readonly string[]): readonly string[] =>
  mails.map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1]?.trim() ?? '')

describe('a server killed in the middle of a picture, a sync and its mail', () => {
  it('loses no job and repeats nothing that anybody sees', { timeout: 600_000 }, async () => {
    const photo = await photographed(400)
    // The mail server is down. The blog falls silent in the middle of its feed.
    blog.interfere = (request) => request.url?.includes('start-index=81') === true
    let site = await start()
    let owner = asOwner(site, await signIn(site))
    const cookie = await signIn(site)
    for (const name of ['Asha', 'Bela', 'Chitra']) expect((await enquire(site, name)).status).toBe(201)
    const tried = async () =>
      (await owner.jobs()).filter(({ name, reason }) => name === 'mail-enquiry' && reason !== null).length
    await expect.poll(tried, { interval: 20 }).toBe(3)
    expect(await owner.mails()).toEqual(['waiting', 'waiting', 'waiting'])
    // Asked by a browser that is gone when the server is.
    const asking = fetch(`${site.url}/api/blog-posts/sync`, { method: 'POST', headers: { cookie } }).catch(
      () => null,
    )
    await expect.poll(() => blog.asked.some((path) => path.includes('start-index=81'))).toBe(true)
    // The blog is waited for half a minute, the mails longer. The image is made in a moment, and never told of.
    standStill(dataDir, 'INSERT ON events', "NEW.type = 'ImageProcessed'")
    const { imageUrl } = await upload(site, cookie, new Blob([new Uint8Array(photo.jpeg)]), 'IMG_0001.JPG')
    const beside = new DatabaseSync(join(dataDir, 'atelier.db'), { readOnly: true })
    const half = beside.prepare(
      "SELECT id FROM jobs WHERE name = 'process-image' AND state = 'running' AND steps_done > 0",
    )
    await expect.poll(() => half.all(), { interval: 20 }).toHaveLength(1)
    beside.close()
    await kill(site)
    await asking
    goOn(dataDir)
    const printed = [site.output()]

    // It is back, takes the first mail, and the server is killed before it hears so.
    blog.interfere = () => false
    const first = await startSmtp(smtpPort, { hold: true })
    site = await start()
    await expect.poll(() => first.mails.length, { timeout: 120_000, interval: 20 }).toBe(1)
    await kill(site)
    printed.push(site.output())
    await first.close()

    const second = await startSmtp(smtpPort, { hold: false })
    site = await start()
    owner = asOwner(site, await signIn(site))
    await expect.poll(owner.mails, { timeout: 180_000 }).toEqual(['sent', 'sent', 'sent'])
    await expect.poll(owner.sync, { timeout: 120_000 }).toMatchObject({ running: false, error: null })
    const left = async () => (await owner.jobs()).filter(({ state }) => state !== 'done')
    await expect.poll(left, { timeout: 120_000 }).toEqual([])
    expect(new Set((await owner.posts()).map(({ title }) => title)).size).toBe(posts)
    expect(await owner.posts()).toHaveLength(posts)
    const view = await fetch(site.url + imageUrl)
    await view.arrayBuffer()
    expect(view.headers.get('cache-control')).toContain('immutable')
    await site.stop()
    printed.push(site.output())
    await second.close()

    expect(printed.join('')).toContain('mail-enquiry')
    expect(printed.join('')).not.toMatch(/asha|bela|chitra|still free/i)
    // Each once; the one whose answer was lost came again under its own name, so that it is known as the same.
    expect([...messageIds(second.mails)].toSorted()).toEqual(
      [...new Set(messageIds(second.mails))].toSorted(),
    )
    expect(second.mails).toHaveLength(3)
    expect(messageIds(second.mails)).toContain(messageIds(first.mails)[0])
    expect(await eventsIn()).toMatchObject({
      MessageReceived: 3,
      EnquiryMailed: 3,
      ImageUploaded: 1,
      ImageProcessed: 1,
      BlogSyncStarted: 1,
      BlogSyncCompleted: 1,
      BlogPostImported: posts,
    })
  })
})

/** The processes in which jobs of this server run apart. */
const processesOfJobs = (site: Site): readonly number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, parent, ...args]) => parent === String(site.process.pid) && args.join(' ').includes('job-child'),
    )
    .map(([pid]) => Number(pid))

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a server killed again and again in the middle of one sync', () => {
  it('goes on with it in a process of its own, whose death the site outlives', async () => {
    const own = await mkdtemp(join(tmpdir(), 'atelier-worker-kills-'))
    const silent = await startTestBlog(postsOf(3))
    silent.interfere = () => true
    const begin = (): Promise<Site> =>
      startSite({ dataDir: own, env: { FETCH_ALLOW_PRIVATE: '1', BLOG_URL: silent.url } })
    const askedMore = async (than: number): Promise<void> => {
      await expect.poll(() => silent.asked.length, { timeout: 120_000, interval: 20 }).toBeGreaterThan(than)
    }
    let site = await begin()
    const cookie = await signIn(site)
    const asking = fetch(`${site.url}/api/blog-posts/sync`, { method: 'POST', headers: { cookie } }).catch(
      () => null,
    )
    await askedMore(0)
    for (let start = 2; start <= 3; start += 1) {
      const [before, jobs] = [silent.asked.length, processesOfJobs(site)]
      await kill(site)
      // No process of a job outlives the one that started it.
      await expect.poll(() => jobs.filter(isAlive)).toEqual([])
      site = await begin()
      await askedMore(before)
    }
    await asking
    const owner = asOwner(site, await signIn(site))
    const sync = async () => (await owner.jobs()).find(({ name }) => name === 'sync-blog')
    expect(await sync()).toMatchObject({ state: 'running' })
    const [child] = processesOfJobs(site)
    const before = silent.asked.length
    process.kill(child ?? 0, 'SIGKILL')
    await expect
      .poll(sync, { interval: 20 })
      .toMatchObject({ state: 'waiting', reason: expect.stringContaining('was ended by SIGKILL') })
    expect(await owner.sync()).toMatchObject({ running: true })
    await askedMore(before)
    silent.interfere = () => false
    // The process that waits for the blog is told to go away with its answer: the next one gets it at once.
    for (const pid of processesOfJobs(site)) process.kill(pid, 'SIGKILL')
    await expect.poll(owner.sync, { timeout: 120_000 }).toMatchObject({ running: false, error: null })
    expect(await owner.posts()).toHaveLength(3)
    expect(processesOfJobs(site).length).toBeLessThanOrEqual(1)
    await site.stop()
    await silent.close()
    await rm(own, { recursive: true })
  })
})
