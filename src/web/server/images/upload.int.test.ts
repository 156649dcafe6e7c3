import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import { mustBeWhole } from './upload.ts'

it('tells a file that the disk had no room for from a damaged one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-upload-'))
  const path = join(folder, 'picture')
  await expect(mustBeWhole(path, 4)).rejects.toBeInstanceOf(DiskFull)
  await writeFile(path, 'abc')
  await expect(mustBeWhole(path, 4)).rejects.toBeInstanceOf(DiskFull)
  await expect(mustBeWhole(path, 3)).resolves.toBeUndefined()
  await rm(folder, { recursive: true })
})
