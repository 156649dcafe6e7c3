import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { neededOriginals } from '#application/images/lacking.ts'
import { neededMessageKeys } from '#application/messages/needed-keys.ts'
import { systemClock } from '../clock.ts'
import { openEmbedded } from '../embedded/testing/open-embedded.ts'
import { createLog } from '../log/log.ts'
import { formerNights } from './kept-archives.ts'
import { backUpNightly } from './nightly.ts'

const kept = 'atelier-20261110T030000Z.tar'

// Somebody has protected it (chattr +i), which root alone can do here.
vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>()
  const unlessKept =
    <Rest extends readonly unknown[]>(remove: (path: string, ...rest: Rest) => Promise<void>) =>
    (path: string, ...rest: Rest): Promise<void> =>
      path.endsWith(kept)
        ? Promise.reject(Object.assign(new Error('EPERM: not permitted'), { code: 'EPERM', path }))
        : remove(path, ...rest)
  // Each form of the call goes on to the real one.
  return {
    ...real,
    readdir: vi.fn<typeof real.readdir>(real.readdir) as unknown as typeof real.readdir,
    rm: unlessKept(real.rm),
    unlink: unlessKept(real.unlink),
  }
})

it('is made, and the others give way, also where an older one cannot be removed, which it says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-kept-'))
  const into = join(folder, 'nights')
  const dataDir = join(folder, 'site')
  const site = await openEmbedded({ dataDir, secret: null, clock: systemClock, log: createLog('silent') })
  try {
    const night = (day: number) =>
      backUpNightly(site, into, {
        version: '1.2.3',
        createdAt: `2026-11-${day}T03:00:00.000Z`,
        signal: new AbortController().signal,
        needed: neededOriginals,
        neededKeys: neededMessageKeys,
        eraseAgain: null,
      })
    for (let day = 10; day < 18; day += 1) await night(day)
    expect((await night(18)).complaint).toMatch(
      new RegExp(`^An older backup cannot be removed: .*${kept} \\(EPERM\\)\\. .*move it out of ${into}$`),
    )
    const names = (await readdir(into)).map((name) => name.slice(14, 16) + name.slice(28)).toSorted()
    expect(names).toEqual(['10', '12', '13', '14', '15', '16', '17', '18', '18.keys'])
  } finally {
    await site.close()
    // Mocked here.
    await (await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')).rm(folder, {
      recursive: true,
    })
  }
})

it('does not take keys of former nights for none where the disk does not give their names just then', async () => {
  const failing = Object.assign(new Error('EIO: i/o error, scandir'), { code: 'EIO' })
  vi.mocked(readdir).mockResolvedValueOnce([]).mockRejectedValueOnce(failing)
  await expect(formerNights(tmpdir())).rejects.toBe(failing)
})
