import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { atelier } from './support/atelier.ts'
import { password, type Site, signIn, startSite } from './support/site.ts'

const isSignedIn = async (site: Site, cookie: string): Promise<boolean> =>
  (await fetch(`${site.url}/api/auth/user`, { headers: { cookie } })).ok

it.each([
  ['samples', 'add'],
  ['admin', 'set-password'],
  ['jobs', 'list'],
  ['events', 'stats'],
  ['projections', 'rebuild', '--all'],
])('begins no site where a mistyped DATA_DIR leads: %s %s', async (...args) => {
  const dataDir = join(tmpdir(), `atelier-mistyped-${process.pid}`)
  const run = await atelier(dataDir, args, 'lime-washed wall\n')
  expect([run.code, run.errors]).toEqual([1, expect.stringContaining(`There is no site in ${dataDir}`)])
  expect(existsSync(dataDir)).toBe(false)
})

describe('atelier beside a running server', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site.stop())

  it('reaches it by a socket for its owner only', () => {
    expect(statSync(join(site.dataDir, 'control.sock')).mode & 0o777).toBe(0o600)
  })

  it('sets a password and ends every session', async () => {
    const cookie = await signIn(site)
    const common = await atelier(site.dataDir, ['admin', 'set-password'], 'password\n')
    expect([common.code, common.errors]).toEqual([1, expect.stringContaining('most common')])
    for (const [typed, why] of [
      ['lime-washed wall\nlime-washed hall\n', 'one line'],
      ['lime-washed\rwall', 'nobody can type'],
      [Buffer.from('lime-w\u00E4shed wall', 'latin1'), 'nobody can type'],
    ] as const) {
      const { code, errors } = await atelier(site.dataDir, ['admin', 'set-password'], typed)
      expect([code, errors]).toEqual([1, expect.stringContaining(why)])
    }
    expect(await isSignedIn(site, cookie)).toBe(true)
    const stream = await fetch(`${site.url}/api/changes`, { headers: { cookie } })
    let isOpen = true
    void stream.text().then(() => (isOpen = false))
    const set = await atelier(
      site.dataDir,
      ['admin', 'set-password'],
      'lime-washed wall\nlime-washed wall\n\n',
    )
    expect([set.code, set.errors]).toEqual([0, ''])
    // Before the next time that all streams are looked at, which is every 25 s.
    await vi.waitFor(() => expect(isOpen).toBe(false), { timeout: 60_000 })
    expect(await isSignedIn(site, cookie)).toBe(false)
    await expect(signIn(site)).rejects.toThrow('401')
    expect(await atelier(site.dataDir, ['admin', 'set-password'], password)).toMatchObject({
      code: 0,
      errors: '',
    })
    expect(await isSignedIn(site, await signIn(site))).toBe(true)
  })

  it('adds the samples and removes them again', async () => {
    const list = async () => (await (await fetch(`${site.url}/api/artworks`)).json()) as unknown[]
    const add = () => atelier(site.dataDir, ['samples', 'add'])
    const both = await Promise.all([add(), add()])
    expect(both.map(({ code }) => code)).toEqual(expect.arrayContaining([0, 1]))
    const refused = both.find(({ code }) => code === 1)
    expect(refused?.errors).toContain('atelier samples remove')
    expect(await list()).toHaveLength(12)
    const [changed] = (await list()) as { id: string; category: string }[]
    const cookie = await signIn(site)
    const put = await fetch(`${site.url}/api/artworks/${changed?.id}`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Mine' }),
    })
    expect(put.status).toBe(200)
    const removed = await atelier(site.dataDir, ['samples', 'remove'])
    // A slow machine is told how far it is.
    expect(removed).toMatchObject({ code: 0, errors: expect.any(String) })
    expect(removed.output).toMatch(
      /removed: 11 works, 3 journal posts, \d+ texts, 4 categories, \d+ mediums\. What was changed stays, and what is in use: 1 work, 1 category, 1 medium\./,
    )
    expect(await list()).toMatchObject([{ title: 'Mine' }])
    const categories = (await (await fetch(`${site.url}/api/categories`)).json()) as unknown[]
    expect(categories).toMatchObject([{ name: changed?.category }])
    const again = await atelier(site.dataDir, ['samples', 'remove'])
    expect(again.output).toContain('There is no sample content that was never changed.')
  })

  it('prints results as JSON', async () => {
    const { output } = await atelier(site.dataDir, ['--json', 'jobs', 'retry', 'nothing'])
    expect(JSON.parse(output)).toEqual({
      ok: false,
      message: 'There is no such job, or it was done long ago',
    })
  })

  it('ends with 2 on wrong usage', async () => {
    expect((await atelier(site.dataDir, ['samples', 'eat'])).code).toBe(2)
    expect((await atelier(site.dataDir, ['jobs', 'retry'])).code).toBe(2)
  })
})

describe('atelier jobs drain', () => {
  it('waits until the background work of the running server is done', async () => {
    const feed = `<rss version="2.0"><channel><title>Journal</title><item><title>Late</title>
      <link>https://blog.example/late</link><guid>late</guid></item></channel></rss>`
    const asked = Promise.withResolvers<void>()
    const tell = Promise.withResolvers<void>()
    const blog = createServer((_request, answer) => {
      asked.resolve()
      void tell.promise.then(() => answer.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed))
    }).listen(0, '127.0.0.1')
    await once(blog, 'listening')
    const address = blog.address()
    if (address === null || typeof address === 'string') throw new Error('The system gave no port')
    const site = await startSite({
      env: {
        BLOG_URL: `http://127.0.0.1:${address.port}/feed.xml`,
        FETCH_ALLOW_PRIVATE: '1',
        LOG_LEVEL: 'info',
      },
    })
    try {
      const headers = { cookie: await signIn(site) }
      const synced = fetch(`${site.url}/api/blog-posts/sync`, { method: 'POST', headers })
      await asked.promise
      const drained = atelier(site.dataDir, ['--json', 'jobs', 'drain'])
      await expect.poll(() => site.output()).toContain('jobs drain')
      tell.resolve()
      const { code, output } = await drained
      const { data, ...said } = JSON.parse(output) as { data: { done: number; parked: number } }
      expect([code, said]).toEqual([0, { ok: true, message: 'Nothing waits or runs.' }])
      // The sync; and the copying of the post's images, where it was seen to begin before the sync had ended.
      expect([1, 2]).toContain(data.done)
      expect(data.parked).toBe(0)
      expect((await synced).status).toBe(200)
      expect((await atelier(site.dataDir, ['jobs', 'list'])).output).toBe('No jobs.\n')
    } finally {
      await site.stop()
      blog.close()
    }
  })
})
