import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { keysFor, writeKeys } from './keys-file.ts'
import { fillFile } from './whole-file.ts'

vi.mock(import('node:fs/promises'), async (original) => {
  const real = await original()
  // Each form of the call goes on to the real one.
  return { ...real, readdir: vi.fn<typeof real.readdir>(real.readdir) as unknown as typeof real.readdir }
})

it('takes a backup’s own keys also on a disk that lists their name in another form than it was given in', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-keys-'))
  const file = join(folder, 'K\u00fcnstlerin.tar')
  try {
    await fillFile(`${file}.keys`, (out) =>
      writeKeys({ keys: [], erasedIds: [] }, '2026-01-01T03:00:00Z', out),
    )
    const listed: readonly string[] = [basename(`${file}.keys`).normalize('NFD')]
    // As it is asked for here: names alone.
    vi.mocked(readdir).mockResolvedValue(listed as never)
    expect((await keysFor(file, [])).files.map(({ path }) => path)).toEqual([`${file}.keys`])
  } finally {
    vi.mocked(readdir).mockRestore()
    await rm(folder, { recursive: true })
  }
})

it('finds the keys of a backup also where the disk does not give other keys beside it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-keys-'))
  const file = join(folder, 'atelier-20260101T030000Z.tar')
  const given = join(folder, 'given.keys')
  try {
    await writeFile(file, '')
    for (const path of [`${file}.keys`, given])
      await fillFile(path, (out) => writeKeys({ keys: [], erasedIds: [] }, '2026-01-01T03:00:00Z', out))
    const link = join(folder, 'atelier-20260102T030000Z.tar.keys')
    await symlink(basename(link), link)
    expect((await keysFor(file, [])).files.map(({ path }) => path)).toEqual([`${file}.keys`])
    expect((await keysFor(file, [given])).files.map(({ path }) => path)).toEqual([given])

    // The newest of those beside it is asked for, which that may be.
    await rm(`${file}.keys`)
    await expect(keysFor(file, [])).rejects.toThrow('ELOOP')
  } finally {
    await rm(folder, { recursive: true })
  }
})
