import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#infrastructure/config/config.ts'
import { checkDisk } from './doctor-checks.ts'

const canMount = process.platform === 'linux' && process.getuid?.() === 0
const why = canMount ? '' : ' (skipped: a disk of its own can be mounted by root on Linux only)'

/** Makes files until the disk takes no further one. */
const useUpNames = (folder: string): void => {
  for (let n = 0; ; n += 1) {
    try {
      writeFileSync(join(folder, `ballast-${n}`), '')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return
      throw error
    }
  }
}

describe.skipIf(!canMount)(`a disk with room${why}`, () => {
  let disk: string
  let dataDir: string
  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), 'atelier-names-'))
    // Its size is a bound, and takes no memory.
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=900m,nr_inodes=40', 'tmpfs', disk])
    dataDir = join(disk, 'data')
    mkdirSync(dataDir)
  })
  afterEach(() => {
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })

  it('is well while it takes a file, and says what to do once it takes no further one; nothing is left there', async () => {
    const look = () => checkDisk(readConfig({ DATA_DIR: dataDir }))
    expect(await look()).toMatchObject([{ check: 'disk', level: 'ok' }])
    expect(readdirSync(dataDir)).toEqual([])
    useUpNames(disk)
    expect(await look()).toMatchObject([
      { level: 'problem', message: expect.stringMatching(/^Nothing more can be kept .*as many files/) },
    ])
    expect(readdirSync(dataDir)).toEqual([])
  })
})
