import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import type { Config } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { checkContact, checkModes, checkRoom, clocksInWords } from './doctor-checks.ts'

it('names each server whose clock is more than a minute off this machine’s', () => {
  expect(
    clocksInWords([
      { kind: 'mongodb', aheadMs: 59_000 },
      { kind: 'redis', aheadMs: -90_400 },
    ]).map(({ check, level, message }) => [check, level, message.split('. ')[0]]),
  ).toEqual([['clock', 'problem', "The clock of Redis is 90 s behind this machine's"]])
  expect(clocksInWords([{ kind: 'mongodb', aheadMs: 3_600_000 }])[0]?.message).toContain('3600 s ahead of')
})

it.each([
  [null, true],
  ['her@example.org', false],
])('says that no letter is mailed while no address is known, with MAIL_TO %s', async (mailTo, isSaid) => {
  // Of engines it asks for the views alone.
  const engines = { documents: memoryDocuments() } as unknown as Engines
  const settings = { publicUrl: 'https://leela.example', smtpUrl: 'smtp://mail.example', mailTo }
  const [found] = await checkContact(engines, settings)
  expect(found?.message.includes('no letter is mailed until then')).toBe(isSaid)
})

describe('the disk of MongoDB', () => {
  const found = (free: number | null, mongodbUrl: string | null = 'mongodb://a/b') =>
    // Of engines it asks for the room, of the settings whose that is.
    checkRoom({ freeBytes: async () => free } as unknown as Engines, { mongodbUrl } as Config)

  it('is a problem where little is left, and no word where much is, or nothing is told', async () => {
    expect(await found(499_000_000)).toMatchObject([{ level: 'problem', check: 'disk' }])
    expect(await found(501_000_000)).toEqual([])
    expect(await found(null)).toEqual([])
    expect(await found(1_000, null)).toEqual([])
  })
})

it('says of a keys file that others can read so where its folder is called like the closed data folder, and more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-modes-'))
  const [dataDir, backupDir] = [join(folder, 'site'), join(folder, 'site-backups')]
  try {
    mkdirSync(dataDir, { mode: 0o700 })
    mkdirSync(backupDir, { mode: 0o755 })
    const name = 'atelier-20260101T030000Z.tar.keys'
    writeFileSync(join(backupDir, name), '', { mode: 0o644 })
    const found = async (of: string) =>
      // Of the settings it asks for these alone.
      (await checkModes({ dataDir, backupDir: of } as Config)).map(({ level }) => level)
    expect(await found(backupDir)).toEqual(['problem'])
    writeFileSync(join(dataDir, name), '', { mode: 0o644 })
    expect(await found(dataDir)).toEqual(['ok'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
