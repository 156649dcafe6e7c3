import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { settle } from './settle.ts'

/** What was brought to the disk. */
const synced = vi.hoisted((): string[] => [])

vi.mock(import('node:fs/promises'), async (original) => {
  const actual = await original()
  const open: typeof actual.open = async (path, ...how) => {
    const file = await actual.open(path, ...how)
    const sync = file.sync.bind(file)
    file.sync = async () => {
      await sync()
      synced.push(String(path))
    }
    return file
  }
  return { ...actual, open }
})

it('what is built is on the disk with its folders before it is stamped, so that no power cut leaves it empty', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-settle-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const assets = join(folder, 'client', 'assets')
  mkdirSync(assets, { recursive: true })
  writeFileSync(join(folder, 'entry.js'), 'entry')
  writeFileSync(join(assets, 'tab.js.br'), 'tab')
  await settle(folder)
  expect(synced.toSorted()).toEqual(
    [folder, join(folder, 'client'), assets, join(folder, 'entry.js'), join(assets, 'tab.js.br')].toSorted(),
  )
})
