import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { refuseLiveSettings } from './live-settings.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-live-'))
})
afterEach(() => rm(folder, { recursive: true }))
const look = () => refuseLiveSettings(folder)

it('tests go on where there are no settings', () => expect(look).not.toThrow())

it.each(['PORT=3001\n', '#REDIS_URL=redis://redis\nEVENTSTORE_URL=\nSECRET=a'])(
  'tests go on beside %j',
  async (text) => {
    await writeFile(join(folder, '.env'), text)
    expect(look).not.toThrow()
  },
)

it.each([
  ['MONGODB_URL=mongodb://db.example/atelier\n', 'MONGODB_URL in .env'],
  ['\uFEFFBACKUP_DIR=/var/backups/atelier\n', 'BACKUP_DIR in .env'],
  ['export SMTP_URL_FILE="/run/secrets/mail"\r\nPORT=80', 'SMTP_URL_FILE in .env'],
])('tests are refused beside %j', async (text, words) => {
  await writeFile(join(folder, '.env'), text)
  expect(look).toThrow(words)
})
