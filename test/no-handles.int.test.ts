import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { openAsBlob } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '#infrastructure/testing/free-port.ts'
import { handlesOf } from './support/handles.ts'
import { type Site, signIn, startSite } from './support/site.ts'
import { upload } from './support/upload.ts'

const image = join(import.meta.dirname, '../src/infrastructure/images/test-data/cmyk-patches.jpg')

let site: Site
let cookie: string
let handles: ReturnType<typeof handlesOf>
/** A connection that was opened before: no new one is taken in while there are no handles. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
beforeAll(async () => {
  site = await startSite({ env: { LOG_LEVEL: 'debug' } })
  handles = handlesOf(String(site.process.pid))
  cookie = await signIn(site)
  const whole = 'All parts of the program are loaded'
  await vi.waitUntil(() => site.output().includes(whole), { timeout: 60_000 })
})
afterAll(async () => {
  agent.destroy()
  await site?.stop()
})

/** Asks over the connection that is open. @returns status and text; null when the connection was broken */
const asked = (
  method: string,
  path: string,
  body?: Response,
): Promise<{ readonly status: number; readonly text: string } | null> => {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof asked>>>()
  const type = body?.headers.get('content-type')
  const headers = { cookie, ...(type == null ? {} : { 'content-type': type }) }
  const sent = request(site.url + path, { method, agent, headers }, (response) => {
    buffer(response).then(
      (bytes) => resolve({ status: response.statusCode ?? 0, text: String(bytes) }),
      () => resolve(null),
    )
  })
  sent.once('error', () => resolve(null))
  void (body?.arrayBuffer() ?? Promise.resolve(null)).then((bytes) =>
    bytes === null ? sent.end() : sent.end(Buffer.from(bytes)),
  )
  return promise
}
const ask = async (method: string, path: string, body?: object): Promise<number | null> =>
  (await asked(method, path, body && Response.json(body)))?.status ?? null

const rain = { name: 'Ravi', email: 'ravi@example.org', subject: 'general', message: 'Rain?' }
// No page was asked for before.
const reading = ['/', '/api/artworks', '/healthz', '/readyz', '/admin', '/feed.xml', '/metrics'] as const
const all = async (paths: readonly string[]) => {
  const found: (readonly [string, number | null])[] = []
  for (const path of paths) found.push([path, await ask('GET', path)])
  return found
}

describe('a running server without file handles', () => {
  it('serves what it holds, takes letters, refuses pictures in words, and is as before once there are handles', async () => {
    const blob = await openAsBlob(image, { type: 'image/jpeg' })
    const usual = await handles.most()
    // The connection that all of this goes over.
    expect(await ask('GET', '/healthz')).toBe(200)

    const free = await handles.free()
    await handles.allow(free)
    expect(await all(reading)).toEqual(reading.map((path) => [path, 200]))
    expect(await ask('POST', '/api/categories', { name: 'Rain' })).toBe(201)
    expect(await ask('POST', '/api/contact', rain)).toBe(201)
    // One that was open for a moment when they were counted may be free by now.
    await handles.allow(await handles.free())
    const form = new FormData()
    form.append('image', blob, 'picture.jpg')
    expect(await asked('POST', '/api/upload/image', new Response(form))).toEqual({
      status: 503,
      text: expect.stringContaining('too many files open'),
    })
    // A file that nobody holds: its reader is told.
    expect(await ask('GET', '/favicon.svg')).toBe(503)
    expect(site.process.exitCode).toBeNull()

    await handles.allow(usual)
    expect(await all([...reading, '/favicon.svg'])).toEqual(
      [...reading, '/favicon.svg'].map((path) => [path, 200]),
    )
    expect((await upload(site, cookie, blob)).width).toBeGreaterThan(0)
    expect(site.process.exitCode).toBeNull()
  })
})

describe('a start with few file handles', () => {
  const main = join(import.meta.dirname, '../src/main.ts')
  /** With fewer, Node itself ends before it comes to the program. */
  it.each([28, 40, 60])('is refused in words with %i', async (most) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-few-handles-'))
    const child = spawn('sh', ['-c', `ulimit -n ${most}; exec "$0" "$1"`, process.execPath, main], {
      cwd: dataDir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], DATA_DIR: join(dataDir, 'data'), PORT: String(await freePort()) },
    })
    const [words, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect([code, words]).toEqual([
      1,
      expect.stringMatching(/Only \d+ more files and connections may be opened.*ulimit -n 1024/),
    ])
    await rm(dataDir, { recursive: true })
  })

  it('works with little more than the least, and serves its readers', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-few-handles-'))
    const port = await freePort()
    const child = spawn('sh', ['-c', 'ulimit -n 100; exec "$0" "$1"', process.execPath, main], {
      cwd: dataDir,
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: join(dataDir, 'data'),
        PORT: String(port),
        SAMPLES: 'off',
        ADMIN_PASSWORD: 'a password of a test',
      },
    })
    const ended = once(child, 'exit')
    // Also where the test fails.
    onTestFinished(() => void child.kill('SIGKILL'))
    const statusOf = async (path: string): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      await answer.arrayBuffer()
      return answer.status
    }
    await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(200), {
      timeout: 60_000,
      interval: 50,
    })
    const paths = ['/', '/api/artworks', '/admin', '/favicon.svg', '/healthz']
    for (let round = 0; round < 10; round += 1)
      expect(await Promise.all(paths.map(statusOf))).toEqual(paths.map(() => 200))
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    await rm(dataDir, { recursive: true })
  })
})
