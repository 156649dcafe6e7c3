import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { DiskFull, EngineAway } from '#application/kernel/ports/event-store.ts'
import { accountsContract } from '../testing/contracts/accounts.contract.ts'
import { checkpointsContract } from '../testing/contracts/checkpoints.contract.ts'
import { effectsContract } from '../testing/contracts/effects.contract.ts'
import { filesContract } from '../testing/contracts/files.contract.ts'
import { idempotencyContract } from '../testing/contracts/idempotency.contract.ts'
import { leasesContract } from '../testing/contracts/leases.contract.ts'
import { rateLimitsContract } from '../testing/contracts/rate-limits.contract.ts'
import { sessionsContract } from '../testing/contracts/sessions.contract.ts'
import { openAccounts } from './accounts.ts'
import { openCheckpoints, openEffects, openIdempotencyKeys } from './records.ts'
import { openDatabase } from './database.ts'
import { toPosition } from './event-rows.ts'
import { openFiles } from './files.ts'
import { openLeases } from './leases.ts'
import { openRateLimits } from './rate-limits.ts'
import { openSessions } from './sessions.ts'

const open = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-engines-'))
  const database = openDatabase(join(folder, 'atelier.db'))
  const close = async () => {
    database.close()
    await rm(folder, { recursive: true })
  }
  return { database, folder, close }
}

accountsContract('embedded', async () => {
  const { database, close } = await open()
  return { accounts: openAccounts(database), close }
})
sessionsContract('embedded', async () => {
  const { database, close } = await open()
  return { sessions: openSessions(database), close }
})
checkpointsContract(
  'embedded',
  async () => {
    const { database, close } = await open()
    return { checkpoints: openCheckpoints(database), close }
  },
  toPosition,
)
effectsContract('embedded', async () => {
  const { database, close } = await open()
  return { effects: openEffects(database), close }
})
idempotencyContract('embedded', async () => {
  const { database, close } = await open()
  return { idempotency: openIdempotencyKeys(database), close }
})
filesContract('embedded', async () => {
  const { folder, close } = await open()
  return { files: await openFiles(join(folder, 'files')), close }
})
leasesContract('embedded', async () => {
  const leases = openLeases()
  return { one: leases, other: leases, close: async () => undefined }
})
rateLimitsContract('embedded', async () => ({ rateLimits: openRateLimits(), close: async () => undefined }))

describe('files in a folder', () => {
  it('are away, not gone, while the disk with their folder is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-away-'))
    const root = join(folder, 'files')
    const files = await openFiles(root)
    await files.put('originals/a', Buffer.from('picture'))
    expect(await files.open('originals/b')).toBeNull()
    for (const leave of [() => undefined, () => mkdir(root), () => writeFile(root, '')]) {
      await rename(root, join(folder, 'elsewhere'))
      await leave()
      await expect(files.open('originals/a')).rejects.toThrow(EngineAway)
      await expect(files.size('originals/a')).rejects.toThrow(EngineAway)
      await expect(files.list('originals/')).rejects.toThrow(EngineAway)
      await expect(files.put('originals/b', Buffer.from('picture'))).rejects.toThrow(EngineAway)
      await rm(root, { recursive: true, force: true })
      await rename(join(folder, 'elsewhere'), root)
      expect(await files.size('originals/a')).toBe(7)
    }
    await rm(folder, { recursive: true })
  })

  it('are for their owner only, whatever the rights of what they are copied from', async () => {
    const { folder, close } = await open()
    const files = await openFiles(join(folder, 'files'))
    const source = join(folder, 'sample.jpg')
    await writeFile(source, 'a picture')
    for (const rights of [0o644, 0o444]) {
      await chmod(source, rights)
      await files.putFile(`originals/of-${rights}`, source)
      const { mode } = await stat(join(folder, 'files', 'originals', `of-${rights}`))
      expect(mode & 0o777).toBe(0o600)
    }
    await close()
  })

  it('go on where only the folder of what is half-written was tidied away', async () => {
    const { folder, close } = await open()
    const root = join(folder, 'files')
    const files = await openFiles(root)
    for (const ask of [
      () => files.put('originals/a', Buffer.from('whole')),
      () => files.open('originals/none'),
      () => files.sweep(),
      () => files.replace('originals/a', Buffer.from('wholly')),
    ]) {
      await rm(join(root, '.incoming'), { recursive: true })
      await ask()
      expect(await readdir(join(root, '.incoming'))).toEqual([])
    }
    expect(await files.size('originals/a')).toBe(6)
    await close()
  })

  it('say in the one way that the disk is full, and keep nothing half-written', async () => {
    const { folder, close } = await open()
    const files = await openFiles(join(folder, 'files'))
    const full = Readable.from(
      (function* () {
        yield Buffer.from('some bytes')
        // as writing reports it; a stream hands on errors of both its ends alike
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
      })(),
    )
    await expect(files.put('originals/a', full)).rejects.toBeInstanceOf(DiskFull)
    expect(await files.list('')).toEqual([])
    expect(await readdir(join(folder, 'files', '.incoming'))).toEqual([])
    await close()
  })

  it('are away where the disk fails, and not where that fails which they come from', async () => {
    const { folder, close } = await open()
    const files = await openFiles(join(folder, 'files'))
    const failing = (place: object): Readable =>
      new Readable({
        read() {
          this.destroy(Object.assign(new Error('EIO: i/o error'), { code: 'EIO', ...place }))
        },
      })
    await expect(files.put('originals/a', failing({}))).rejects.toBeInstanceOf(EngineAway)
    const elsewhere = { path: '/backups/site.tar' }
    await expect(files.put('originals/a', failing(elsewhere))).rejects.toMatchObject(elsewhere)
    await close()
  })

  const canMount = process.platform === 'linux' && process.getuid?.() === 0
  const why = canMount ? '' : ' (skipped: root on Linux only can mount a disk)'
  it.skipIf(!canMount)(
    `are away where a disk that is read-only takes no folder of theirs${why}`,
    async () => {
      const { folder, close } = await open()
      const root = join(folder, 'files')
      const files = await openFiles(root)
      await mkdir(join(root, 'images'))
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', join(root, 'images')])
      try {
        await expect(files.put('images/ab/640.avif', Buffer.from('image'))).rejects.toBeInstanceOf(EngineAway)
      } finally {
        execFileSync('umount', [join(root, 'images')])
      }
      await close()
    },
  )

  it('sweep away what was broken off a day ago while the process ran on', async () => {
    const { folder, close } = await open()
    const root = join(folder, 'files')
    const files = await openFiles(root)
    for (const half of ['old', 'fresh']) await writeFile(join(root, '.incoming', half), 'ha')
    const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1_000)
    await utimes(join(root, '.incoming', 'old'), longAgo, longAgo)
    expect(await files.sweep()).toBe(1)
    expect(await readdir(join(root, '.incoming'))).toEqual(['fresh'])
    await close()
  })

  it('removes what a killed process left half-written, and lists none of it', async () => {
    const { folder, close } = await open()
    const root = join(folder, 'files')
    const files = await openFiles(root)
    await files.put('originals/a', Buffer.from('whole'))
    await writeFile(join(root, '.incoming', 'half'), 'ha')
    expect(await files.list('')).toEqual(['originals/a'])
    const again = await openFiles(root)
    expect(await readdir(join(root, '.incoming'))).toEqual([])
    expect(await again.size('originals/a')).toBe(5)
    await close()
  })
})
