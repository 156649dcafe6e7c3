import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../src/operator/doctor-checks.ts'
import { freePort } from '#infrastructure/testing/free-port.ts'
import { type Site, startSite } from './support/site.ts'

const cli = join(import.meta.dirname, '../src/cli.ts')

const examine = async (dataDir: string, env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, [cli, 'doctor', '--json'], {
    // Not where this repository may have a .env of its own.
    cwd: dataDir,
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env },
  })
  const [output, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'exit') as Promise<[number | null]>, // as Node gives it
  ])
  const { ok, data } = JSON.parse(output) as { ok: boolean; data: readonly Finding[] }
  const of = (check: string) => data.filter((finding) => finding.check === check)
  return { code, ok, of, levels: data.map(({ check, level }) => `${check} ${level}`) }
}

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
    expect(levels.toSorted()).toEqual([...well, 'blog hint', 'backup hint', 'mail hint'].toSorted())
    expect([ok, code]).toEqual([true, 0])
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

  it('names a server that does not answer', { timeout: 60_000 }, async () => {
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
