import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { handlesOf } from './support/handles.ts'
import { startSite } from './support/site.ts'

const quick = join(import.meta.dirname, 'support', 'quick-looks.mjs')

/** The status over one connection, which is kept; null when it was broken. */
const statusOver = (agent: Agent, url: string): Promise<number | null> =>
  new Promise((resolve) => {
    request(url, { agent }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? null))
    })
      .once('error', () => resolve(null))
      .end()
  })

it('stands through everything that it does every so often, when there is no file handle for it', async () => {
  const backups = await mkdtemp(join(tmpdir(), 'atelier-looks-'))
  const site = await startSite({
    env: { NODE_OPTIONS: `--import=${quick}`, LOG_LEVEL: 'debug', BACKUP_DIR: backups, BACKUP_CHECK: '1' },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(async () => {
    agent.destroy()
    await site.stop()
    await rm(backups, { recursive: true })
  })
  await vi.waitUntil(() => site.output().includes('All parts of the program are loaded'), { timeout: 60_000 })
  const healthy = () => statusOver(agent, `${site.url}/healthz`)
  expect(await healthy()).toBe(200)

  const handles = handlesOf(String(site.process.pid))
  const usual = await handles.most()
  let most = usual
  // Again and again: what was open just then, as a backup under way, leaves its place to others.
  const allowNoMore = async (): Promise<void> => {
    most = Math.min(most, await handles.free())
    await handles.allow(most)
  }
  const words = [
    'How much memory is used cannot be told just now',
    'the sweep broke off; the next one goes on',
  ]
  const isTold = (): boolean => words.every((each) => site.output().includes(each))
  for (const end = performance.now() + 60_000; !isTold() && performance.now() < end; ) {
    await allowNoMore()
    // Nobody takes it in; the system closes it, or the server is told of a failure.
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1').on('error', () => undefined)
    await pause(100)
    socket.destroy()
    expect([await healthy(), site.process.exitCode, site.process.signalCode]).toEqual([200, null, null])
  }
  for (const each of words) expect(site.output()).toContain(each)
  expect(site.output()).not.toContain('Cannot read properties')

  await handles.allow(usual)
  await vi.waitFor(async () => expect((await fetch(`${site.url}/readyz`)).status).toBe(200), {
    timeout: 60_000,
  })
})
