import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { finished } from 'node:stream/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#infrastructure/clock.ts'
import { readKeys, writeKeys } from '#infrastructure/archive/keys-file.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { openWebSite, type WebSite } from '../../../../test/support/web-site.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const message = {
  name: 'Asha Rao',
  email: 'asha@example.org',
  subject: 'purchase',
  message: 'Is Haldi still free?',
}

describe('an erasure', () => {
  let dataDir: string
  let site: WebSite
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'atelier-erasing-'))
    site = await openWebSite({ dataDir })
  })
  afterEach(async () => {
    await site.close()
    await rm(dataDir, { recursive: true })
  })

  const received = async (headers: Readonly<Record<string, string>> = {}): Promise<string> => {
    expect((await site.visitor().call('sendEnquiry', { body: message, headers })).status).toBe(201)
    return (await (await site.owner()).call('listContactMessages')).json[0].id
  }
  const listed = async () => (await (await site.owner()).call('listContactMessages')).json
  const withVault = async (work: (engines: Awaited<ReturnType<typeof openEmbedded>>) => Promise<void>) => {
    await site.close()
    const engines = await openEmbedded({ dataDir, secret: null, clock: systemClock, log: silent })
    await work(engines)
    await engines.close()
  }

  it('that meets a long reader is listed as being erased, and finished when that has ended', async () => {
    const id = await received()
    const reader = new DatabaseSync(join(dataDir, 'atelier.db'))
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM vault_keys').get()
    const owner = await site.owner()
    const again = { params: { id }, headers: { 'idempotency-key': 'erase it once' } }
    expect((await owner.call('deleteMessage', again)).status).toBe(202)
    expect((await owner.call('deleteMessage', again)).status).toBe(202)
    expect(await listed()).toEqual([
      expect.objectContaining({ id, erasing: true, name: '', email: '', message: '' }),
    ])
    reader.exec('COMMIT')
    reader.close()
    await expect.poll(listed).toEqual([])
    // The answer to the first request may have been lost: its repeat is told that it was done.
    for (let times = 0; times < 2; times += 1)
      expect((await owner.call('deleteMessage', again)).status).toBe(204)
    expect((await owner.call('deleteMessage', { params: { id } })).status).toBe(404)
  })

  it('whose process was killed in the middle goes on after the next start, in the keys of the night too', async () => {
    const id = await received()
    const backups = join(dataDir, 'backups-of-the-test')
    const keys = join(backups, 'atelier-20260101T030000Z.tar.keys')
    await withVault(async ({ keyVault }) => {
      await mkdir(backups)
      const out = createWriteStream(keys)
      await writeKeys(await keyVault.takeOut(), '2026-01-01T03:00:00.000Z', out)
      out.end()
      await finished(out)
      await keyVault.erase(id)
    })
    expect((await readKeys(keys)).keys.map(({ subjectId }) => subjectId)).toEqual([id])
    site = await openWebSite({ dataDir, settings: { BACKUP_DIR: backups } })
    await expect.poll(listed).toEqual([])
    await expect
      .poll(() => readKeys(keys))
      .toMatchObject({ keys: [], erasedIds: [id], createdAt: '2026-01-01T03:00:00.000Z' })
  })

  it('leaves no fingerprint by which its words could be tried out', async () => {
    await received({ 'idempotency-key': 'once' })
    const hashes = new DatabaseSync(join(dataDir, 'atelier.db'), { readOnly: true })
    const rows = hashes.prepare('SELECT body_hash FROM idempotency_keys').all()
    hashes.close()
    expect(rows).toHaveLength(1)
    const bytes = new TextEncoder().encode(JSON.stringify([message, null]))
    const plain = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
    expect(rows[0]?.['body_hash']).toMatch(/^[0-9a-f]{64}$/)
    expect(rows[0]?.['body_hash']).not.toBe(plain)
  })
})
