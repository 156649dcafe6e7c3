import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  truncateSync,
} from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#infrastructure/clock.ts'
import { readConfig } from '#infrastructure/config/config.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { drill } from '#operator/drill/drill.ts'
import { allFixtures } from './fixtures/fixture.ts'
import { atelier } from './support/atelier.ts'
import { signIn, startSite, type Site } from './support/site.ts'
import { uploadOnce } from './support/upload.ts'

const canMount = process.platform === 'linux' && process.getuid?.() === 0
const why = canMount ? '' : ' (skipped: a disk of its own can be mounted by root on Linux only)'
const FULL = 'The disk is full: free some space, then try again'

/** Writes until not a byte more fits. */
const fill = (path: string): void => {
  for (const size of [65_536, 512]) {
    try {
      for (;;) appendFileSync(join(path, 'ballast'), Buffer.alloc(size, 1))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
}

describe.skipIf(!canMount)(`on a full disk${why}`, () => {
  let disk: string
  let dataDir: string
  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), 'atelier-full-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk])
    dataDir = join(disk, 'data')
  })
  afterEach(() => {
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })

  const call = async (site: Site, cookie: string, method: string, path: string, body?: object) => {
    const answer = await fetch(site.url + path, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const add = (site: Site, cookie: string, name: string) =>
    call(site, cookie, 'POST', '/api/categories', { name })
  const idOf = ({ text }: { readonly text: string }): string => JSON.parse(text).id

  it('she signs in and deletes, also after a restart; what grows is refused until there is room', async () => {
    let site = await startSite({ dataDir })
    try {
      let cookie = await signIn(site)
      const [one, two] = [idOf(await add(site, cookie, 'One')), idOf(await add(site, cookie, 'Two'))]
      fill(disk)
      expect(await add(site, cookie, 'Three')).toEqual({
        status: 503,
        text: JSON.stringify({ message: FULL }),
      })
      cookie = await signIn(site)
      expect((await call(site, cookie, 'DELETE', `/api/categories/${one}`)).status).toBe(204)
      // The room that was given up is not for what grows.
      expect((await add(site, cookie, 'Three')).status).toBe(503)
      const { status, text } = await uploadOnce(site, cookie, new Blob(['no picture']), 'a.png')
      expect([status, JSON.parse(text).message]).toEqual([507, FULL])
      await site.stop()

      fill(disk)
      site = await startSite({ dataDir })
      expect((await fetch(site.url)).status).toBe(200)
      cookie = await signIn(site)
      expect((await call(site, cookie, 'DELETE', `/api/categories/${two}`)).status).toBe(204)
      expect((await call(site, '', 'GET', '/api/categories')).text).toBe('[]')
      expect((await add(site, cookie, 'Three')).status).toBe(503)
      rmSync(join(disk, 'ballast'))
      expect((await add(site, cookie, 'Three')).status).toBe(201)
    } finally {
      await site.stop()
    }
  })

  it('reading goes on after a restart, also when nothing is left of the reserve', async () => {
    let site = await startSite({ dataDir })
    try {
      await add(site, await signIn(site), 'One')
      await site.stop()
      truncateSync(join(dataDir, 'reserve'), 0)
      fill(disk)
      site = await startSite({ dataDir })
      expect((await fetch(site.url)).status).toBe(200)
      expect(JSON.parse((await call(site, '', 'GET', '/api/categories')).text)).toMatchObject([
        { name: 'One' },
      ])
    } finally {
      await site.stop()
    }
  })

  const mayHold = (files: number): void => {
    execFileSync('mount', ['-o', `remount,nr_inodes=${files}`, disk])
  }

  it('reading goes on after a restart, also when no further file can be made', async () => {
    let site = await startSite({ dataDir })
    try {
      const cookie = await signIn(site)
      await add(site, cookie, 'One')
      await site.stop()
      const { files, ffree } = statfsSync(disk)
      mayHold(files - ffree)
      site = await startSite({ dataDir })
      expect((await fetch(site.url)).status).toBe(200)
      const again = await signIn(site)
      expect(await add(site, again, 'Two')).toEqual({ status: 503, text: JSON.stringify({ message: FULL }) })
      mayHold(files)
      expect((await add(site, again, 'Two')).status).toBe(201)
    } finally {
      await site.stop()
    }
  })

  it('a backup and a restore name the place and what to do, and leave no half archive', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'atelier-full-from-'))
    try {
      const site = await startSite({ dataDir: elsewhere })
      try {
        await add(site, await signIn(site), 'One')
      } finally {
        await site.stop()
      }
      const to = join(disk, 'backups')
      await mkdir(to)
      fill(disk)
      const made = await atelier(elsewhere, ['backup', join(to, 'a.tar.gz')])
      expect([made.errors.trim(), made.code]).toEqual([
        `The disk of ${to} is full: free some space there, then try again`,
        1,
      ])
      expect(readdirSync(to)).toEqual([])

      const archive = join(elsewhere, 'a.tar.gz')
      expect((await atelier(elsewhere, ['backup', archive])).code).toBe(0)
      const restored = await atelier(dataDir, ['restore', archive])
      expect([restored.errors.trim(), restored.code]).toEqual([
        `The disk of ${dataDir} is full: free some space there, then try again`,
        1,
      ])
      rmSync(join(disk, 'ballast'))
      expect(await atelier(dataDir, ['restore', archive])).toMatchObject({ code: 0 })
    } finally {
      rmSync(elsewhere, { recursive: true })
    }
  })

  it.each(['files', 'pictures'])(
    'a look at a backup whose disk fills at its %s names that disk, and finds no fault with the backup',
    async (step) => {
      const [fixture] = (await allFixtures()).toReversed()
      execFileSync('mount', ['-o', 'remount,size=800m', disk])
      const archive = join(disk, 'site.tar')
      await cp(fixture?.archive ?? '', archive)
      const leaveNothing = (): void => {
        const { blocks, bfree, bsize } = statfsSync(disk)
        execFileSync('mount', ['-o', `remount,size=${(blocks - bfree) * bsize}`, disk])
      }
      const ports = {
        config: readConfig({ DATA_DIR: dataDir }),
        clock: systemClock,
        log: createLog('silent'),
      }
      const looked = drill(ports, archive, null, {
        signal: new AbortController().signal,
        onStep: ({ what }) => {
          if (what === step) leaveNothing()
        },
      })
      await expect(looked).rejects.toThrow(`The disk of ${join(disk, '.atelier-check')} is full`)
      expect(readdirSync(disk)).toEqual(['site.tar'])
    },
  )
})

/** Takes nothing, as a file on a full disk does. */
const fullDevice = '/dev/full'
const hasFullDevice = existsSync(fullDevice)
const whyNoDevice = hasFullDevice ? '' : ` (skipped: there is no ${fullDevice} here)`

describe.skipIf(!hasFullDevice)(`a log that is led to a full disk${whyNoDevice}`, () => {
  it.each(['json', 'text'])('keeps nobody from the site, which stops as ever (%s)', async (format) => {
    const stdout = openSync(fullDevice, 'w')
    try {
      const site = await startSite({ stdout, env: { LOG_LEVEL: 'info', LOG_FORMAT: format } })
      for (let n = 0; n < 3; n += 1) expect((await fetch(`${site.url}/api/artworks`)).status).toBe(200)
      await site.stop()
      expect(site.process.exitCode).toBe(0)
    } finally {
      closeSync(stdout)
    }
  })

  it('keeps no command from saying by its exit what was wrong', () => {
    const full = openSync(fullDevice, 'w')
    try {
      const call = [join(import.meta.dirname, '../src/cli.ts'), 'nonsense']
      expect(spawnSync(process.execPath, call, { stdio: ['ignore', full, full] }).status).toBe(2)
    } finally {
      closeSync(full)
    }
  })
})
