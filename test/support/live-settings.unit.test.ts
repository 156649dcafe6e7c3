import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { leadingOut, refuseLiveSettings } from './live-settings.ts'

it.each([
  ['MONGODB_URL=mongodb://db.example/atelier\n', ['MONGODB_URL']],
  ['export SMTP_URL_FILE="/run/secrets/mail"\r\nPORT=80', ['SMTP_URL_FILE']],
  ['#REDIS_URL=redis://redis\nEVENTSTORE_URL=\nSECRET=a', []],
])('%j leads to %j', (text, names) => expect(leadingOut(text)).toEqual(names))

it('tests are refused beside the settings of a site, and by nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-live-'))
  const look = () => refuseLiveSettings(folder)
  try {
    expect(look).not.toThrow()
    writeFileSync(join(folder, '.env'), 'PORT=3001\n')
    expect(look).not.toThrow()
    writeFileSync(join(folder, '.env'), 'BACKUP_DIR=/var/backups/atelier\n')
    expect(look).toThrow('BACKUP_DIR in .env')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
