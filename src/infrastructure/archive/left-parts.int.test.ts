import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeLeftParts } from './left-parts.ts'

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
