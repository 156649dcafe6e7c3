import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { cp, chmod, mkdtemp, open, rm, symlink, truncate } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../src/operator/finding.ts'
import { startTestBlog } from '#infrastructure/blog-feed/testing/test-blog.ts'
import { freePort } from '#infrastructure/testing/free-port.ts'
import { atelier } from './support/atelier.ts'
import { signIn, type Site, startSite } from './support/site.ts'
import { upload } from './support/upload.ts'

const cli = join(import.meta.dirname, '../src/cli.ts')
/** No setting of a site: only what Node itself needs, and where its compiled code is kept. */
const bare = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }

const examine = async (dataDir: string, env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, [cli, 'doctor', '--json'], {
    // Not where this repository may have a .env of its own.
    cwd: dataDir,
    env: { ...bare, DATA_DIR: dataDir, ...env },
  })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>, // as Node gives it
  ])
  const { ok, data } = JSON.parse(output) as { ok: boolean; data: readonly Finding[] }
  const of = (check: string) => data.filter((finding) => finding.check === check)
  return { code, ok, of, errors, levels: data.map(({ check, level }) => `${check} ${level}`) }
}

const hasKnocked = /^NET \d+: afterConnect$/m

describe('atelier doctor', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(async () => {
    await site.stop()
  })

  it('finds nothing to do beside a running server without mail and blog, and exits 0', async () => {
    const { code, ok, levels } = await examine(site.dataDir)
    const well = ['disk ok', 'secrets ok', 'engines ok', 'views ok', 'jobs ok', 'clock ok']
    expect(levels.toSorted()).toEqual(
      [...well, 'blog hint', 'e-mail hint', 'backup hint', 'mail hint'].toSorted(),
    )
    expect([ok, code]).toEqual([true, 0])
  })

  it('says that the site stands still, which carries nothing out for who has left meanwhile', async () => {
    const left = async (): Promise<readonly [string, number | null]> => {
      const args = [cli, 'admin', 'set-password']
      // Node itself tells when the command has knocked at the site.
      const env = { ...bare, DATA_DIR: site.dataDir, NODE_DEBUG: 'net' }
      const child = spawn(process.execPath, args, { env })
      const ended = once(child, 'exit') as Promise<[number | null]> // as Node gives it
      child.stdin.end('a password that is never set')
      let errors = ''
      for await (const piece of child.stderr.setEncoding('utf8')) {
        if (!hasKnocked.test(errors) && hasKnocked.test(errors + piece)) child.kill('SIGTERM')
        errors += piece
      }
      const [code] = await ended
      return [errors, code]
    }
    site.process.kill('SIGSTOP')
    try {
      const [{ of, code }, asked] = await Promise.all([examine(site.dataDir), left()])
      expect([code, of('site')]).toMatchObject([1, [{ level: 'problem' }]])
      const words = 'Stopped. The server that runs here has not answered, and nothing was done'
      expect(asked).toEqual([expect.stringContaining(words), 1])
    } finally {
      site.process.kill('SIGCONT')
    }
    expect(await signIn(site)).toMatch(/=/)
    expect((await examine(site.dataDir)).of('site')).toEqual([])
  })

  it('does not call a backup well that is still to come', async () => {
    const data = new DatabaseSync(join(site.dataDir, 'atelier.db'))
    const detail = JSON.stringify({ finishedAt: '2199-01-01T03:00:00.000Z', error: null })
    data.prepare("INSERT INTO effects (key, state, detail) VALUES ('nightly-backup', 'done', ?)").run(detail)
    const { of, code } = await examine(site.dataDir)
    data.exec("DELETE FROM effects WHERE key = 'nightly-backup'")
    data.close()
    expect([code, of('backup')]).toMatchObject([1, [{ level: 'problem' }]])
  })

  it('tells what was found in the last backup', async () => {
    const data = new DatabaseSync(join(site.dataDir, 'atelier.db'))
    const note = (key: string, detail: object) =>
      data
        .prepare("INSERT OR REPLACE INTO effects (key, state, detail) VALUES (?, 'done', ?)")
        .run(key, JSON.stringify(detail))
    const before = new Date(Date.now() - 60_000).toISOString()
    const at = new Date().toISOString()
    note('nightly-backup', { finishedAt: before, error: null })
    const unchecked = await examine(site.dataDir, { BACKUP_CHECK: '1' })
    note('backup-check', { at, error: null })
    const whole = await examine(site.dataDir, { BACKUP_CHECK: '1' })
    note('backup-check', { at, error: 'A letter cannot be read' })
    const lacking = await examine(site.dataDir)
    data.exec("DELETE FROM effects WHERE key IN ('nightly-backup', 'backup-check')")
    data.close()
    expect([unchecked.code, unchecked.of('backup')]).toMatchObject([0, [{ level: 'hint' }]])
    expect([whole.code, whole.of('backup')]).toMatchObject([
      0,
      [{ level: 'ok', message: expect.stringContaining('and nothing lacked') as string }],
    ])
    expect([lacking.code, lacking.of('backup')]).toMatchObject([
      1,
      [{ level: 'problem', message: expect.stringContaining('A letter cannot be read') as string }],
    ])
  })

  it('does not call a backup well that is not where it was put', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
    const data = new DatabaseSync(join(site.dataDir, 'atelier.db'))
    const detail = JSON.stringify({ finishedAt: new Date().toISOString(), error: null })
    data.prepare("INSERT INTO effects (key, state, detail) VALUES ('nightly-backup', 'done', ?)").run(detail)
    const { of, code } = await examine(site.dataDir, { BACKUP_DIR: folder })
    await atelier(site.dataDir, ['backup', join(folder, 'atelier-20261119T020000Z.tar')])
    const fresh = await examine(site.dataDir, { BACKUP_DIR: folder })
    data.exec("DELETE FROM effects WHERE key = 'nightly-backup'")
    data.close()
    await rm(folder, { recursive: true })
    expect([code, of('backup')]).toMatchObject([
      1,
      [{ level: 'problem', message: expect.stringContaining(`is not in ${folder}`) }],
    ])
    expect(fresh.of('backup')).toMatchObject([{ level: 'ok' }])
  })

  it('says of backups inside the data folder that they are lost with it', async () => {
    for (const folder of [site.dataDir, join(site.dataDir, 'backups')]) {
      const { code, of } = await examine(site.dataDir, { BACKUP_DIR: folder })
      expect(code).toBe(0)
      expect(of('backup')).toMatchObject([
        { level: 'hint', message: expect.stringContaining('No backup was made yet') },
        { level: 'hint', message: expect.stringContaining('are lost with it. Set BACKUP_DIR') },
      ])
    }
    const { of } = await examine(site.dataDir, { BACKUP_DIR: `${site.dataDir}-backups` })
    expect(of('backup')).toHaveLength(1)
  })

  it('calls no backup well, nor to come, that goes into a link that leads nowhere', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
    const link = join(folder, 'unmounted')
    await symlink(join(folder, 'no-disk'), link)
    const { code, of } = await examine(site.dataDir, { BACKUP_DIR: link })
    await rm(folder, { recursive: true })
    expect([code, of('backup').map(({ message }) => message)]).toEqual([
      1,
      [expect.stringContaining(`No backup can be made: ${link} is a link that leads nowhere`)],
    ])
  })

  it('names a proxy in front that is not trusted, once requests came through it', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    await fetch(`${site.url}/healthz`, { headers })
    await expect
      .poll(async () => (await examine(site.dataDir)).of('proxy'))
      .toMatchObject([{ level: 'hint' }])
    const { of, code } = await examine(site.dataDir, { TRUST_PROXY: '1' })
    expect([of('proxy'), code]).toEqual([[], 0])
  })

  it('names the e-mail address until she has saved her own', async () => {
    const before = await examine(site.dataDir, { PUBLIC_URL: 'https://asha.example' })
    expect(before.of('e-mail')).toEqual([
      {
        check: 'e-mail',
        level: 'hint',
        message: expect.stringContaining('no e-mail address on the page, only the form'),
      },
    ])
    const answer = await fetch(`${site.url}/api/site-content`, {
      method: 'PUT',
      headers: { cookie: await signIn(site), 'content-type': 'application/json' },
      body: JSON.stringify({ contactEmail: 'asha@example.in' }),
    })
    expect(answer.status).toBe(200)
    const after = await examine(site.dataDir)
    expect(after.of('e-mail')).toMatchObject([{ level: 'ok', message: 'Visitors write to asha@example.in' }])
  })

  it('says what to do about mail and blog that do not answer, and exits 1', async () => {
    const [mail, blog] = [await freePort(), await freePort()]
    const { code, of } = await examine(site.dataDir, {
      SMTP_URL: `smtp://127.0.0.1:${mail}`,
      MAIL_FROM: 'art@example.com',
      BLOG_URL: `http://127.0.0.1:${blog}/`,
      FETCH_ALLOW_PRIVATE: '1',
    })
    expect(of('mail')).toEqual([expect.objectContaining({ level: 'problem' })])
    expect(of('mail')[0]?.message).toContain('SMTP_URL')
    expect(of('blog')).toEqual([expect.objectContaining({ level: 'problem' })])
    expect(of('blog')[0]?.message).toContain('dashboard')
    expect(code).toBe(1)
  })

  it('names a server that does not answer', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { code, of } = await examine(site.dataDir, { REDIS_URL: `redis://127.0.0.1:${port}` })
    server.close()
    expect(of('engines')).toEqual([expect.objectContaining({ level: 'problem' })])
    expect(of('engines')[0]?.message).toContain('REDIS_URL')
    expect(code).toBe(1)
  })

  it('ends where something else talks without end', async () => {
    const server = createServer((socket) => {
      const talk = setInterval(() => socket.write('hello there\n'), 20)
      socket.on('error', () => undefined).once('close', () => clearInterval(talk))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // it listens on a port
    const { code, of } = await examine(site.dataDir, {
      MONGODB_URL: `mongodb://127.0.0.1:${port}/site`,
      SECRET: 'a secret that is only used by this test',
    })
    server.close()
    expect(of('engines')[0]?.message).toContain('another kind of server answers there')
    expect(code).toBe(1)
  })

  it('asks all servers that the settings name before the first start, and says why each is away', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-servers-'))
    const port = await freePort()
    const { code, of, errors } = await examine(dataDir, {
      EVENTSTORE_URL: `esdb://a:hidden@127.0.0.1:${port}`,
      MONGODB_URL: `mongodb://a:hidden@127.0.0.1:${port}/site`,
      REDIS_URL: `redis://:hidden@nowhere.invalid:${port}`,
      SECRET: 'a secret that is only used by this test',
    })
    await rm(dataDir, { recursive: true })
    const away = (server: string, cause: string) => ({
      check: 'engines',
      level: 'problem',
      message: expect.stringContaining(
        `${server} does not answer: start it, or mend its address (${cause}`,
      ) as string,
    })
    expect(of('engines')).toEqual([
      away('EventStoreDB (EVENTSTORE_URL)', `127.0.0.1:${port}: connection refused)`),
      away('MongoDB (MONGODB_URL)', `127.0.0.1:${port}: connection refused)`),
      away('Redis (REDIS_URL)', `nowhere.invalid:${port}: the name of the host `),
    ])
    expect(JSON.stringify(of('engines'))).not.toContain('hidden')
    expect(errors).toBe('')
    expect(code).toBe(1)
  })

  it('names work that failed for good, with the way to try it again, and exits 1', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-jobs-'))
    const own = await startSite({ dataDir })
    await own.stop()
    const data = new DatabaseSync(join(dataDir, 'atelier.db'))
    data.exec(
      `INSERT INTO jobs (id, name, data, subject_id, state, reason, run_at)
       VALUES ('process-image-e', 'process-image', '{"hash":"h"}', 'h', 'parked', 'the picture is damaged', 0)`,
    )
    data.close()
    const { code, of } = await examine(dataDir)
    expect(of('jobs')).toEqual([
      {
        check: 'jobs',
        level: 'problem',
        message: expect.stringContaining('"atelier jobs retry process-image-e"'),
      },
    ])
    expect(of('jobs')[0]?.message).toContain('the picture is damaged')
    expect(code).toBe(1)
    await rm(dataDir, { recursive: true })
  })

  it('says of a picture whose sizes are there that no failed job hinders it, and exits 0', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-jobs-'))
    const own = await startSite({ dataDir })
    const blob = await openAsBlob(join(import.meta.dirname, '../samples/indigo.jpg'))
    const { imageUrl } = await upload(own, await signIn(own), blob)
    const hash = /[0-9a-f]{64}/.exec(imageUrl)?.[0] ?? ''
    const read = new DatabaseSync(join(dataDir, 'atelier.db'), { readOnly: true })
    const made = read.prepare("SELECT 1 FROM events WHERE type = 'ImageProcessed' AND stream = ?")
    await expect.poll(() => made.get(`image-${hash}`)).toBeDefined()
    read.close()
    await own.stop()
    const data = new DatabaseSync(join(dataDir, 'atelier.db'))
    data
      .prepare(
        `INSERT INTO jobs (id, name, data, subject_id, state, reason, run_at)
         VALUES ('process-image-e', 'process-image', ?, ?, 'parked', 'the original was gone', 0)`,
      )
      .run(JSON.stringify({ hash }), hash)
    data.close()
    const { code, of } = await examine(dataDir)
    await rm(dataDir, { recursive: true })
    const message = expect.stringContaining(`The picture ${hash} has its sizes`)
    expect([code, of('jobs')]).toEqual([0, [{ check: 'jobs', level: 'hint', message }]])
  })

  it('calls sizes that were to be made anew, and were not, no sizes that were never made', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-jobs-'))
    const own = await startSite({ dataDir })
    const blob = await openAsBlob(join(import.meta.dirname, '../samples/indigo.jpg'))
    const { imageUrl } = await upload(own, await signIn(own), blob)
    const hash = /[0-9a-f]{64}/.exec(imageUrl)?.[0] ?? ''
    const read = new DatabaseSync(join(dataDir, 'atelier.db'), { readOnly: true })
    const ended = read.prepare('SELECT count(*) AS n FROM events WHERE type IN (?, ?)')
    const made = () => ended.get('ImageProcessed', 'EnquiryMailSkipped')?.['n']
    await expect.poll(made).toBe(1)
    // Behind it, so that the queue has come past it.
    const message = { name: 'Asha', email: 'asha@example.org', subject: 'general', message: 'Hello' }
    const headers = { 'content-type': 'application/json' }
    await fetch(`${own.url}/api/contact`, { method: 'POST', headers, body: JSON.stringify(message) })
    await expect.poll(made).toBe(2)
    read.close()
    await own.stop()
    const data = new DatabaseSync(join(dataDir, 'atelier.db'))
    // As it stands where making them again was not noted, or not done, and the queue has forgotten it.
    data
      .prepare(
        "UPDATE events SET type = 'ImageReprocessingRequested', data = ? WHERE type = 'ImageProcessed'",
      )
      .run(JSON.stringify({ hash }))
    data.exec('DELETE FROM jobs')
    data.close()
    const { code, of } = await examine(dataDir)
    await rm(dataDir, { recursive: true })
    expect([code, of('jobs').filter(({ level }) => level !== 'ok')]).toEqual([
      0,
      [
        {
          check: 'jobs',
          level: 'hint',
          message: expect.stringMatching(/were to be made anew.*"atelier jobs resume"/),
        },
      ],
    ])
  })

  it('names work that waits to be tried again, with the reason, and exits 0', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-jobs-'))
    await (await startSite({ dataDir })).stop()
    const data = new DatabaseSync(join(dataDir, 'atelier.db'))
    data.exec(
      `INSERT INTO jobs (id, name, data, subject_id, state, reason, run_at)
       VALUES ('process-image-e', 'process-image', '{"hash":"h"}', 'h', 'waiting', 'MongoDB does not answer', 0),
              ('process-image-f', 'process-image', '{"hash":"i"}', 'i', 'waiting', NULL, 0)`,
    )
    data.close()
    const { code, of } = await examine(dataDir)
    await rm(dataDir, { recursive: true })
    const message = expect.stringMatching(
      /^1 job waits to be tried again, .*process-image \(MongoDB does not answer\)/,
    )
    expect([code, of('jobs')]).toEqual([0, [{ check: 'jobs', level: 'hint', message }]])
  })

  it('says that a sync waits to be gone on with, not how the one before it failed', async () => {
    const blog = await startTestBlog()
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-sync-'))
    await (await startSite({ dataDir })).stop()
    const data = new DatabaseSync(join(dataDir, 'atelier.db'))
    const doc = {
      id: 'blog-sync',
      runId: null,
      endedRunId: 'one',
      error: 'The blog was away',
      finishedAt: 'then',
    }
    const put = (change: object) =>
      data
        .prepare(`INSERT OR REPLACE INTO "view_blog-sync_v1" (id, doc) VALUES ('blog-sync', ?)`)
        .run(JSON.stringify({ ...doc, ...change }))
    const settings = { BLOG_URL: blog.url, FETCH_ALLOW_PRIVATE: '1' }

    put({})
    const failed = await examine(dataDir, settings)
    const itsError = { level: 'problem', message: expect.stringContaining('The blog was away') }
    expect([failed.code, failed.of('blog')]).toMatchObject([1, [itsError]])

    put({ runId: 'two' })
    data.exec(
      `INSERT INTO jobs (id, name, data, subject_id, state, reason, run_at)
       VALUES ('sync-blog-e', 'sync-blog', '{"runId":"two"}', 'two', 'waiting', 'The server ended.', 0)`,
    )
    data.close()
    const going = await examine(dataDir, settings)
    await rm(dataDir, { recursive: true })
    await blog.close()
    const message =
      'The blog answers, and a sync that has begun waits to be gone on with by the server (The server ended)'
    expect([going.code, going.of('blog')]).toEqual([0, [{ check: 'blog', level: 'ok', message }]])
  })

  it.each([
    ['the queue was emptied', 'DELETE FROM jobs'],
    ['the queue has it as done', "UPDATE jobs SET state = 'done'"],
  ])('names a letter that nobody mails any more, as %s, until its job is queued again', async (_, become) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-lost-'))
    const own = await startSite({ dataDir })
    const message = { name: 'Asha', email: 'asha@example.org', subject: 'general', message: 'Hello' }
    const sent = await fetch(`${own.url}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    })
    expect(sent.status).toBe(201)
    const read = new DatabaseSync(join(dataDir, 'atelier.db'), { readOnly: true })
    const ended = read.prepare("SELECT 1 FROM events WHERE type = 'EnquiryMailSkipped'")
    await expect.poll(() => ended.get()).toBeDefined()
    read.close()
    await own.stop()
    const data = new DatabaseSync(join(dataDir, 'atelier.db'))
    // As if it had not ended.
    data.exec("UPDATE events SET type = 'MessageMarkedRead', data = '{}' WHERE type = 'EnquiryMailSkipped'")
    data.exec(become)
    data.close()
    const { code, of } = await examine(dataDir)
    expect(of('jobs').filter(({ level }) => level === 'problem')).toEqual([
      {
        check: 'jobs',
        level: 'problem',
        message: expect.stringMatching(/message \S+ was received and never mailed.*"atelier jobs resume"/),
      },
    ])
    expect(code).toBe(1)
    const resumed = spawn(process.execPath, [cli, 'jobs', 'resume'], {
      cwd: dataDir,
      env: { ...bare, DATA_DIR: dataDir },
    })
    const [words] = await Promise.all([text(resumed.stdout), once(resumed, 'exit')])
    expect(words).toContain('1 job that the log shows begun and not ended')
    expect((await examine(dataDir)).code).toBe(0)
    await rm(dataDir, { recursive: true })
  })

  it('names an original that was shortened, and exits 1', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-cut-'))
    const own = await startSite({ dataDir })
    const image = join(import.meta.dirname, '../src/infrastructure/images/test-data/cmyk-patches.jpg')
    const { imageUrl } = await upload(own, await signIn(own), await openAsBlob(image))
    await own.stop()
    const hash = imageUrl.split('/')[2] ?? ''
    await truncate(join(dataDir, 'files', 'originals', hash), 100)
    const { code, of } = await examine(dataDir)
    expect(of('pictures').map(({ message }) => message)).toEqual([
      expect.stringContaining(`originals/${hash} (cut)`),
    ])
    expect(code).toBe(1)
    await rm(dataDir, { recursive: true })
  })

  it('names a letter whose key is lost until the operator has counted it as erased', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-letters-'))
    const own = await startSite({ dataDir })
    const message = { name: 'Asha', email: 'asha@example.org', subject: 'general', message: 'Rain?' }
    for (let n = 0; n < 2; n += 1) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(message)
      expect((await fetch(`${own.url}/api/contact`, { method: 'POST', headers, body })).status).toBe(201)
    }
    await own.stop()
    const data = new DatabaseSync(join(dataDir, 'atelier.db'))
    data.exec('DELETE FROM vault_keys WHERE subject_id = (SELECT min(subject_id) FROM vault_keys)')
    data.close()
    const lost = await examine(dataDir)
    expect(lost.of('letters').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^1 letter, .* its key is lost\. Restore .*"atelier events accept --letters"/),
    ])
    expect(lost.code).toBe(1)

    const looked = await atelier(dataDir, ['events', 'accept'])
    expect([looked.code, looked.output]).toEqual([0, expect.stringContaining('accept --letters"')])
    expect((await examine(dataDir)).code).toBe(1)
    const accepted = await atelier(dataDir, ['events', 'accept', '--letters'])
    expect([accepted.code, accepted.output]).toEqual([0, expect.stringContaining('1 letter, of ')])
    expect(await examine(dataDir)).toMatchObject({ code: 0 })
    const again = await atelier(dataDir, ['events', 'accept', '--letters'])
    expect(again.output).toContain('there is nothing to accept')

    const after = await startSite({ dataDir })
    const headers = { cookie: await signIn(after) }
    const listed = await (await fetch(`${after.url}/api/contact-messages`, { headers })).text()
    expect(listed.match(/Rain\?/g)).toHaveLength(1)
    await after.stop()
    await rm(dataDir, { recursive: true })
  })

  it('says how a site whose secret is lost goes on elsewhere without a backup, but for its letters', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-doctor-secret-'))
    const [dataDir, other, exported] = ['former', 'other', 'log'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    const own = await startSite({ dataDir })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({
      name: 'Asha',
      email: 'asha@example.org',
      subject: 'general',
      message: 'Rain?',
    })
    expect((await fetch(`${own.url}/api/contact`, { method: 'POST', headers, body })).status).toBe(201)
    const artworks = await (await fetch(`${own.url}/api/artworks`)).json()
    await own.stop()
    await rm(join(dataDir, 'secret'))
    const wayOn =
      /"atelier events export" under any SECRET .* but for the letters: .* "atelier events accept --letters"/
    expect((await atelier(dataDir, ['doctor'])).errors).toMatch(wayOn)

    const secret = { SECRET: 'another secret of thirty-two characters' }
    await expect(startSite({ dataDir, env: secret })).rejects.toThrow(wayOn)
    expect((await atelier(dataDir, ['doctor'], '', secret)).errors).toMatch(wayOn)
    expect(await atelier(dataDir, ['backup', `${exported}.tar`], '', secret)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(wayOn),
    })
    expect(await atelier(dataDir, ['events', 'export', exported], '', secret)).toMatchObject({ code: 0 })
    expect(await atelier(other, ['events', 'import', exported])).toMatchObject({ code: 0 })
    await cp(join(dataDir, 'files'), join(other, 'files'), { recursive: true })
    expect(await atelier(other, ['events', 'accept', '--letters'])).toMatchObject({ code: 0 })
    const goesOn = await startSite({ dataDir: other })
    expect(await (await fetch(`${goesOn.url}/api/artworks`)).json()).toEqual(artworks)
    await goesOn.stop()
    expect((await examine(other)).of('pictures')).toEqual([])
    expect(await atelier(other, ['doctor'])).toMatchObject({ code: 0 })
    await rm(folder, { recursive: true })
  })

  it('names a damaged page that nobody has asked for yet', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-damaged-'))
    try {
      await (await startSite({ dataDir })).stop()
      const file = join(dataDir, 'atelier.db')
      const data = new DatabaseSync(file)
      const number = (sql: string, name: string): number => Number(data.prepare(sql).get()?.[name])
      const page = number("SELECT rootpage FROM sqlite_schema WHERE name = 'sessions'", 'rootpage')
      const size = number('PRAGMA page_size', 'page_size')
      data.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      data.close()
      const handle = await open(file, 'r+')
      await handle.write(Buffer.alloc(size, 'x'), 0, size, (page - 1) * size)
      await handle.close()
      const { code, of } = await examine(dataDir)
      expect([code, of('engines').map(({ level }) => level)]).toEqual([1, ['ok', 'problem']])
      expect(of('engines').at(-1)?.message).toContain('What "atelier backup FILE" still takes may be whole')
      // So it is: of the sessions no backup takes anything.
      const archive = join(dataDir, 'site.tar')
      expect(await atelier(dataDir, ['backup', archive])).toMatchObject({ code: 0 })
      const anew = join(dataDir, 'anew')
      expect(await atelier(anew, ['restore', archive])).toMatchObject({ code: 0 })
      await (await startSite({ dataDir: anew })).stop()
      expect(await examine(anew)).toMatchObject({ code: 0 })
    } finally {
      await rm(dataDir, { recursive: true })
    }
  })

  it.each([
    ['its text', 'data = substr(data, 2)'],
    ['its type, of which no view hears', "type = 'ArtworkAddec'"],
  ])(
    'names an event that nobody can read, for %s has rotted, and verify advises no rebuild',
    async (_, rot) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-event-'))
      await startSite({ dataDir, env: { SAMPLES: 'auto' } }).then((first) => first.stop())
      const data = new DatabaseSync(join(dataDir, 'atelier.db'))
      const first = "(SELECT min(position) FROM events WHERE type = 'ArtworkAdded')"
      data.exec(`UPDATE events SET ${rot} WHERE position = ${first}`)
      data.close()
      const { code, of } = await examine(dataDir)
      expect(code).toBe(1)
      expect(of('log').map(({ message }) => message)).toEqual([
        expect.stringMatching(/^An event of the log cannot be read: .* Restore the newest backup/),
      ])
      // Its other checks say what follows from it, and the advice stands once.
      for (const check of ['views', 'pictures'])
        for (const { message } of of(check)) expect(message).not.toContain('Restore')
      const { output, errors } = await atelier(dataDir, ['projections', 'verify', '--all'])
      expect(output + errors).toContain('rebuild no view until then')
      expect(output + errors).not.toContain('builds them anew')
      await rm(dataDir, { recursive: true })
    },
  )

  it('names views that stand where the log has never been', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-ahead-'))
    await startSite({ dataDir, env: { SAMPLES: 'auto' } }).then((first) => first.stop())
    const data = new DatabaseSync(join(dataDir, 'atelier.db'))
    data.exec("UPDATE view_checkpoints SET position = '9999999999999999'")
    data.close()
    const { code, of } = await examine(dataDir)
    expect(of('views').map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^artworks .* at 9999999999999999/),
    )
    expect(code).toBe(1)
    await rm(dataDir, { recursive: true })
  })

  it('names what of a view cannot be read, which lists leave out meanwhile', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-views-'))
    await startSite({ dataDir, env: { SAMPLES: 'auto' } }).then((first) => first.stop())
    const data = new DatabaseSync(join(dataDir, 'atelier.db'))
    const tables = data.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    const table = tables.map(({ name }) => String(name)).find((name) => name.startsWith('view_categories'))
    const before = Number(data.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.['n'])
    data.exec(`UPDATE "${table}" SET doc = '{"id":' WHERE id = (SELECT min(id) FROM "${table}")`)
    data.close()
    const own = await startSite({ dataDir })
    try {
      const answer = await fetch(`${own.url}/api/categories`)
      expect(await answer.json()).toHaveLength(before - 1)
      const { code, of } = await examine(dataDir)
      expect(of('views').map(({ message }) => message)).toEqual([
        expect.stringContaining('"atelier projections rebuild categories"'),
      ])
      expect(code).toBe(1)
    } finally {
      await own.stop()
      await rm(dataDir, { recursive: true })
    }
  })

  it('finds secrets that others can read, and data of a newer version', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-doctor-'))
    const own = await startSite({ dataDir })
    await own.stop()
    expect((await examine(dataDir)).code).toBe(0)
    await chmod(dataDir, 0o755)
    await chmod(join(dataDir, 'secret'), 0o644)
    const data = new DatabaseSync(join(dataDir, 'atelier.db'))
    data.exec('PRAGMA user_version = 999')
    data.close()
    const { code, of } = await examine(dataDir)
    expect(of('secrets').map(({ message }) => message)).toContainEqual(
      expect.stringContaining(`chmod 600 ${join(dataDir, 'secret')}`),
    )
    expect(of('engines')).toEqual([
      { check: 'engines', level: 'problem', message: expect.stringContaining('newer Atelier') },
    ])
    expect(code).toBe(1)
    await rm(dataDir, { recursive: true })
  })
})
