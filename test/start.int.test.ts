import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '#infrastructure/testing/free-port.ts'
import { type Site, startSite } from './support/site.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'atelier-first-'))
afterAll(async () => rm(dataDir, { recursive: true, force: true }))

const someFile = (): boolean =>
  existsSync(join(dataDir, 'files')) &&
  readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).some((file) => file.isFile())

const patient = { timeout: 60_000, interval: 20 }

describe('the first password', () => {
  it('is printed once, by the next start when the first one was cut off before', async () => {
    // No password given: the site makes one up. Images of the samples show that the start is half-way.
    const cut = await startSite({
      dataDir,
      env: { ADMIN_PASSWORD: '', SAMPLES: 'auto' },
      until: '/healthz',
    })
    await vi.waitFor(() => expect(someFile()).toBe(true), patient)
    const gone = once(cut.process, 'exit')
    cut.process.kill('SIGKILL')
    await gone
    expect(cut.output()).not.toContain('password')

    const second = await startSite({ dataDir, env: { ADMIN_PASSWORD: '' } })
    await vi.waitFor(() => expect(second.output()).toContain('Atelier is open'), patient)
    await vi.waitFor(() => expect(second.output()).toMatch(/"password":"\S{19}"/), patient)
    await second.stop()

    const third = await startSite({ dataDir, env: { ADMIN_PASSWORD: '' } })
    await vi.waitFor(() => expect(third.output()).toContain('Atelier is open'), patient)
    await third.stop()
    expect(third.output()).not.toContain('password')
  })
})

describe('a start whose log is away', () => {
  it('waits, says once why of every server, and answers that it is not ready', async () => {
    const [log, redis] = [await freePort(), await freePort()]
    const env = {
      EVENTSTORE_URL: `esdb://admin:hidden@127.0.0.1:${log}`,
      REDIS_URL: `redis://:hidden@127.0.0.1:${redis}`,
    }
    const site = await startSite({ env, until: '/healthz' })
    const words =
      'The start waits for a server. ' +
      `EventStoreDB (EVENTSTORE_URL): 127.0.0.1:${log}: connection refused. ` +
      `Redis (REDIS_URL): 127.0.0.1:${redis}: connection refused`
    await vi.waitFor(() => expect(site.output()).toContain(words), patient)
    const ready = await fetch(`${site.url}/readyz`)
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('starting')])
    expect((await fetch(site.url)).status).toBe(503)
    expect(site.output()).not.toMatch(/hidden|UNAVAILABLE/)
    await site.stop()
    expect(site.process.exitCode).toBe(0)
  })
})

describe('a start without the settings of npm start', () => {
  it('keeps no compiled code where anybody may put some', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'atelier-temporary-'))
    const site = await startSite({ env: { NODE_COMPILE_CACHE: '', TMPDIR: temporary } })
    await site.stop()
    expect(readdirSync(temporary)).not.toContain('node-compile-cache')
    await rm(temporary, { recursive: true })
  })
})

describe('a start that cannot go on', () => {
  it.each([
    [
      'the first password is a common one',
      { ADMIN_PASSWORD: 'Password1' },
      /cannot start.*\n.*ADMIN_PASSWORD is among/,
    ],
    ['the address is none of this machine', { HOST: '192.0.2.1' }, /cannot start. HOST 192\.0\.2\.1/],
  ])('names the setting: %s', async (_, env, words) => {
    await expect(startSite({ env })).rejects.toThrow(words)
  })
})

describe('a running server', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ env: { FETCH_ALLOW_PRIVATE: '1' } })
  })
  afterAll(async () => site.stop())

  it('has warned that private addresses may be fetched', async () => {
    await expect.poll(() => site.output()).toMatch(/"level":40.*FETCH_ALLOW_PRIVATE/)
  })

  it('has its data folder for itself', async () => {
    await expect(startSite({ dataDir: site.dataDir })).rejects.toThrow(
      /is in use by another Atelier, a server or an operator’s command/,
    )
  })

  it('outlives the terminal that it was begun on, where it was led elsewhere as by nohup', async () => {
    site.process.kill('SIGHUP')
    expect((await fetch(`${site.url}/`)).status).toBe(200)
  })

  it('ends with 0 on a signal, whatever signal follows', async () => {
    const gone = once(site.process, 'exit')
    site.process.kill('SIGINT')
    site.process.kill('SIGTERM')
    expect(await gone).toEqual([0, null])
  })

  it('answers what is open, and ends with 0, however often it is asked to end meanwhile', async () => {
    const own = await startSite()
    const open = connect(Number(new URL(own.url).port), '127.0.0.1')
    const length = 'content-type: application/json\r\ncontent-length: 2'
    open.write(`POST /api/contact HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n${length}\r\n\r\n{`)
    expect(String(await once(open, 'data'))).toContain('100 Continue')
    const ended = once(own.process, 'exit')
    // Longer than one press of keys lasts, however it is passed on.
    for (let signals = 0; signals < 40; signals += 1) {
      own.process.kill('SIGTERM')
      await sleep(100)
    }
    open.write('}')
    const [answer] = await once(open, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 4/)
    expect(await ended).toEqual([0, null])
    await own.stop()
  })
})
