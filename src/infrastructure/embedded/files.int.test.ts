import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { syncFolder } from '../sync-folder.ts'
import { openFiles } from './files.ts'

vi.mock(import('../sync-folder.ts'), async (original) => {
  const actual = await original()
  return { ...actual, syncFolder: vi.fn<typeof actual.syncFolder>(actual.syncFolder) }
})

it('has the name of its own folder on the disk before it takes a file: all of them would be lost with it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'atelier-files-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  await openFiles(join(dataDir, 'files'))
  const synced = vi.mocked(syncFolder).mock.calls.map(([path]) => path)
  expect(synced).toEqual(expect.arrayContaining([dataDir, join(dataDir, 'files')]))
})
