import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { removeLeftParts, temporaryFolder } from './left-parts.ts'

it('removes what killed processes left, also of a time to come, and nothing that is being written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-parts-'))
  try {
    const hours = { 'young.part': 0, 'old.part': -2, 'ahead.part': 365 * 24, 'old.tar': -2 }
    for (const [name, away] of Object.entries(hours)) {
      const at = Date.now() / 1000 + away * 3600
      await writeFile(join(folder, name), '')
      await utimes(join(folder, name), at, at)
    }
    await removeLeftParts(folder, (name) => name.endsWith('.part'))
    expect((await readdir(folder)).toSorted()).toEqual(['old.tar', 'young.part'])
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('makes a temporary folder, and removes those that killed commands left a day ago, but no folder of somebody’s own', async () => {
  const within = await mkdtemp(join(tmpdir(), 'atelier-parts-'))
  try {
    // The last one is somebody's own, with backups in it.
    const hours = {
      '.atelier-backup-old': -25,
      '.atelier-backup-young': -23,
      '.atelier-import-old': -25,
      'atelier-backup-monday': -25,
    }
    for (const [name, away] of Object.entries(hours)) {
      const path = join(within, name)
      await mkdir(path)
      await writeFile(join(path, 'events'), '')
      const at = Date.now() / 1000 + away * 3600
      await utimes(path, at, at)
    }
    const made = await temporaryFolder('backup', within)
    const left = ['.atelier-backup-young', '.atelier-import-old', 'atelier-backup-monday', basename(made)]
    expect(await readdir(within)).toEqual(expect.arrayContaining(left))
    expect(await readdir(within)).toHaveLength(left.length)
  } finally {
    await rm(within, { recursive: true })
  }
})
